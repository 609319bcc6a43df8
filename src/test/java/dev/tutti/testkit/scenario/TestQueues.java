package dev.tutti.testkit.scenario;

import dev.tutti.allocator.QueueShares;
import dev.tutti.model.QueueId;
import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.PastShare;
import dev.tutti.model.queue.QueueLimits;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.QuotaResource;
import dev.tutti.model.queue.Use;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Queues of a scenario, by path; a queue named {@code a/b} stands below {@code a}. */
public final class TestQueues {

    private final Map<String, QueueId> ids = new LinkedHashMap<>();
    private final Map<QueueId, QueueShares.Share> shares = new LinkedHashMap<>();

    public TestQueues() {
        add("default");
    }

    /**
     * Reads {@code research/llm quota=h100:16000,a100:8000 borrows=h100:0 lends=h100:4000 used=h100:4000 weight=2 strict held
     * jobs=5 userJobs=2 userGpus=4000 nodes=h100:2}; the last are limits of what runs; amounts are
     * milli-GPU. Quotas of CPU and memory read {@code cpu=h100:64000 memory=h100:1024}. What is used is used by yellow jobs, unless it reads {@code green=h100:4000}.
     * What was held lately reads {@code past=250000 redpast=250000}, in millionths of all there is.
     */
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
                        path,
                        parent,
                        new QueueRules(words.flag("held"), words.flag("strict"), (int) words.number("weight", 1))
                                .withLimits(new QueueLimits(
                                        null,
                                        null,
                                        limit(words, "jobs"),
                                        limit(words, "userJobs"),
                                        milli(words, "userGpus"),
                                        counts(amounts(words.list("nodes"))))),
                        quotas(
                                amounts(words.list("quota")),
                                amounts(words.list("borrows")),
                                amounts(words.list("lends")),
                                amounts(words.list("cpu")),
                                amounts(words.list("memory"))),
                        used(amounts(words.list("green")), amounts(words.list("used"))),
                        past(words.number("past", 0), words.number("redpast", 0))));
        words.nothingElse();
    }

    private static @Nullable Integer limit(Words words, String name) {
        return words.flag(name) ? Integer.valueOf((int) words.number(name, 0)) : null;
    }

    private static Map<String, Integer> counts(Map<String, Long> amounts) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        amounts.forEach((flavor, amount) -> counts.put(flavor, amount.intValue()));
        return counts;
    }

    private static @Nullable Long milli(Words words, String name) {
        return words.flag(name) ? Long.valueOf(words.number(name, 0)) : null;
    }

    /** The same queues with other limits for one of them, which keeps all else. */
    public void limit(String path, QueueLimits limits) {
        shares.computeIfPresent(
                id(path),
                (id, share) -> new QueueShares.Share(
                        path,
                        share.parent(),
                        share.rules().withLimits(limits),
                        share.quotas(),
                        share.used(),
                        share.past()));
    }

    /** From now on the queue held so much lately, in millionths of all there is. */
    public void past(String path, long surplus, long red) {
        shares.computeIfPresent(
                id(path),
                (id, share) -> new QueueShares.Share(
                        path, share.parent(), share.rules(), share.quotas(), share.used(), past(surplus, red)));
    }

    private static PastShare past(long surplus, long red) {
        return new PastShare(surplus * 1_000_000, red * 1_000_000, 1);
    }

    /** The id of a queue; an id that no queue has for an unknown path. */
    public QueueId id(String path) {
        return ids.getOrDefault(path, new QueueId(9_999));
    }

    public Map<QueueId, QueueShares.Share> shares() {
        return shares;
    }

    private static Map<QuotaKey, Quota> quotas(
            Map<String, Long> nominal,
            Map<String, Long> borrows,
            Map<String, Long> lends,
            Map<String, Long> cpu,
            Map<String, Long> memory) {
        Map<QuotaKey, Quota> quotas = new LinkedHashMap<>();
        nominal.forEach((flavor, milli) ->
                quotas.put(QuotaKey.gpus(flavor), new Quota(milli, borrows.get(flavor), lends.get(flavor))));
        cpu.forEach((flavor, milli) -> quotas.put(new QuotaKey(flavor, QuotaResource.CPU_MILLI), Quota.of(milli)));
        memory.forEach((flavor, mib) -> quotas.put(new QuotaKey(flavor, QuotaResource.MEMORY_MIB), Quota.of(mib)));
        return quotas;
    }

    private static Map<QuotaKey, Use> used(Map<String, Long> green, Map<String, Long> yellow) {
        Map<QuotaKey, Use> used = new LinkedHashMap<>();
        green.forEach((flavor, milli) -> used.put(QuotaKey.gpus(flavor), new Use(milli, 0, 0)));
        yellow.forEach((flavor, milli) ->
                used.merge(QuotaKey.gpus(flavor), new Use(0, milli, 0), (held, more) -> held.plus(Lane.YELLOW, milli)));
        return used;
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
