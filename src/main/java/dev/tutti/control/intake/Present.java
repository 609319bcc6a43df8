package dev.tutti.control.intake;

import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.control.view.ChangeFeed;
import dev.tutti.control.view.FleetMirror;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.job.JobSpec;
import java.util.List;

/**
 * What is there now, for the doors: a mirror of its own, so that every replica can forecast, leading or not.
 *
 * <p>Safe for many threads: the mirror is used under one lock, and names that are known are looked up without it.
 */
public final class Present {

    private final ChangeFeed feed;
    private final FleetMirror mirror;
    private final Object lock = new Object();
    private volatile List<String> flavors = List.of();

    public Present(ChangeFeed feed, TopologyLevels levels) {
        this.feed = feed;
        this.mirror = new FleetMirror(levels);
    }

    /**
     * What the engine is asked about.
     *
     * @param snapshot capacity, quota and use
     * @param waiting every job that waits, and running ones that want more pods
     * @param running jobs that hold capacity
     * @param nowMicros the database's time of it, in microseconds since 1970
     */
    public record State(Snapshot snapshot, List<WaitingJob> waiting, List<RunningJob> running, long nowMicros) {}

    /** Everything as it is now. */
    public State state() {
        synchronized (lock) {
            read();
            return new State(
                    mirror.snapshot(),
                    List.copyOf(mirror.book().jobs()),
                    List.copyOf(mirror.running().jobs()),
                    mirror.nowMicros());
        }
    }

    /** The same for forecasts. */
    Forecaster.Basis basis() {
        synchronized (lock) {
            read();
            return new Forecaster.Basis(
                    mirror.snapshot(),
                    mirror.emptySnapshot(),
                    mirror.waiting(),
                    List.copyOf(mirror.running().jobs()),
                    mirror.nowMicros());
        }
    }

    /**
     * Asks the feed, once for all jobs, when they name a flavor not known yet. Flavors never go away, so known ones need
     * no reading; and a batch of unknown names costs no more than one.
     */
    void hearOfNewFlavors(List<JobSpec> specs) {
        boolean allKnown = specs.stream()
                .flatMap(spec -> spec.podSets().stream())
                .flatMap(podSet -> podSet.flavors().stream())
                .allMatch(flavors::contains);
        if (!allKnown) {
            synchronized (lock) {
                read();
            }
        }
    }

    /** The flavors known so far, in order. */
    List<String> flavors() {
        return flavors;
    }

    private void read() {
        mirror.take(feed.since(mirror.cursor()));
        flavors = mirror.knownFlavors();
    }
}
