package dev.tutti.testkit.scenario;

import dev.tutti.allocator.QueueShares;
import dev.tutti.model.QueueId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Queues of a scenario, by path; a queue named {@code a/b} stands below {@code a}. */
public final class TestQueues {

    private final Map<String, QueueId> ids = new LinkedHashMap<>();
    private final Map<QueueId, QueueShares.Share> shares = new LinkedHashMap<>();

    public TestQueues() {
        add("default");
    }

    /** Reads {@code research/llm quota=h100:16000,a100:8000 used=h100:4000 held}; amounts are milli-GPU. */
    public void add(String line) {
        Words words = new Words(line);
        String path = words.name();
        QueueId id = new QueueId(ids.size() + 1L);
        ids.put(path, id);
        int slash = path.lastIndexOf('/');
        QueueId parent = slash < 0 ? null : id(path.substring(0, slash));
        shares.put(
                id,
                new QueueShares.Share(
                        parent, words.flag("held"), amounts(words.list("quota")), amounts(words.list("used"))));
        words.nothingElse();
    }

    /** The id of a queue; an id that no queue has for an unknown path. */
    public QueueId id(String path) {
        return ids.getOrDefault(path, new QueueId(9_999));
    }

    public Map<QueueId, QueueShares.Share> shares() {
        return shares;
    }

    private static Map<String, Long> amounts(List<String> words) {
        Map<String, Long> amounts = new LinkedHashMap<>();
        for (String word : words) {
            int colon = word.indexOf(':');
            amounts.put(word.substring(0, colon), Long.parseLong(word.substring(colon + 1)));
        }
        return amounts;
    }
}
