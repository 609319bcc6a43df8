package dev.tutti.simulation;

import dev.tutti.control.Actor;
import dev.tutti.control.JobBook;
import dev.tutti.model.JobId;
import dev.tutti.model.job.DisruptionBudget;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.NicRequest;
import dev.tutti.model.job.NodeRules;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.Preemption;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.testkit.Truth;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Submits jobs, asks again under the same key when no answer came, and cancels, suspends and resumes some, at the worst moments too. */
final class Users {

    private static final Actor.Caller CALLER = new Actor.Caller("user");
    private static final List<String> PROFILES =
            List.of("1g.10gb", "1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb");
    private static final List<String> QUEUES = List.of("free", "free", "team/a", "team/b", "lab");
    private final World world;
    private final JobBook book;
    private final List<Wanted> wanted = new ArrayList<>();
    private final List<Act> acts = new ArrayList<>();
    /** Apart, so that the jobs of a seed stay what they are. */
    private final Random moods;

    /** Apart again. */
    private final Random patience;

    private final Map<JobId, Wanted> mine = new HashMap<>();
    private final List<Wanted> racing = new ArrayList<>();
    private int gangs;

    private record Wanted(int number, long tick, JobSpec spec, boolean race, long cancelAfter, List<JobId> id) {}

    private record Act(long tick, JobId job, Deed deed) {}

    private enum Deed {
        CANCEL,
        SUSPEND,
        RESUME
    }

    Users(World world) {
        this.world = world;
        this.moods = new Random(~world.seed);
        this.patience = new Random(world.seed ^ 0x5DEECE66DL);
        this.book = new Wire(world, "user")
                .database(JobBook.class, world.mutant.jobBook(world.database.jobBook(), world.database));
        for (int i = 0; i < world.setting.jobs(); i++) {
            wanted.add(wanted(i, world.chance));
        }
        wanted.sort(Comparator.comparingLong(Wanted::tick).thenComparingInt(Wanted::number));
    }

    int submitted() {
        return mine.size();
    }

    /** What was asked for with a job; null before it is acknowledged. */
    @Nullable
    JobSpec spec(JobId job) {
        Wanted one = mine.get(job);
        return one == null ? null : one.spec();
    }

    int gangs() {
        return gangs;
    }

    private Wanted wanted(int number, Random chance) {
        long tick = 1 + chance.nextInt(world.setting.lastSubmit());
        long cancelAfter = chance.nextInt(100) < 12 ? chance.nextInt(60) : -1;
        return new Wanted(number, tick, spec(number, chance), chance.nextInt(100) < 12, cancelAfter, new ArrayList<>());
    }

    private JobSpec spec(int number, Random chance) {
        int kind = chance.nextInt(100);
        boolean gang = kind < 42;
        gangs += gang ? 1 : 0;
        int pods = gang ? 2 + chance.nextInt(5) : 1;
        boolean mig = kind < 42 + 23 + 22 && chance.nextInt(4) == 0;
        GpuRequest gpus = mig ? new GpuRequest.Mig(PROFILES.get(chance.nextInt(PROFILES.size()))) : gpus(kind, chance);
        String flavor = chance.nextBoolean() ? "h100" : "a100";
        boolean any = chance.nextInt(3) == 0 && !(gpus instanceof GpuRequest.Whole whole && whole.devices() > 4);
        List<String> flavors = any ? List.of(flavor, flavor.equals("h100") ? "a100" : "h100") : List.of("h100");
        int exit = chance.nextInt(12) == 0 ? 1 : 0;
        PodTemplate template =
                new PodTemplate("image", List.of(), List.of(), Map.of("SIMULATED_EXIT_CODE", Integer.toString(exit)));
        int least = gang && chance.nextInt(3) == 0 ? 1 + chance.nextInt(pods) : pods;
        NicRequest nics = chance.nextInt(4) == 0 ? NicRequest.of(1 + chance.nextInt(2)) : NicRequest.NONE;
        PodSet set = new PodSet(
                "worker",
                pods,
                least,
                gpus,
                flavors,
                500,
                1_024,
                template,
                TopologyWish.NONE,
                null,
                NodeRules.NONE,
                List.of(),
                nics);
        TopologyWish wish =
                gang ? wish(pods, Math.max(1, Math.max(gpus.devices(), 2 * nics.nics())), chance) : TopologyWish.NONE;
        String queue = QUEUES.get(chance.nextInt(QUEUES.size()));
        // A queue without quota was promised nothing, and green jobs run on promises.
        Lane lane = queue.equals("free") ? Lane.values()[1 + chance.nextInt(2)] : Lane.values()[chance.nextInt(3)];
        return new JobSpec(
                "job " + number,
                queue,
                lane,
                chance.nextInt(3),
                List.of(set),
                wish,
                5 + chance.nextInt(85),
                chance.nextInt(20),
                chance.nextInt(3),
                Map.of(),
                new TimeLimits(
                        moods.nextInt(100) < 12 ? 2 + moods.nextInt(60) : null,
                        null,
                        moods.nextInt(100) < 12 ? 5 + moods.nextInt(100) : null,
                        null,
                        any ? fallback() : null),
                moods.nextInt(100) < 8,
                List.of(),
                terms(lane));
    }

    /** How long a job that names two flavors keeps to the first; some say nothing, some do not wait. */
    private @Nullable Integer fallback() {
        return switch (patience.nextInt(6)) {
            case 0 -> null;
            case 1 -> 0;
            default -> 2 + patience.nextInt(60);
        };
    }

    private Preemption terms(Lane lane) {
        return new Preemption(
                lane != Lane.GREEN || moods.nextInt(4) > 0,
                moods.nextInt(3) == 0 ? 1 + moods.nextInt(30) : null,
                lane != Lane.RED && moods.nextInt(5) == 0
                        ? new DisruptionBudget(1 + moods.nextInt(2), 60 + moods.nextInt(100))
                        : null);
    }

    private static GpuRequest gpus(int kind, Random chance) {
        if (kind < 42 + 23) {
            return new GpuRequest.Whole(kind < 42 ? 1 + chance.nextInt(4) : 1 + chance.nextInt(8));
        }
        return kind < 42 + 23 + 22 ? new GpuRequest.Share(100 + 50 * chance.nextInt(14)) : new GpuRequest.None();
    }

    /** A wish that the fleet can grant. */
    private static TopologyWish wish(int pods, int gpus, Random chance) {
        int onOneNode = 8 / gpus;
        return switch (chance.nextInt(6)) {
            case 0 -> new TopologyWish(pods <= onOneNode ? "hostname" : "block", null);
            case 1 -> new TopologyWish(pods <= 2 * onOneNode ? "rack" : "block", null);
            case 2 -> new TopologyWish("block", "rack");
            case 3 -> new TopologyWish(null, "rack");
            default -> TopologyWish.NONE;
        };
    }

    void turn() {
        while (!wanted.isEmpty() && wanted.get(0).tick() <= world.tape.tick) {
            if (!submit(wanted.get(0))) {
                break;
            }
            wanted.remove(0);
        }
        watchForRaces();
        List<Act> due =
                acts.stream().filter(act -> act.tick() <= world.tape.tick).toList();
        due.stream().filter(this::perform).forEach(acts::remove);
    }

    private boolean submit(Wanted one) {
        try {
            JobBook.Submitted answer = book.submit(new JobBook.Submission(
                    CALLER,
                    "key-" + one.number(),
                    "hash-" + one.number(),
                    List.of(one.spec().after(parents())),
                    ids -> ids.get(0).toString().getBytes(StandardCharsets.UTF_8)));
            if (!(answer instanceof JobBook.Submitted.Stored stored)) {
                throw world.violation("I6", "job " + one.number() + " got " + answer);
            }
            JobId id = new JobId(UUID.fromString(new String(stored.answer(), StandardCharsets.UTF_8)));
            one.id().add(id);
            mine.put(id, one);
            if (one.cancelAfter() >= 0) {
                acts.add(new Act(world.tape.tick + one.cancelAfter(), id, Deed.CANCEL));
            }
            if (one.spec().suspended()) {
                acts.add(new Act(world.tape.tick + moods.nextInt(40), id, Deed.RESUME));
            } else if (moods.nextInt(100) < 15) {
                acts.add(new Act(world.tape.tick + moods.nextInt(60), id, Deed.SUSPEND));
            }
            if (one.race()) {
                racing.add(one);
            }
            return true;
        } catch (Away away) {
            return false;
        }
    }

    /** Now and then some job that was acknowledged before, whatever became of it. */
    private List<JobId> parents() {
        return mine.isEmpty() || moods.nextInt(100) >= 10
                ? List.of()
                : List.of(mine.keySet().stream()
                        .sorted()
                        .skip(moods.nextInt(mine.size()))
                        .findFirst()
                        .orElseThrow());
    }

    /** A job that is seen running is cancelled just when it should end. */
    private void watchForRaces() {
        if (racing.isEmpty()) {
            return;
        }
        Map<JobId, JobState> states = world.states;
        racing.removeIf(one -> {
            JobId id = one.id().get(0);
            if (states.get(id) == JobState.RUNNING) {
                Integer seconds = one.spec().expectedRuntimeSeconds();
                long end = world.tape.tick + (seconds == null ? 0 : seconds);
                acts.add(new Act(end - 2 + world.chance.nextInt(4), id, Deed.CANCEL));
                world.tape.count(Fault.CANCEL_RACES_END, id.toString());
            }
            JobState state = states.getOrDefault(id, JobState.QUEUED);
            return state != JobState.QUEUED && state != JobState.ALLOCATED;
        });
    }

    /** Whether it need not be tried again. Who suspended a job resumes it, at once or later. */
    private boolean perform(Act act) {
        try {
            JobBook.Steered answer = switch (act.deed()) {
                case CANCEL -> book.stop(act.job(), EndCause.CANCELLED_BY_USER, null, CALLER);
                case SUSPEND -> book.suspend(act.job(), null, CALLER);
                case RESUME -> book.resume(act.job(), null, CALLER);
            };
            if (answer instanceof JobBook.Steered.Now now && now.changed()) {
                world.tape.count(fault(act.deed(), now.state()), act.job().toString());
            }
            if (act.deed() == Deed.SUSPEND) {
                acts.add(new Act(world.tape.tick + moods.nextInt(50), act.job(), Deed.RESUME));
            }
            return !(answer instanceof JobBook.Steered.Stale);
        } catch (Away away) {
            return false;
        }
    }

    private static Fault fault(Deed deed, JobState state) {
        boolean stopping = state == JobState.STOPPING;
        return switch (deed) {
            case CANCEL -> Fault.CANCELLED;
            case SUSPEND -> stopping ? Fault.SUSPENDED_WHILE_LIVE : Fault.SUSPENDED;
            case RESUME -> stopping ? Fault.RESUMED_WHILE_STOPPING : Fault.RESUMED;
        };
    }

    /** I5 and I6: every acknowledged job is there, and there are no others. */
    void checkNoneLost(Map<JobId, JobState> states) {
        for (JobId id : mine.keySet()) {
            if (!states.containsKey(id)) {
                throw world.violation("I5", "job " + id + " was acknowledged and is not there");
            }
        }
    }

    /** I12: what is live depends on nothing that has not succeeded. */
    void checkParents(List<Truth.Job> live) {
        for (Truth.Job job : live) {
            for (JobId parent : world.database.truth().parents(job.id())) {
                if (world.states.get(parent) != JobState.SUCCEEDED) {
                    throw world.violation(
                            "I12", job.id() + " is " + job.state() + ", its parent " + world.states.get(parent));
                }
            }
        }
    }

    void checkNoneTwice(Map<JobId, JobState> states) {
        if (states.size() != mine.size()) {
            throw world.violation("I6", states.size() + " jobs are stored, " + mine.size() + " were submitted");
        }
    }

    boolean allEnded() {
        return wanted.isEmpty() && world.states.values().stream().allMatch(JobState::isFinal);
    }

    List<JobId> notEnded() {
        return world.states.entrySet().stream()
                .filter(entry -> !entry.getValue().isFinal())
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }
}
