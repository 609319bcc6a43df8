package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.tutti.allocator.Plan;
import dev.tutti.control.PlanId;
import dev.tutti.control.QueueBook;
import dev.tutti.control.read.AttemptView;
import dev.tutti.control.read.BrokenCursor;
import dev.tutti.control.read.JobFilter;
import dev.tutti.control.read.JobQueries;
import dev.tutti.control.read.JobView;
import dev.tutti.control.read.MemberView;
import dev.tutti.control.read.MemberView.HeldDevice;
import dev.tutti.control.read.Page;
import dev.tutti.control.read.PageRequest;
import dev.tutti.control.read.PlaceView;
import dev.tutti.model.JobId;
import dev.tutti.model.NodeId;
import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quotas;
import dev.tutti.store.work.AttemptRows;
import dev.tutti.store.work.SqlJobQueries;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlJobQueriesTest extends QueriesContract {

    private static final JobFilter ANY = new JobFilter(null, Set.of(), null, Map.of(), null, false);
    private static final PageRequest FIRST = new PageRequest(500, null);

    private JpaRepositories jpa;
    private JobQueries queries;

    @BeforeEach
    void openQueries() {
        jpa = new JpaRepositories(sql().database());
        queries = new SqlJobQueries(sql().transactions(), SqlStore.LEVELS, jpa.repository(AttemptRows.class));
    }

    @AfterEach
    void closeQueries() {
        jpa.close();
    }

    @Test
    void aJobShowsWhereItIsByFlavorAndDomain() {
        nodes(3);
        JobId wide = submit(job("wide", 3, 2));
        commit(place(
                wide,
                waiting(wide).version(),
                List.of(pod(wide, 0, "n0", 0, 1), pod(wide, 1, "n1", 0, 1), pod(wide, 2, "n1", 2, 3))));

        assertThat(queries.places(wide))
                .containsExactly(new PlaceView("berlin", "h100", List.of("zone=zone-a", "rack=rack-1"), 2, 3, 6_000));
        see(wide, MemberPhase.RUNNING, null);
        assertThat(queries.places(wide)).hasSize(1);
        assertThat(queries.places(submit(job("waits", 1, 1)))).isEmpty();
    }

    @Test
    void aJobShowsWhenAndWhereItIsPlannedToStart() {
        nodes(2);
        JobId planned = submit(job("planned", 2, 1));
        JobId other = submit(job("other", 1, 1));
        List<NodeId> both = List.of(node("n0").id(), node("n1").id());
        long start = 1_800_000_000_123_456L;

        store.ledger().show(List.of(new Plan.Reservation(planned, start, both, 2_000)), leader);

        assertThat(queries.job(planned).orElseThrow().reservation())
                .isEqualTo(new JobView.Reservation(
                        Instant.parse("2027-01-15T08:00:00.123456Z"), List.of("n0", "n1"), 2_000));
        assertThat(queries.job(other).orElseThrow().reservation()).isNull();

        store.ledger().show(List.of(new Plan.Reservation(other, start - 123_456, both.subList(1, 2), 1_000)), leader);

        assertThat(queries.job(planned).orElseThrow().reservation()).isNull();
        assertThat(queries.job(other).orElseThrow().reservation())
                .isEqualTo(new JobView.Reservation(Instant.parse("2027-01-15T08:00:00Z"), List.of("n1"), 1_000));

        store.ledger().show(List.of(), leader);

        assertThat(queries.job(other).orElseThrow().reservation()).isNull();
    }

    @Test
    void aJobThatDoesNotWaitShowsNoPlan() {
        nodes(1);
        JobId job = submit(job("one", 1, 1));
        Plan.Reservation planned = new Plan.Reservation(
                job, 1_800_000_000_000_000L, List.of(node("n0").id()), 1_000);
        store.ledger().show(List.of(planned), leader);
        commit(place(job, "n0", 0));

        assertThat(queries.job(job).orElseThrow().reservation()).as("it runs").isNull();

        store.ledger().show(List.of(planned), leader);
        assertThat(queries.job(job).orElseThrow().reservation()).isNull();
    }

    @Test
    void aJobIsReadAsItWasAskedForWithItsVerdictAndItsPlace() {
        JobSpec spec = job("中文 🚀", 2, 250);
        JobId id = submit(spec);

        JobView view = queries.job(id).orElseThrow();

        assertThat(view.spec()).isEqualTo(spec);
        assertThat(view.queuePath()).isEqualTo("default");
        assertThat(view.state()).isEqualTo(JobState.QUEUED);
        assertThat(view.reason()).extracting(Reason::code).isEqualTo(ReasonCode.NOT_YET_EVALUATED);
        assertThat(view.reasonSince()).isEqualTo(view.submittedAt());
        assertThat(view.position()).isEqualTo(1);
        assertThat(view.submittedBy()).isEqualTo("anna");
        assertThat(view.cause()).isNull();
        assertThat(queries.job(new JobId(UUID.randomUUID()))).isEmpty();
    }

    @Test
    void positionsFollowLaneThenPriorityThenAge() {
        JobId red = submit(lane("red", Lane.RED, 9));
        JobId yellowOld = submit(lane("old", Lane.YELLOW, 1));
        JobId yellowNew = submit(lane("new", Lane.YELLOW, 1));
        JobId yellowStrong = submit(lane("strong", Lane.YELLOW, 2));
        JobId green = submit(lane("green", Lane.GREEN, 0));

        assertThat(List.of(green, yellowStrong, yellowOld, yellowNew, red))
                .extracting(id -> queries.job(id).orElseThrow().position())
                .containsExactly(1L, 2L, 3L, 4L, 5L);
        store.jobs().stop(green, EndCause.CANCELLED_BY_USER, null, ANNA);
        assertThat(queries.job(green).orElseThrow().position()).isNull();
        assertThat(queries.jobs(ANY, FIRST).items())
                .extracting(JobView::position)
                .containsExactly(4L, 2L, 3L, 1L, null);
    }

    @Test
    void pagesShowEveryJobOnceInOrderForwardsAndBackwards() {
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            ids.addAll(submitAll(
                    IntStream.range(0, 3).mapToObj(n -> job("j" + n, 1, 1)).toList()));
        }
        assertThat(walk(ANY, 4)).containsExactlyElementsOf(ids);
        List<JobId> backwards = new ArrayList<>(ids);
        Collections.reverse(backwards);
        assertThat(walk(new JobFilter(null, Set.of(), null, Map.of(), null, true), 4))
                .containsExactlyElementsOf(backwards);
        assertThat(walk(ANY, 21)).hasSize(21);
    }

    @Test
    void jobsOfARemovedQueueAreFoundByItsPathAndItsId() {
        QueueBook.Changed made = store.queues().create("team", Quotas.NONE, QueueRules.PLAIN, ANNA);
        JobId old = submit(job("old", "team", 1, 1, 0));
        String id = waiting(old).queue().toString();
        store.jobs().stop(old, EndCause.CANCELLED_BY_USER, null, ANNA);
        long version = sql().queueQueries().queue("team").orElseThrow().version();
        assertThat(store.queues().remove(Long.parseLong(id), version, ANNA)).hasSameClassAs(made);
        assertThat(sql().queueQueries().queue("team")).isEmpty();

        assertThat(list(filter("team"))).containsExactly(old);
        assertThat(list(filter(id))).containsExactly(old);

        store.queues().create("team", Quotas.NONE, QueueRules.PLAIN, ANNA);
        JobId fresh = submit(job("fresh", "team", 1, 1, 0));
        assertThat(list(filter("team"))).as("both say that their queue is team").containsExactly(old, fresh);
        assertThat(list(filter(id))).containsExactly(old);
    }

    @Test
    void filtersShowWhatTheySay() {
        store.queues().create("research", Quotas.NONE, QueueRules.PLAIN, ANNA);
        store.queues().create("research/llm", Quotas.NONE, QueueRules.PLAIN, ANNA);
        store.queues().create("research/vision", Quotas.NONE, QueueRules.PLAIN, ANNA);
        JobId llm = submit(job("llm", "research/llm", 1, 1, 0));
        JobId vision = submit(job("vision", "research/vision", 1, 1, 0));
        JobId other = submit(lane("other", Lane.RED, 0));
        store.jobs().stop(vision, EndCause.CANCELLED_BY_USER, null, ANNA);

        assertThat(list(filter("research"))).containsExactly(llm, vision);
        assertThat(list(filter("research/llm"))).containsExactly(llm);
        assertThat(list(filter(waiting(llm).queue().toString()))).containsExactly(llm);
        assertThat(list(filter("nowhere"))).isEmpty();
        assertThat(list(new JobFilter(null, Set.of(JobState.CANCELLED), null, Map.of(), null, false)))
                .containsExactly(vision);
        assertThat(list(new JobFilter(null, Set.of(JobState.QUEUED, JobState.RUNNING), null, Map.of(), null, false)))
                .containsExactly(llm, other);
        assertThat(list(new JobFilter(null, Set.of(), Lane.RED, Map.of(), null, false)))
                .containsExactly(other);
        assertThat(list(new JobFilter(null, Set.of(), null, Map.of("team", "nlp"), null, false)))
                .containsExactly(llm, vision, other);
        assertThat(list(new JobFilter(null, Set.of(), null, Map.of("team", "cv"), null, false)))
                .isEmpty();
        var since = queries.job(other).orElseThrow().submittedAt();
        assertThat(list(new JobFilter(null, Set.of(), null, Map.of(), since, false)))
                .containsExactly(other);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "not a cursor!", "AAAAAAAAAAAAAAAA", "é"})
    void nonsenseIsNoCursor(String cursor) {
        assertThatThrownBy(() -> queries.jobs(ANY, new PageRequest(1, cursor))).isInstanceOf(BrokenCursor.class);
        assertThatThrownBy(() -> queries.members(new JobId(UUID.randomUUID()), new PageRequest(1, cursor)))
                .isInstanceOf(BrokenCursor.class);
    }

    @Test
    void aCursorOfAnotherListIsNoCursor() {
        submitAll(List.of(job("a", 1, 1), job("b", 1, 1)));
        String cursor = queries.jobs(ANY, new PageRequest(1, null)).next();
        assertThat(cursor).isNotNull();
        JobFilter other = new JobFilter(null, Set.of(JobState.QUEUED), null, Map.of(), null, false);
        assertThatThrownBy(() -> queries.jobs(other, new PageRequest(1, cursor)))
                .isInstanceOf(BrokenCursor.class);
        String changed = (cursor.charAt(0) == 'A' ? 'B' : 'A') + cursor.substring(1);
        assertThatThrownBy(() -> queries.jobs(ANY, new PageRequest(1, changed))).isInstanceOf(BrokenCursor.class);
    }

    @Test
    void aMemberShowsItsInstanceAlsoAfterItsEnd() {
        nodes(1);
        JobId job = submit(mig("slice", 1, "3g.40gb"));
        commit(cut(job, "n0", 2, 4));
        see(job, MemberPhase.SUCCEEDED, null);

        assertThat(queries.members(job, FIRST).items())
                .singleElement()
                .satisfies(member -> assertThat(member.devices())
                        .extracting(HeldDevice::index, HeldDevice::milli, HeldDevice::mig)
                        .containsExactly(tuple(2, 500, new MigInstance("3g.40gb", 4, 4))));
    }

    @Test
    void membersShowWhatTheyHoldAndHeld() {
        nodes(1);
        JobId job = submit(job("gang", 2, 2));
        commit(place(job, 0, List.of(pod(job, 0, "n0", 0, 1), pod(job, 1, "n0", 4, 6))));
        see(job, MemberPhase.RUNNING, null);

        Page<MemberView> first = queries.members(job, new PageRequest(1, null));
        Page<MemberView> second = queries.members(job, new PageRequest(1, first.next()));

        assertThat(first.items()).hasSize(1);
        assertThat(second.next()).isNull();
        MemberView member = second.items().get(0);
        assertThat(member.rank()).isEqualTo(1);
        assertThat(member.phase()).isEqualTo(MemberPhase.RUNNING);
        assertThat(member.cluster()).isEqualTo("berlin");
        assertThat(member.node()).isEqualTo("n0");
        assertThat(member.domains()).containsExactly("zone=zone-a", "rack=rack-1");
        assertThat(member.devices()).extracting(HeldDevice::index).containsExactly(4, 6);
        assertThat(member.devices()).extracting(HeldDevice::uuid).containsExactly("n0-gpu4", "n0-gpu6");
        assertThat(member.devices()).extracting(HeldDevice::island).containsExactly(1, 1);
        assertThat(member.releasedAt()).isNull();

        see(job, MemberPhase.SUCCEEDED, null);
        assertThat(queries.members(job, FIRST).items())
                .hasSize(2)
                .allMatch(one -> one.releasedAt() != null && one.devices().size() == 2);
    }

    @Test
    void aVictimSaysForWhomItStopsAndItsRunForWhomItStopped() {
        nodes(1);
        JobId victim = submit(job("victim", 1, 2));
        commit(place(victim, "n0", 0, 1));
        JobId urgent = submit(job("urgent", 1, 8));
        Plan.Eviction eviction =
                new Plan.Eviction(victim, run(victim).version(), List.of(), urgent, EndCause.PREEMPTED);
        store.ledger()
                .commit(new PlanId(UUID.randomUUID()), new Plan(1, List.of(), List.of(), List.of(eviction)), leader);

        assertThat(queries.job(victim).orElseThrow().state()).isEqualTo(JobState.STOPPING);
        assertThat(queries.job(victim).orElseThrow().cause()).isEqualTo(EndCause.PREEMPTED);
        assertThat(queries.job(victim).orElseThrow().stoppingFor()).isEqualTo(urgent);
        assertThat(queries.attempts(victim)).allMatch(one -> one.stoppedFor() == null);

        see(victim, MemberPhase.GONE, EndCause.PREEMPTED);

        assertThat(queries.job(victim).orElseThrow().state()).isEqualTo(JobState.QUEUED);
        assertThat(queries.job(victim).orElseThrow().stoppingFor()).isNull();
        assertThat(queries.attempts(victim)).singleElement().satisfies(one -> {
            assertThat(one.cause()).isEqualTo(EndCause.PREEMPTED);
            assertThat(one.stoppedFor()).isEqualTo(urgent);
        });
    }

    @Test
    void attemptsAreShownNewestFirst() {
        nodes(1);
        JobId job = submit(job("again", 1, 2));
        commit(place(job, "n0", 0, 1));
        see(job, MemberPhase.RUNNING, null);
        stop(job, EndCause.PREEMPTED);
        see(job, MemberPhase.GONE, EndCause.PREEMPTED);
        commit(place(job, "n0", 2, 3));

        List<AttemptView> attempts = queries.attempts(job);

        assertThat(attempts).extracting(AttemptView::number).containsExactly(2, 1);
        assertThat(attempts.get(0).endedAt()).isNull();
        assertThat(attempts.get(0).startedAt()).isNull();
        assertThat(attempts.get(1).cause()).isEqualTo(EndCause.PREEMPTED);
        assertThat(attempts.get(1).startedAt()).isNotNull();
        assertThat(attempts.get(1).endedAt()).isNotNull();
        assertThat(attempts).allMatch(one -> one.members() == 1 && one.gpuMilli() == 2_000);
    }

    @Test
    void timesTellTheJobsLife() {
        nodes(1);
        JobId job = submit(job("life", 1, 1));
        store.advance(Duration.ofSeconds(10));
        commit(place(job, "n0", 0));
        store.advance(Duration.ofSeconds(10));
        see(job, MemberPhase.RUNNING, null);
        store.advance(Duration.ofSeconds(10));
        see(job, MemberPhase.SUCCEEDED, null);

        JobView view = queries.job(job).orElseThrow();

        assertThat(view.cause()).isEqualTo(EndCause.COMPLETED);
        assertThat(view.submittedAt()).isBefore(view.allocatedAt());
        assertThat(view.allocatedAt()).isBefore(view.startedAt());
        assertThat(view.startedAt()).isBefore(view.endedAt());
        assertThat(view.reason()).isNull();
    }

    private List<JobId> walk(JobFilter filter, int limit) {
        List<JobId> seen = new ArrayList<>();
        String cursor = null;
        do {
            Page<JobView> page = queries.jobs(filter, new PageRequest(limit, cursor));
            assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
            page.items().forEach(view -> seen.add(view.id()));
            cursor = page.next();
        } while (cursor != null);
        return seen;
    }

    private List<JobId> list(JobFilter filter) {
        return queries.jobs(filter, FIRST).items().stream().map(JobView::id).toList();
    }

    private static JobFilter filter(String queue) {
        return new JobFilter(queue, Set.of(), null, Map.of(), null, false);
    }

    private static JobSpec lane(String name, Lane lane, int priority) {
        JobSpec spec = job(name, 1, 1);
        return new JobSpec(
                name,
                spec.queue(),
                lane,
                priority,
                spec.podSets(),
                spec.topology(),
                null,
                spec.graceSeconds(),
                spec.maxFailures(),
                spec.labels());
    }
}
