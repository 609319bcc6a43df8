package dev.tutti.testkit.scenario;

import dev.tutti.allocator.Fallback;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.model.JobId;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.NicRequest;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.SetAffinity;
import dev.tutti.model.job.TopologySegment;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Jobs of a scenario, in order of age. */
public final class TestJobs {

    /** The time at which scenarios decide, in microseconds. */
    public static final long NOW_MICROS = 1_000_000_000_000L;

    private static final PodTemplate TEMPLATE = new PodTemplate("busybox", List.of(), List.of(), java.util.Map.of());
    private static final long MICROS = 1_000_000;

    private TestJobs() {}

    /**
     * Reads {@code train gpus=8 pods=4 min=2 flavors=a,b required=rack preferred=block queue=q priority=1 lane=green maxRun=60 user=anna};
     * {@code share=200} or {@code mig=3g.20gb} instead of {@code gpus}; {@code select=pool:a tolerate=dedicated:training}, see {@link TestRules};
     * {@code fallback=600 since=30} waits so many seconds for each flavor, {@code fallback=lane} as its lane says, counted from so
     * many seconds after the beginning, otherwise all flavors are open at once; further pod sets after a plus sign: {@code + ps pods=1 cpu=4000}.
     * The set's own wishes: {@code own=rack ownPreferred=island segment=8@rack}; towards other sets {@code
     * together=ps@rack apart=eval@hostname}. RDMA NICs of each pod: {@code rdma=1}, or {@code rdma=ib:2} of one resource.
     * A pod set is named like the job, unless it reads {@code set=worker}.
     *
     * @param age place in the order of submission, from 0
     */
    public static WaitingJob of(String line, int age, TestQueues queues) {
        String[] parts = line.split("\\s\\+\\s");
        List<PodSet> sets = new ArrayList<>();
        Words first = new Words(parts[0]);
        sets.add(podSet(first));
        for (int i = 1; i < parts.length; i++) {
            Words words = new Words(parts[i]);
            sets.add(podSet(words));
            words.nothingElse();
        }
        String verdict = first.text("verdict");
        WaitingJob job = new WaitingJob(
                id(age),
                1,
                queues.id(first.text("queue", "default")),
                Lane.valueOf(first.text("lane", "yellow").toUpperCase(Locale.ROOT)),
                (int) first.number("priority", 0),
                age,
                first.flag("backoff") ? NOW_MICROS + first.number("backoff", 0) * MICROS : 0,
                first.number("maxRun", 0),
                sets,
                wish(first),
                verdict == null ? null : new Reason(ReasonCode.valueOf(verdict), null, 0, 0, "as before"),
                first.text("user", ""),
                null,
                fallback(first));
        first.nothingElse();
        return job;
    }

    private static Fallback fallback(Words words) {
        String after = words.text("fallback", "0");
        long since = NOW_MICROS + words.number("since", 0) * MICROS;
        return new Fallback(since, after.equals("lane") ? null : Integer.valueOf(after));
    }

    /** The id of the job of this age. Ids fall as age grows, so that order by id is never mistaken for order by age. */
    public static JobId id(int age) {
        return new JobId(new UUID(0x7000L, 1_000_000L - age));
    }

    public static PodSet podSet(String name, int count, int minCount, GpuRequest gpus, List<String> flavors) {
        return new PodSet(name, count, minCount, gpus, flavors, 0, 0, TEMPLATE);
    }

    private static PodSet podSet(Words words) {
        int pods = (int) words.number("pods", 1);
        int gpus = (int) words.number("gpus", 0);
        int share = (int) words.number("share", 0);
        String mig = words.text("mig");
        GpuRequest request = mig != null
                ? new GpuRequest.Mig(mig)
                : share > 0
                        ? new GpuRequest.Share(share)
                        : gpus > 0 ? new GpuRequest.Whole(gpus) : new GpuRequest.None();
        return new PodSet(
                words.text("set", words.name().toLowerCase(Locale.ROOT)),
                pods,
                (int) words.number("min", pods),
                request,
                words.list("flavors"),
                words.number("cpu", 0),
                words.number("memory", 0),
                TEMPLATE,
                new TopologyWish(words.text("own"), words.text("ownPreferred")),
                segment(words.text("segment")),
                TestRules.rules(words),
                affinity(words),
                nics(words.text("rdma")));
    }

    private static @Nullable TopologySegment segment(@Nullable String text) {
        if (text == null) {
            return null;
        }
        String[] parts = text.split("@");
        return new TopologySegment(Integer.parseInt(parts[0]), parts[1]);
    }

    private static NicRequest nics(@Nullable String text) {
        if (text == null) {
            return NicRequest.NONE;
        }
        int colon = text.indexOf(':');
        int nics = Integer.parseInt(text.substring(colon + 1));
        return colon < 0 ? NicRequest.of(nics) : new NicRequest(nics, TestNics.PREFIX + text.substring(0, colon));
    }

    private static List<SetAffinity> affinity(Words words) {
        List<SetAffinity> affinity = new ArrayList<>();
        for (SetAffinity.Kind kind : SetAffinity.Kind.values()) {
            for (String one : words.list(kind.name().toLowerCase(Locale.ROOT))) {
                String[] parts = one.split("@");
                affinity.add(new SetAffinity(parts[0], parts[1], kind));
            }
        }
        return affinity;
    }

    private static TopologyWish wish(Words words) {
        String island = words.text("island", "");
        String required = island.equals("required") ? "island" : words.text("required");
        String preferred = island.equals("preferred") ? "island" : words.text("preferred");
        return new TopologyWish(required, preferred);
    }
}
