package dev.tutti.control.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.RunningJob;
import dev.tutti.control.Actor;
import dev.tutti.control.JobBook;
import dev.tutti.control.JobBook.Submission;
import dev.tutti.control.JobBook.Submitted;
import dev.tutti.control.Rows;
import dev.tutti.control.read.Page;
import dev.tutti.control.read.PageRequest;
import dev.tutti.control.read.QueueQueries;
import dev.tutti.control.read.QueueQueries.LimitUse;
import dev.tutti.control.view.ChangeFeed.Changes;
import dev.tutti.model.JobId;
import dev.tutti.model.NodeId;
import dev.tutti.model.Violation;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.model.queue.PastShare;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quotas;
import dev.tutti.testkit.FirstFit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobIntakeTest {

    private static final Actor.Caller ME = new Actor.Caller("me");

    private final List<Submission> stored = new ArrayList<>();
    private Changes next = Rows.changes(5, List.of(Rows.node(1, 1, "h100"), Rows.node(2, 1, "h100")), 4);
    private final Map<String, List<Violation>> closed = new HashMap<>();
    private int readings;
    private final JobIntake intake =
            new JobIntake(new Book(), this::since, new OneQueue(), Rows.LEVELS, new FirstFit());

    @Test
    void refusesUnknownFlavorsAndLevelsWithTheirFieldsAndStoresNothing() {
        JobSpec good = Rows.job("good", 1, 1, "h100");
        JobSpec bad = Rows.job("bad", 1, 1, new TopologyWish("moon", "rack"), "h100", "b300");
        Submitted submitted = intake.submit(submission(good, bad));
        assertThat(submitted).isInstanceOfSatisfying(Submitted.Refused.class, refused -> {
            assertThat(refused.violations().get(0)).isEmpty();
            assertThat(refused.violations().get(1))
                    .extracting(Violation::field)
                    .containsExactly("podSets[0].flavors[1]", "topology.required");
            assertThat(refused.violations().get(1).get(0).message())
                    .isEqualTo("there is no flavor \"b300\"; give one of h100");
            assertThat(refused.violations().get(1).get(1).message()).contains("moon", "cluster, block, rack, hostname");
        });
        assertThat(stored).isEmpty();
    }

    @Test
    void handsGoodJobsOnAndReadsTheFeedOnlyForFlavorsItDoesNotKnow() {
        intake.submit(submission(Rows.job("a", 1, 1, new TopologyWish("hostname", "rack"), "h100")));
        intake.submit(submission(Rows.job("b", 1, 1, "h100")));
        assertThat(stored).hasSize(2);
        assertThat(readings).isEqualTo(1);
    }

    @Test
    void manyUnknownFlavorsAreAskedForOnce() {
        JobSpec odd = Rows.job("odd", 1, 1, "x1", "x2", "x3");
        intake.submit(submission(odd, Rows.job("odder", 1, 1, "x4", "x5")));
        assertThat(readings).isEqualTo(1);
        assertThat(stored).isEmpty();
    }

    @Test
    void hearsOfAFlavorThatCameLater() {
        intake.dryRun(List.of(), ME);
        next = Rows.changes(6, List.of(Rows.node(3, 1, "b300")), 4);
        intake.submit(submission(Rows.job("new", 1, 1, "b300")));
        assertThat(stored).hasSize(1);
    }

    @Test
    void forecastsWhereAJobWouldRun() {
        Forecast forecast =
                intake.dryRun(List.of(Rows.job("fits", 3, 2, "h100")), ME).get(0);
        assertThat(forecast.fitsNow()).isTrue();
        assertThat(forecast.couldEverRun()).isTrue();
        assertThat(forecast.reason()).isNull();
        assertThat(forecast.largestGpuMilli()).isEqualTo(6000);
        assertThat(forecast.nodes())
                .containsExactly(
                        new Forecast.NodeShare("c1", "n1", "h100", 2, 4000),
                        new Forecast.NodeShare("c1", "n2", "h100", 1, 2000));
        assertThat(stored).isEmpty();
    }

    @Test
    void saysWhyAJobWouldWaitAndWhatTheLargestIs() {
        Forecast forecast =
                intake.dryRun(List.of(Rows.job("big", 9, 2, "h100")), ME).get(0);
        assertThat(forecast.couldEverRun()).isFalse();
        assertThat(forecast.largestPods()).isEqualTo(4);
        assertThat(forecast.largestGpuMilli()).isEqualTo(8000);
        assertThat(forecast.fitsNow()).isFalse();
        assertThat(forecast.nodes()).isEmpty();
        assertThat(forecast.reason()).isNotNull();
        assertThat(forecast.reason().code()).isEqualTo(ReasonCode.WAITING_FOR_CAPACITY);
        assertThat(forecast.reason().wanted()).isEqualTo(18_000);
    }

    @Test
    void theLargestOfAnElasticJobIsWhatWouldStart() {
        JobSpec spec = Rows.job("elastic", 9, 2, "h100");
        PodSet set = spec.podSets().get(0);
        PodSet elastic = new PodSet(
                set.name(), 9, 1, set.gpus(), set.flavors(), set.cpuMilli(), set.memoryMib(), set.template());
        JobSpec job = new JobSpec(
                "elastic", spec.queue(), spec.lane(), 0, List.of(elastic), spec.topology(), 60, 30, 0, Map.of());
        JobIntake real = new JobIntake(new Book(), this::since, new OneQueue(), Rows.LEVELS, new GangAllocator());
        Forecast forecast = real.dryRun(List.of(job), ME).get(0);
        assertThat(forecast.couldEverRun()).isTrue();
        assertThat(forecast.largestPods()).isEqualTo(4);
        assertThat(forecast.largestGpuMilli()).isEqualTo(8000);
    }

    @Test
    void aJobWhosePodsFitNowhereHasALargestOfNone() {
        Forecast forecast =
                intake.dryRun(List.of(Rows.job("wide", 1, 5, "h100")), ME).get(0);
        assertThat(forecast.couldEverRun()).isFalse();
        assertThat(forecast.largestPods()).isZero();
    }

    @Test
    void aDeviceThatIsSickNowCountsAmongWhatCouldEverBe() {
        next = new Changes(
                "x",
                5,
                List.of(),
                List.of(),
                List.of(),
                List.of(Rows.node(1, 1, "h100")),
                Map.of(new NodeId(1), List.of(Rows.device(1, 0, 0, true, 0), Rows.device(2, 1, 0, false, 0))),
                Rows.shares(),
                List.of(),
                List.of(),
                Map.of());
        JobIntake real = new JobIntake(new Book(), this::since, new OneQueue(), Rows.LEVELS, new GangAllocator());
        List<Forecast> forecasts = real.dryRun(List.of(Rows.job("both", 2, 1), Rows.job("three", 3, 1)), ME);
        assertThat(forecasts.get(0).couldEverRun()).isTrue();
        assertThat(forecasts.get(0).reason().code()).isEqualTo(ReasonCode.WAITING_FOR_CAPACITY);
        assertThat(forecasts.get(1).couldEverRun()).isFalse();
        assertThat(forecasts.get(1).largestPods()).isEqualTo(2);
        assertThat(forecasts.get(1).reason().code()).isEqualTo(ReasonCode.EXCEEDS_LIMIT);
        assertThat(forecasts.get(1).reason().available()).isEqualTo(2_000);
    }

    @Test
    void jobsOfOneDryRunShareTheFleetAndStandBehindThoseThatWait() {
        next = new Changes(
                "x",
                5,
                List.of(Rows.waitingJob(1, Rows.job("first", 1, 4))),
                List.of(),
                List.of(),
                List.of(Rows.node(1, 1, "h100")),
                Map.of(new NodeId(1), Rows.devices(1, 0, 0, 0, 0)),
                Rows.shares(),
                List.of(),
                List.of(),
                Map.of());
        Forecast forecast = intake.dryRun(List.of(Rows.job("behind", 1, 1)), ME).get(0);
        assertThat(forecast.couldEverRun()).isTrue();
        assertThat(forecast.fitsNow()).isFalse();
    }

    /** One node of four GPUs, all held by a job that ends after {@code endsAfterSeconds}; 0: nobody knows when. */
    private JobIntake full(long endsAfterSeconds) {
        JobSpec spec = Rows.job("runs", 1, 4);
        Plan.PodPlacement pod = new Plan.PodPlacement(
                "worker", 0, new NodeId(1), "h100", List.of(10L, 11L, 12L, 13L), 1_000, 0, 0, null, List.of());
        long now = 1_000_000_000L;
        next = new Changes(
                "x",
                now,
                List.of(Rows.waitingJob(1, Rows.job("first", 1, 4))),
                List.of(),
                List.of(new RunningJob(
                        new JobId(new UUID(3, 1)),
                        1,
                        Rows.QUEUE,
                        spec.lane(),
                        -1,
                        0,
                        0,
                        endsAfterSeconds == 0 ? 0 : now + endsAfterSeconds * 1_000_000,
                        endsAfterSeconds == 0 ? 0 : Long.MAX_VALUE,
                        false,
                        List.of(pod),
                        Set.of(),
                        Map.of("worker", 1))),
                List.of(Rows.node(1, 1, "h100")),
                Map.of(new NodeId(1), Rows.devices(1, 1_000, 1_000, 1_000, 1_000)),
                Rows.shares(),
                List.of(),
                List.of(),
                Map.of());
        return new JobIntake(new Book(), this::since, new OneQueue(), Rows.LEVELS, new GangAllocator());
    }

    private static JobSpec strong(int gpus) {
        JobSpec spec = Rows.job("strong", 1, gpus);
        return spec.with(spec.lane(), 5, spec.limits(), spec.labels());
    }

    @Test
    void aDryRunSeesWhoWouldHaveToGiveWay() {
        Forecast forecast = full(0).dryRun(List.of(strong(4)), ME).get(0);
        assertThat(forecast.reason().code()).isEqualTo(ReasonCode.WAITING_FOR_VICTIMS);
        assertThat(forecast.jobsToGiveWay()).isEqualTo(1);
        assertThat(forecast.position()).as("before the one that waits").isEqualTo(1);
    }

    @Test
    void aDryRunSeesWhenAJobWouldStartAndBehindWhom() {
        Forecast forecast = full(500).dryRun(List.of(strong(4)), ME).get(0);
        assertThat(forecast.jobsToGiveWay()).as("it is protected").isZero();
        assertThat(forecast.startAt()).isAfterOrEqualTo(Instant.ofEpochSecond(1_500));
        assertThat(forecast.startAt()).isBefore(Instant.ofEpochSecond(1_700));
        assertThat(forecast.fitsNow()).isFalse();

        Forecast weak = full(500).dryRun(List.of(Rows.job("weak", 1, 4)), ME).get(0);
        assertThat(weak.position()).isEqualTo(2);
        assertThat(weak.startAt()).as("the one before it has the time").isNull();
    }

    @Test
    void aDryRunSaysWhatTheDoorOfTheQueueSaysAndForecastsTheOthers() {
        List<Violation> full = List.of(new Violation("queue", "full; give another queue"));
        closed.put("late", full);
        List<Forecast> forecasts = intake.dryRun(List.of(Rows.job("early", 1, 1), Rows.job("late", 1, 1)), ME);
        assertThat(forecasts.get(0).fitsNow()).isTrue();
        assertThat(forecasts.get(1).violations()).isEqualTo(full);
        assertThat(intake.closed(Rows.job("late", 1, 1), ME)).isEqualTo(full);
    }

    @Test
    void anEstimateIsTheForecastOfTheMoment() {
        assertThat(intake.estimate(Rows.job("fits", 3, 2, "h100"), new Actor.Caller("anna")))
                .hasValueSatisfying(estimate -> assertThat(estimate.fitsNow()).isTrue());
        assertThat(intake.estimate(Rows.job("big", 9, 2, "h100"), new Actor.Caller("anna")))
                .hasValueSatisfying(estimate -> {
                    assertThat(estimate.couldEverRun()).isFalse();
                    assertThat(estimate.position()).isEqualTo(1);
                    assertThat(estimate.reason().code()).isEqualTo(ReasonCode.WAITING_FOR_CAPACITY);
                });
        assertThat(stored).isEmpty();
    }

    @Test
    void nobodyEstimatesAJobThatWaitsForOthersOrNamesWhatIsNotThere() {
        JobSpec child = Rows.job("child", 1, 1).after(List.of(new JobId(new UUID(1, 1))));
        assertThat(intake.estimate(child, new Actor.Caller("anna"))).isEmpty();
        assertThat(intake.estimate(Rows.job("odd", 1, 1, "x1"), new Actor.Caller("anna")))
                .isEmpty();
    }

    @Test
    void anEstimateThatFailsIsUnknownAndNoError() {
        JobIntake broken = new JobIntake(
                new Book(),
                cursor -> {
                    throw new IllegalStateException("away");
                },
                new OneQueue(),
                Rows.LEVELS,
                new FirstFit());
        assertThat(broken.estimate(Rows.job("any", 1, 1), new Actor.Caller("anna")))
                .isEmpty();
    }

    @Test
    void aDryRunNamesAnUnknownQueue() {
        JobSpec spec = Rows.job("lost", 1, 1);
        JobSpec elsewhere =
                new JobSpec("lost", "nowhere", spec.lane(), 0, spec.podSets(), spec.topology(), 60, 30, 0, Map.of());
        assertThat(intake.dryRun(List.of(elsewhere), ME).get(0).violations())
                .containsExactly(new Violation("queue", "there is no queue \"nowhere\"; give one of team"));
    }

    private Changes since(@Nullable String cursor) {
        readings++;
        Changes changes = next;
        next = Rows.nothing(changes.nowMicros() + 1);
        return changes;
    }

    private static Submission submission(JobSpec... specs) {
        return new Submission(ME, null, "h", List.of(specs), ids -> new byte[0]);
    }

    private final class Book implements JobBook {
        @Override
        public Submitted submit(Submission submission) {
            stored.add(submission);
            return new Submitted.Stored(new byte[0], false);
        }

        @Override
        public List<List<Violation>> closed(List<JobSpec> specs, Actor.Caller caller) {
            return specs.stream()
                    .map(spec -> closed.getOrDefault(spec.name(), List.of()))
                    .toList();
        }

        @Override
        public Steered suspend(JobId job, @Nullable Long version, Actor.Caller caller) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Steered change(JobId job, UnaryOperator<JobSpec> patch, @Nullable Long version, Actor.Caller caller) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Steered scale(
                JobId job, @Nullable String podSet, int count, @Nullable Long version, Actor.Caller caller) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Steered resume(JobId job, @Nullable Long version, Actor.Caller caller) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Steered stop(JobId job, EndCause cause, @Nullable Long version, Actor.Caller caller) {
            throw new UnsupportedOperationException("the intake stops nothing");
        }
    }

    private static final class OneQueue implements QueueQueries {
        @Override
        public Page<QueueView> queues(PageRequest page) {
            return new Page<>(List.of(queue("team").orElseThrow()), null);
        }

        @Override
        public Optional<QueueView> queue(String idOrPath) {
            return idOrPath.equals("team")
                    ? Optional.of(new QueueView(
                            7,
                            "team",
                            null,
                            true,
                            QueueRules.PLAIN,
                            0,
                            Quotas.NONE,
                            Map.of(),
                            PastShare.NONE,
                            0,
                            0,
                            LimitUse.NONE))
                    : Optional.empty();
        }

        @Override
        public List<LaneView> lanes() {
            return List.of();
        }
    }
}
