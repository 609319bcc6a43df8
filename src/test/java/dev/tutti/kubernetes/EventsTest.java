package dev.tutti.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.ClusterGateway.Inbox;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An object that took the place of another of its name is never taken for the other. */
class EventsTest {

    private final List<String> told = new ArrayList<>();
    private final Inbox inbox = new Inbox() {
        @Override
        public void pod(PodSighting pod) {
            told.add(pod.uid() + (pod.deleted() ? " gone" : " there"));
        }

        @Override
        public void node(NodeSighting node) {
            told.add(node.uid() + (node.deleted() ? " gone" : " there"));
        }

        @Override
        public void gap() {
            told.add("gap");
        }
    };

    @Test
    void anotherPodOfThatNameIsTwoEvents() {
        new PodEvents(inbox).onUpdate(pod("u1"), pod("u2"));

        assertThat(told).containsExactly("u1 gone", "u2 there");
    }

    @Test
    void theSamePodIsOne() {
        new PodEvents(inbox).onUpdate(pod("u1"), pod("u1"));

        assertThat(told).containsExactly("u1 there");
    }

    @Test
    void anotherNodeOfThatNameIsTwoEvents() {
        new NodeEvents(inbox).onUpdate(node("u1"), node("u2"));

        assertThat(told).containsExactly("u1 gone", "u2 there");
    }

    private static Pod pod(String uid) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .withUid(uid)
                .endMetadata()
                .build();
    }

    private static Node node(String uid) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName("n")
                .withUid(uid)
                .endMetadata()
                .build();
    }
}
