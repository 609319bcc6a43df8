package dev.tutti.simulation;

import dev.tutti.control.Actor;
import dev.tutti.control.BindOutbox;
import dev.tutti.control.BindTask;
import dev.tutti.control.ClusterGateway;
import dev.tutti.control.ClusterGateway.Outcome;
import dev.tutti.control.FleetBook;
import dev.tutti.control.JobBook;
import dev.tutti.control.Ledger;
import dev.tutti.control.PodOrder;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobLife;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.MemberFact;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.testkit.Ports;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Rules broken on purpose, in test code only: each must be caught. */
enum Mutants implements Mutant {
    /** Devices are free as soon as somebody wants the job to stop. */
    FREE_ON_INTENT {
        @Override
        public Ledger ledger(Ledger real, Database database) {
            return releasing(real, after -> after.state() == JobState.STOPPING, phase -> !phase.isReleased());
        }

        @Override
        public JobBook jobBook(JobBook real, Database database) {
            return Ports.around(JobBook.class, real, (method, call) -> {
                Object answer = call.call();
                if (List.of("stop", "suspend").contains(method.getName())) {
                    Ledger ledger = database.ledger();
                    JobId job = (JobId) call.arguments()[0];
                    for (JobRun run : ledger.runs(List.of(job))) {
                        JobRun freed = released(run, phase -> !phase.isReleased());
                        ledger.apply(List.of(new Ledger.Change(run, freed)), (Actor.Caller)
                                call.arguments()[call.arguments().length - 1]);
                    }
                }
                return answer;
            });
        }
    },
    /** A pod that is gone without a word is taken for ended. */
    LOST_IS_GONE {
        @Override
        public Ledger ledger(Ledger real, Database database) {
            return releasing(real, after -> true, phase -> phase == MemberPhase.LOST);
        }
    },
    /** A pod whose deletion was asked for is taken for ended. */
    DELETED_IS_ENDED {
        @Override
        public BindOutbox outbox(BindOutbox real, Database database) {
            return forgetful(real, task -> task.wish() == BindTask.Wish.DELETE);
        }

        @Override
        public ClusterGateway gateway(ClusterGateway real) {
            return new Bent(real) {
                @Override
                public Outcome delete(String name, String uid) {
                    Outcome outcome = super.delete(name, uid);
                    return outcome instanceof Outcome.Done ? new Outcome.RemovedUnbound() : outcome;
                }
            };
        }
    },
    /** Nobody remembers that a bind whose answer never came may have worked. */
    FORGETS_BINDS {
        @Override
        public BindOutbox outbox(BindOutbox real, Database database) {
            return forgetful(real, task -> true);
        }
    },
    /** Whatever pod has the name is bound and believed: neither UID, version nor owner are looked at. */
    BINDS_UNSEEN {
        @Override
        public ClusterGateway gateway(ClusterGateway real) {
            return new Bent(real) {
                @Override
                public Outcome create(PodOrder order) {
                    Outcome outcome = super.create(order);
                    return outcome instanceof Outcome.Exists exists
                            ? new Outcome.Done(own(exists.pod(), order))
                            : outcome;
                }

                @Override
                public Outcome bind(PodSighting pod, PodOrder order, long term) {
                    Outcome now = super.read(pod.name());
                    if (!(now instanceof Outcome.Done done)) {
                        return now;
                    }
                    return done.pod().node() == null
                            ? super.bind(done.pod(), order, term)
                            : new Outcome.Done(own(done.pod(), order));
                }
            };
        }

        private PodSighting own(PodSighting pod, PodOrder order) {
            return new PodSighting(
                    pod.name(),
                    pod.uid(),
                    pod.resourceVersion(),
                    order.allocation(),
                    pod.node() == null ? null : order.node(),
                    pod.phase(),
                    pod.terminating(),
                    pod.deleted(),
                    pod.exitCode(),
                    pod.reason());
        }
    },
    /** Nobody asks in which term a write was thought of. */
    NO_TERM_CHECK {
        @Override
        public Ledger ledger(Ledger real, Database database) {
            return Ports.around(Ledger.class, real, current(database));
        }

        @Override
        public BindOutbox outbox(BindOutbox real, Database database) {
            return Ports.around(BindOutbox.class, real, current(database));
        }

        @Override
        public FleetBook fleet(FleetBook real, Database database) {
            return Ports.around(FleetBook.class, real, current(database));
        }

        private Ports.Around current(Database database) {
            return (method, call) -> {
                for (int i = 0; i < call.arguments().length; i++) {
                    if (call.arguments()[i] instanceof Actor.Leader) {
                        Object[] arguments = call.arguments().clone();
                        arguments[i] = new Actor.Leader(database.truth().term());
                        return call.with(arguments);
                    }
                }
                return call.call();
            };
        }
    },
    /** Nobody minds that a gang is not bound whole. */
    NO_WATCHDOG {
        @Override
        public Ledger ledger(Ledger real, Database database) {
            return Ports.around(
                    Ledger.class,
                    real,
                    (method, call) -> method.getName().equals("unboundFor") ? List.of() : call.call());
        }
    },
    /** A cluster that does not answer is taken for an empty one. */
    SILENCE_IS_ABSENCE {
        @Override
        public ClusterGateway gateway(ClusterGateway real) {
            return new Bent(real) {
                @Override
                public Outcome read(String name) {
                    return new Outcome.Absent();
                }
            };
        }
    };

    /** Ends members before their end is confirmed, where both say so. */
    private static Ledger releasing(Ledger real, Predicate<JobRun> when, Predicate<MemberPhase> which) {
        return Ports.around(Ledger.class, real, (method, call) -> {
            if (!method.getName().equals("apply")) {
                return call.call();
            }
            List<Ledger.Change> changes = new ArrayList<>();
            for (Object one : (Collection<?>) call.arguments()[0]) {
                Ledger.Change change = (Ledger.Change) one;
                JobRun after = when.test(change.after()) ? released(change.after(), which) : change.after();
                changes.add(new Ledger.Change(change.before(), after));
            }
            return call.with(new Object[] {changes, call.arguments()[1]});
        });
    }

    private static JobRun released(JobRun run, Predicate<MemberPhase> which) {
        return JobLife.observe(
                run,
                run.members().stream()
                        .filter(member -> which.test(member.phase()))
                        .map(member ->
                                new MemberFact(member.id(), MemberPhase.GONE, member.podUid(), EndCause.NODE_LOST))
                        .toList());
    }

    private static BindOutbox forgetful(BindOutbox real, Predicate<BindTask> what) {
        return Ports.around(BindOutbox.class, real, (method, call) -> {
            Object answer = call.call();
            return method.getName().equals("claim") ? forget(answer, what) : answer;
        });
    }

    private static List<BindTask> forget(@Nullable Object tasks, Predicate<BindTask> what) {
        List<BindTask> forgotten = new ArrayList<>();
        for (Object one : (List<?>) tasks) {
            BindTask task = (BindTask) one;
            forgotten.add(
                    what.test(task)
                            ? new BindTask(
                                    task.allocation(),
                                    task.generation(),
                                    task.wish(),
                                    task.cluster(),
                                    task.order(),
                                    task.podUid(),
                                    false,
                                    task.tries())
                            : task);
        }
        return forgotten;
    }
}
