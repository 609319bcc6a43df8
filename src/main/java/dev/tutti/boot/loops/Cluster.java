package dev.tutti.boot.loops;

import dev.tutti.control.ClusterGateway;
import dev.tutti.control.loop.SightingInbox;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;

/**
 * One cluster for as long as the process lives: its gateway, the notes its watches write, and the bell they ring.
 * Followers keep their watches warm; only a leader's loops read the notes.
 */
public final class Cluster {

    private static final int NOTES = 200_000;

    private final String name;
    private final ClusterGateway gateway;
    private final SightingInbox inbox = new SightingInbox(NOTES);
    private final Bell news = new Bell();

    public Cluster(String name, ClusterGateway gateway) {
        this.name = name;
        this.gateway = gateway;
    }

    String name() {
        return name;
    }

    ClusterGateway gateway() {
        return gateway;
    }

    SightingInbox inbox() {
        return inbox;
    }

    Bell news() {
        return news;
    }

    void watch() {
        gateway.watch(new RingingInbox());
    }

    private final class RingingInbox implements ClusterGateway.Inbox {

        @Override
        public void pod(PodSighting pod) {
            inbox.pod(pod);
            news.ring();
        }

        @Override
        public void node(NodeSighting node) {
            inbox.node(node);
            news.ring();
        }

        @Override
        public void gap() {
            inbox.gap();
            news.ring();
        }
    }
}
