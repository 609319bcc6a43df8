package dev.tutti.kubernetes;

import dev.tutti.control.ClusterGateway.Unreachable;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeList;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads whole lists page by page, each page as of the same moment. A list that is not whole is no list. */
final class ApiLists {

    private static final int PAGE = 500;
    private static final int MOST_PAGES = 1_000;

    private final ApiCalls calls;
    private final KubernetesSerialization json;
    private final Answers answers;

    ApiLists(ApiCalls calls, KubernetesSerialization json, Answers answers) {
        this.calls = calls;
        this.json = json;
        this.answers = answers;
    }

    /** Every pod of the path; throws {@link Unreachable}. */
    List<Pod> pods(String path) {
        return all(path, PodList.class, "PodList");
    }

    /** Every node of the path; throws {@link Unreachable}. */
    List<Node> nodes(String path) {
        return all(path, NodeList.class, "NodeList");
    }

    private <T, L extends KubernetesResourceList<?>> List<T> all(String path, Class<L> type, String kind) {
        List<T> items = new ArrayList<>();
        String next = null;
        for (int page = 0; page < MOST_PAGES; page++) {
            L list = page(path, next, type, kind);
            list.getItems().forEach(item -> items.add(cast(item)));
            next = list.getMetadata() == null ? null : list.getMetadata().getContinue();
            if (next == null || next.isEmpty()) {
                return items;
            }
        }
        throw unreachable("a list of more than " + MOST_PAGES * PAGE + " objects");
    }

    private <L extends KubernetesResourceList<?>> L page(
            String path, @Nullable String next, Class<L> type, String kind) {
        String from = next == null ? "" : "&continue=" + HttpRequest.formURLEncode(next);
        String separator = path.endsWith("?") ? "" : "&";
        Answer answer = calls.get(path + separator + "limit=" + PAGE + from);
        if (answer instanceof Answer.Silence silence) {
            throw unreachable(silence.why());
        }
        Answer.Reply reply = (Answer.Reply) answer;
        if (!reply.isSuccess() || !reply.body().contains(kind)) {
            throw unreachable(answers.said(reply));
        }
        try {
            return json.unmarshal(reply.body(), type);
        } catch (RuntimeException e) {
            throw new Unreachable("a list that cannot be read", e);
        }
    }

    private static Unreachable unreachable(String why) {
        return new Unreachable(why, new IOException(why));
    }

    @SuppressWarnings("unchecked")
    private static <T> T cast(Object item) {
        return (T) item;
    }
}
