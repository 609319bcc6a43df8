package dev.tutti.bench;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.model.JobId;
import dev.tutti.model.NodeId;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.NicRequest;
import dev.tutti.model.job.NodeRules;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.SetAffinity;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Many waiting jobs, made from numbers. */
final class BenchJobs {

    private static final PodTemplate TEMPLATE = new PodTemplate("image", List.of(), List.of(), Map.of());

    /** The most frequent requests of a production cluster: how many, GPUs, milli of each, CPU, memory. */
    private static final int[][] MIX = {
        {1047, 1, 810, 3152, 5600},
        {857, 1, 1000, 11300, 49152},
        {534, 1, 1000, 11400, 48128},
        {470, 1, 1000, 3152, 5600},
        {388, 1, 470, 11908, 47104},
        {364, 0, 0, 12500, 57344},
        {360, 1, 470, 8000, 30517},
        {284, 0, 0, 32000, 49152},
        {255, 1, 1000, 18708, 64512},
        {237, 1, 650, 11908, 47104},
        {195, 1, 1000, 9810, 41560},
        {163, 0, 0, 8000, 30517},
        {158, 1, 1000, 12000, 24576},
        {111, 1, 320, 4000, 22888},
        {84, 1, 230, 4000, 30517},
        {44, 8, 1000, 64000, 262144},
        {40, 4, 1000, 32000, 131072},
        {40, 2, 1000, 16000, 65536},
    };

    private static final long HOUR_MICROS = 3_600_000_000L;

    private BenchJobs() {}

    /** Single pods in the frequencies of the mix. */
    static List<WaitingJob> singles(int count) {
        int all = 0;
        for (int[] kind : MIX) {
            all += kind[0];
        }
        Random random = new Random(42);
        List<WaitingJob> jobs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int draw = random.nextInt(all);
            int k = 0;
            while (draw >= MIX[k][0]) {
                draw -= MIX[k++][0];
            }
            int[] kind = MIX[k];
            jobs.add(job(i, set(1, gpus(kind[1], kind[2]), kind[3], kind[4]), TopologyWish.NONE));
        }
        return jobs;
    }

    /** Jobs that need GPUs: single pods in the frequencies of the mix, and every tenth a gang of some other size. */
    static List<WaitingJob> waiting(int count) {
        List<WaitingJob> jobs = new ArrayList<>();
        for (WaitingJob job : singles(count)) {
            int age = jobs.size();
            boolean needsGpus = job.podSets().get(0).gpus().devices() > 0;
            boolean gang = age % 10 == 0 || !needsGpus;
            jobs.add(gang ? job(age, set(1 + age % 50, gpus(8, 1_000), 64_000, 262_144), TopologyWish.NONE) : job);
        }
        return jobs;
    }

    /** The job after its verdict was written. */
    static WaitingJob told(WaitingJob job, Reason verdict) {
        return new WaitingJob(
                job.job(),
                job.version() + 1,
                job.queue(),
                job.lane(),
                job.priority(),
                job.submittedAtMicros(),
                job.notBeforeMicros(),
                job.mayRunSeconds(),
                job.podSets(),
                job.topology(),
                verdict);
    }

    /** A job that holds all GPUs of a node of 8, until a limit of one to ten hours. */
    static RunningJob running(int node) {
        List<Long> devices =
                LongStream.rangeClosed(8L * node + 1, 8L * node + 8).boxed().toList();
        Plan.PodPlacement member = new Plan.PodPlacement(
                "worker", 0, new NodeId(node + 1), "h100", devices, 1_000, 64_000, 262_144, null, List.of());
        long endsBy = (1 + node % 10) * HOUR_MICROS;
        JobId id = new JobId(new UUID(2, node));
        return new RunningJob(
                id, 1, BenchFleets.QUEUE, Lane.YELLOW, 0, 0, 0, endsBy, 0, false, List.of(member), Set.of(), Map.of());
    }

    /** Jobs that differ in CPU, so that hardly two are of one class. */
    static List<WaitingJob> allDifferent(int count) {
        List<WaitingJob> jobs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            jobs.add(job(i, set(1 + i % 4, gpus(1 + i % 8, 1_000), 1_000 + i, 1_000), TopologyWish.NONE));
        }
        return jobs;
    }

    /** One gang of 8-GPU pods that wants to be in one rack, else one block, else one zone. */
    static List<WaitingJob> gang(int gpus) {
        return List.of(job(0, set(gpus / 8, gpus(8, 1_000), 96_000, 500_000), new TopologyWish("zone", "rack")));
    }

    /**
     * Sixteen sets, each on other nodes than all others.
     *
     * @param pods pods of each set; less than 0 for 4 to 19
     * @param gpus GPUs of each pod; 0 for 1 to 4
     */
    static List<PodSet> apart(int pods, int gpus) {
        List<PodSet> sets = new ArrayList<>();
        for (int s = 0; s < 16; s++) {
            int count = pods < 0 ? 4 + s : pods;
            List<SetAffinity> apart = IntStream.range(0, s)
                    .mapToObj(o -> new SetAffinity("s" + o, TopologyLevels.NODE_LEVEL, SetAffinity.Kind.APART))
                    .toList();
            sets.add(new PodSet(
                    "s" + s,
                    count,
                    count,
                    new GpuRequest.Whole(gpus == 0 ? 1 + s % 4 : gpus),
                    List.of(),
                    1_000,
                    1_024,
                    TEMPLATE,
                    TopologyWish.NONE,
                    null,
                    NodeRules.NONE,
                    apart,
                    NicRequest.NONE));
        }
        return sets;
    }

    /** The same in sizes of all kinds: shares and 1 to 3 GPUs, more and more CPU and memory, a third to all of the pods. */
    static List<PodSet> apartOfAllKinds(int pods) {
        List<PodSet> sets = new ArrayList<>();
        for (PodSet set : apart(pods, 1)) {
            int s = sets.size();
            int count = pods / (1 + s % 3) + 1;
            sets.add(new PodSet(
                    set.name(),
                    count,
                    count,
                    s % 4 == 3 ? new GpuRequest.Share(300 + 10 * s) : new GpuRequest.Whole(1 + s % 4),
                    List.of(),
                    1_000L * (4 + s * 2),
                    20_000L + 4_000 * s,
                    TEMPLATE,
                    TopologyWish.NONE,
                    null,
                    NodeRules.NONE,
                    set.affinity(),
                    NicRequest.NONE));
        }
        return sets;
    }

    static JobSpec spec(List<PodSet> sets) {
        return new JobSpec(
                "bench", "bench", Lane.YELLOW, 0, sets, new TopologyWish("cluster", null), 60, 30, 0, Map.of());
    }

    static WaitingJob waiting(int age, List<PodSet> sets, TopologyWish wish) {
        JobId id = new JobId(new UUID(1, age));
        return new WaitingJob(id, 1, BenchFleets.QUEUE, Lane.YELLOW, 0, age, 0, sets, wish, null);
    }

    private static GpuRequest gpus(int devices, int milli) {
        if (devices == 0) {
            return new GpuRequest.None();
        }
        return milli < 1_000 ? new GpuRequest.Share(milli) : new GpuRequest.Whole(devices);
    }

    private static PodSet set(int pods, GpuRequest gpus, int cpu, int memory) {
        return new PodSet("worker", pods, pods, gpus, List.of(), cpu, memory, TEMPLATE);
    }

    private static WaitingJob job(int age, PodSet set, TopologyWish wish) {
        JobId id = new JobId(new UUID(1, age));
        return new WaitingJob(id, 1, BenchFleets.QUEUE, Lane.YELLOW, 0, age, 0, List.of(set), wish, null);
    }
}
