package dev.tutti.web;

import dev.tutti.control.Actor;
import dev.tutti.control.JobBook;
import dev.tutti.control.intake.PastDeadline;
import dev.tutti.control.intake.QueueDoor;
import dev.tutti.control.intake.Scaling;
import dev.tutti.control.intake.SpecChange;
import dev.tutti.control.read.AttemptView;
import dev.tutti.control.read.JobFilter;
import dev.tutti.control.read.JobQueries;
import dev.tutti.control.read.JobView;
import dev.tutti.control.read.MemberView;
import dev.tutti.control.read.Page;
import dev.tutti.control.read.PageRequest;
import dev.tutti.control.read.PlaceView;
import dev.tutti.control.read.QueueQueries;
import dev.tutti.control.read.QueueQueries.QueueView;
import dev.tutti.model.AllocationId;
import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import dev.tutti.model.Violation;
import dev.tutti.model.fleet.NicGroup;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobLife;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Jobs in memory, by the rules that the ports promise. */
final class MemoryJobs implements JobBook, JobQueries {

    private final MemoryQueues queues;
    private final MemoryEvents events;
    private final Map<JobId, JobView> jobs = new LinkedHashMap<>();
    private final Map<String, Kept> keys = new HashMap<>();

    /** Throws what it is told to, before anything else happens. */
    volatile Supplier<RuntimeException> failure;

    volatile boolean keyBusy;

    MemoryJobs(MemoryQueues queues, MemoryEvents events) {
        this.queues = queues;
        this.events = events;
    }

    private record Kept(String bodyHash, byte[] answer) {}

    synchronized int size() {
        return jobs.size();
    }

    @Override
    public synchronized Submitted submit(Submission submission) {
        failIfTold();
        String key = submission.key() == null ? null : submission.caller().name() + " " + submission.key();
        Kept kept = key == null ? null : keys.get(key);
        if (kept != null) {
            return kept.bodyHash().equals(submission.bodyHash())
                    ? new Submitted.Stored(kept.answer(), true)
                    : new Submitted.KeyReused();
        }
        if (keyBusy && key != null) {
            return new Submitted.KeyBusy();
        }
        List<List<Violation>> violations =
                submission.specs().stream().map(this::violations).toList();
        if (!violations.stream().allMatch(List::isEmpty)) {
            return new Submitted.Refused(violations);
        }
        List<List<Violation>> closed =
                submission.specs().stream().map(this::closed).toList();
        if (!closed.stream().allMatch(List::isEmpty)) {
            return new Submitted.NotNow(closed);
        }
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < submission.specs().size(); i++) {
            ids.add(new JobId(new UUID(7, jobs.size() + i)));
        }
        List<JobSpec> specs = submission.linked(ids);
        for (int i = 0; i < ids.size(); i++) {
            add(ids.get(i), specs.get(i), submission.caller());
        }
        byte[] answer = submission.answer().apply(ids);
        if (key != null) {
            keys.put(key, new Kept(submission.bodyHash(), answer));
        }
        return new Submitted.Stored(answer, false);
    }

    @Override
    public synchronized List<List<Violation>> closed(List<JobSpec> specs, Actor.Caller caller) {
        return specs.stream().map(this::closed).toList();
    }

    private List<Violation> closed(JobSpec spec) {
        Optional<QueueView> found = queues.queue(spec.queue());
        if (found.isEmpty()) {
            return List.of();
        }
        QueueView queue = found.get();
        return QueueDoor.enter(List.of(new QueueDoor(queue.path(), queue.rules(), "", 0, 0)));
    }

    private List<Violation> violations(JobSpec spec) {
        if (!jobs.keySet().containsAll(spec.dependsOn())) {
            return List.of(new Violation("dependsOn", "there is no such job"));
        }
        Optional<QueueView> queue = queues.queue(spec.queue());
        return queue.isPresent() && queue.get().leaf()
                ? PastDeadline.of(spec, System.currentTimeMillis() * 1_000).stream()
                        .toList()
                : List.of(new Violation("queue", QueueQueries.unknown(spec.queue(), List.of("default"))));
    }

    private void add(JobId id, JobSpec spec, Actor.Caller caller) {
        QueueView queue = queues.queue(spec.queue()).orElseThrow();
        JobState state = JobLife.first(spec.suspended());
        jobs.put(
                id,
                new JobView(
                        id,
                        0,
                        new QueueId(queue.id()),
                        queue.path(),
                        head(spec),
                        spec,
                        state,
                        spec.suspended(),
                        reason(state),
                        Instant.EPOCH,
                        null,
                        null,
                        0,
                        0,
                        1L,
                        null,
                        caller.name(),
                        Instant.EPOCH,
                        null,
                        null,
                        null));
        events.add("job.submitted", id.toString(), "{\"name\":\"x\"}");
    }

    @Override
    public synchronized Steered stop(JobId id, EndCause cause, Long version, Actor.Caller caller) {
        return steer(id, version, false, run -> JobLife.stop(run, cause));
    }

    @Override
    public synchronized Steered suspend(JobId id, Long version, Actor.Caller caller) {
        return steer(id, version, true, JobLife::suspend);
    }

    @Override
    public synchronized Steered resume(JobId id, Long version, Actor.Caller caller) {
        return steer(id, version, true, JobLife::resume);
    }

    @Override
    public synchronized Steered change(JobId id, UnaryOperator<JobSpec> patch, Long version, Actor.Caller caller) {
        JobView job = jobs.get(id);
        Steered asked = steer(id, version, true, run -> run);
        if (!(asked instanceof Steered.Now)) {
            return asked;
        }
        SpecChange change = new SpecChange(job.spec(), patch.apply(job.spec()));
        Optional<Violation> never = change.never(System.currentTimeMillis() * 1_000);
        if (never.isPresent() || change.notNow(job.state()).isPresent()) {
            return never.isPresent()
                    ? new Steered.Refused(never.get(), false)
                    : new Steered.Refused(change.notNow(job.state()).get(), true);
        }
        if (change.isEmpty()) {
            return asked;
        }
        jobs.put(id, in(job, change.after(), job.state(), job.cause()));
        return new Steered.Now(job.state(), job.version() + 1, true);
    }

    @Override
    public synchronized Steered scale(JobId id, String podSet, int count, Long version, Actor.Caller caller) {
        JobView job = jobs.get(id);
        Steered asked = steer(id, version, true, run -> run);
        if (!(asked instanceof Steered.Now)) {
            return asked;
        }
        JobRun run =
                new JobRun(id, job.version(), job.state(), job.cause(), job.suspend(), job.attempt(), 0, 0, List.of());
        Scaling scaling = Scaling.of(job.spec(), run, podSet, count);
        if (scaling.notNow().isPresent()) {
            return new Steered.Refused(scaling.notNow().get(), true);
        }
        if (scaling.isEmpty()) {
            return asked;
        }
        jobs.put(id, in(job, scaling.after(), job.state(), job.cause()));
        return new Steered.Now(job.state(), job.version() + 1, true);
    }

    /** Jobs here have no members, so whatever stops has stopped. */
    private Steered steer(JobId id, Long version, boolean mustComeBack, UnaryOperator<JobRun> rule) {
        failIfTold();
        JobView job = jobs.get(id);
        if (job == null) {
            return new Steered.NotFound();
        }
        if (version != null && job.version() != version) {
            return new Steered.Stale(job.version());
        }
        JobRun before =
                new JobRun(id, job.version(), job.state(), job.cause(), job.suspend(), job.attempt(), 0, 0, List.of());
        if (mustComeBack && !JobLife.comesBack(before)) {
            return new Steered.Over(job.state(), job.cause());
        }
        JobRun after = rule.apply(before);
        if (after.equals(before)) {
            return new Steered.Now(job.state(), job.version(), false);
        }
        jobs.put(id, in(job, after.state(), after.stopping()));
        return new Steered.Now(after.state(), job.version() + 1, true);
    }

    /** Lets the job run on one node. */
    synchronized void run(JobId id) {
        jobs.put(id, in(jobs.get(id), JobState.RUNNING, null));
    }

    private static JobView in(JobView job, JobState state, EndCause cause) {
        return in(job, job.spec(), state, cause);
    }

    private static JobView in(JobView job, JobSpec spec, JobState state, EndCause cause) {
        return new JobView(
                job.id(),
                job.version() + 1,
                job.queue(),
                job.queuePath(),
                head(spec),
                spec,
                state,
                state == JobState.SUSPENDED,
                reason(state),
                null,
                cause,
                null,
                1,
                0,
                null,
                null,
                job.submittedBy(),
                job.submittedAt(),
                Instant.EPOCH,
                Instant.EPOCH,
                state.isFinal() ? Instant.EPOCH : null);
    }

    private static JobView.Head head(JobSpec spec) {
        return new JobView.Head(spec.name(), spec.lane(), spec.priority(), spec.maxFailures());
    }

    private static Reason reason(JobState state) {
        return switch (state) {
            case QUEUED -> new Reason(ReasonCode.NOT_YET_EVALUATED, null, 0, 0, "not looked at yet");
            case SUSPENDED -> new Reason(ReasonCode.SUSPENDED, null, 0, 0, "suspended");
            default -> null;
        };
    }

    @Override
    public synchronized Optional<JobView> job(JobId id) {
        failIfTold();
        return Optional.ofNullable(jobs.get(id));
    }

    @Override
    public synchronized Page<JobView> jobs(JobFilter filter, PageRequest page) {
        failIfTold();
        List<JobView> found = new ArrayList<>(jobs.values().stream()
                .filter(job -> filter.queue() == null || job.queuePath().equals(filter.queue()))
                .filter(job -> filter.states().isEmpty() || filter.states().contains(job.state()))
                .filter(job -> filter.lane() == null || job.spec().lane() == filter.lane())
                .filter(job -> job.spec()
                        .labels()
                        .entrySet()
                        .containsAll(filter.labels().entrySet()))
                .toList());
        if (filter.newestFirst()) {
            Collections.reverse(found);
        }
        return MemoryPages.page(found, page, job -> job.id().toString());
    }

    @Override
    public synchronized Page<MemberView> members(JobId id, PageRequest page) {
        JobView job = jobs.get(id);
        List<MemberView> members = new ArrayList<>();
        for (int rank = 0; job.state() == JobState.RUNNING && rank < job.spec().pods(); rank++) {
            members.add(new MemberView(
                    new AllocationId(rank),
                    1,
                    "worker",
                    rank,
                    MemberPhase.RUNNING,
                    null,
                    "sim",
                    "n1",
                    "h100",
                    List.of("zone=z1", "rack=r1"),
                    "pod-" + rank,
                    "uid-" + rank,
                    List.of(new MemberView.HeldDevice(10 + rank, rank, "GPU-" + rank, 0, 1000, null)),
                    0,
                    0,
                    Instant.EPOCH,
                    null,
                    List.of(new NicGroup("rdma/hca", "pcie-0", 1))));
        }
        return MemoryPages.page(members, page, member -> Integer.toString(member.rank()));
    }

    @Override
    public synchronized List<PlaceView> places(JobId id) {
        JobView job = jobs.get(id);
        return job.state() == JobState.RUNNING
                ? List.of(new PlaceView(
                        "sim",
                        "h100",
                        List.of("zone=z1", "rack=r1"),
                        1,
                        job.spec().pods(),
                        1000L * job.spec().pods()))
                : List.of();
    }

    @Override
    public synchronized List<AttemptView> attempts(JobId id) {
        return jobs.get(id).attempt() == 0
                ? List.of()
                : List.of(new AttemptView(1, Instant.EPOCH, Instant.EPOCH, null, null, null, 1, 1000));
    }

    private void failIfTold() {
        Supplier<RuntimeException> now = failure;
        if (now != null) {
            throw now.get();
        }
    }
}
