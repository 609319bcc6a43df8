package dev.tutti.boot.cli.replay;

import dev.tutti.boot.cli.ProgressBar;
import dev.tutti.boot.cli.trace.TracePod;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import tools.jackson.databind.JsonNode;

/**
 * The replay itself: pods arrive in batches through the API; some are cancelled, some end; after every
 * batch ledger, cluster and API must agree to the last milli-GPU.
 */
final class OpenbReplay {

    private static final int CANCELS_A_BATCH = 2;

    private final ApiClient api;
    private final LedgerProbe ledger;
    private final TruthCheck truth;
    private final TraceJobs jobs;
    private final PrintStream out;
    private final int batchSize;
    private final Random random;
    private final List<String> ids = new ArrayList<>();
    private final Stopwatch submits = new Stopwatch();
    private final Stopwatch decisions = new Stopwatch();
    private final Stopwatch bindings = new Stopwatch();
    private int checks;
    private int cancels;

    OpenbReplay(
            ApiClient api,
            LedgerProbe ledger,
            TruthCheck truth,
            TraceJobs jobs,
            PrintStream out,
            int batchSize,
            long seed) {
        this.api = api;
        this.ledger = ledger;
        this.truth = truth;
        this.jobs = jobs;
        this.out = out;
        this.batchSize = batchSize;
        this.random = new Random(seed);
    }

    /** Plays {@code arrivals} and prints the figures, once after the first {@code first} pods and once at the end. */
    void play(List<TracePod> arrivals, int first, long capacityMilli) {
        ProgressBar bar = new ProgressBar(out, arrivals.size());
        long arrived = 0;
        long held = 0;
        for (int from = 0; from < arrivals.size(); from += batchSize) {
            List<TracePod> batch = arrivals.subList(from, Math.min(arrivals.size(), from + batchSize));
            submit(batch, from);
            cancelSome(from >= first);
            held = truth.agreedMilli();
            checks++;
            arrived += batch.stream().mapToLong(TracePod::milli).sum();
            bar.show(from + batch.size(), remark(arrived, held, capacityMilli));
            if (from + batch.size() >= first && from < first) {
                bar.finish();
                report("after the first " + (from + batch.size()) + " pods", held, capacityMilli);
            }
        }
        bar.finish();
        report("at the end, " + percent(arrived, capacityMilli) + " of the capacity arrived", held, capacityMilli);
    }

    private void submit(List<TracePod> batch, int from) {
        List<Map<String, Object>> bodies = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            bodies.add(jobs.job(batch.get(i), from + i));
        }
        submits.time(batch.size(), () -> {
            JsonNode answer = api.post("/jobs:batch", Map.of("jobs", bodies));
            answer.path("items").forEach(item -> ids.add(item.path("id").asString()));
        });
        decisions.timeUntilNone(batch.size(), ledger::undecided);
        long before = bindings.amount();
        bindings.timeUntilNone(0, ledger::openTasks);
        bindings.time(ledger.bound() - before, () -> {});
    }

    private void cancelSome(boolean wanted) {
        for (int i = 0; wanted && i < CANCELS_A_BATCH; i++) {
            api.post("/jobs/" + ids.get(random.nextInt(ids.size())) + ":cancel", null);
            cancels++;
        }
    }

    private void report(String when, long held, long capacityMilli) {
        out.println();
        out.println(when + ":");
        out.printf(
                "  %-18s %d of %d (%s)%n",
                "GPUs allocated", held / 1000, capacityMilli / 1000, percent(held, capacityMilli));
        out.printf(
                "  %-18s %d waiting, %d running, %d succeeded, %d cancelled%n",
                "jobs",
                ledger.jobs("QUEUED"),
                ledger.jobs("RUNNING"),
                ledger.jobs("SUCCEEDED"),
                ledger.jobs("CANCELLED"));
        out.printf("  %-18s %d of %d agreed to the milli-GPU; %d cancels%n", "checks", checks, checks, cancels);
        out.printf("  %-18s %d a second in batches of %d%n", "submits", submits.perSecond(), batchSize);
        out.printf("  %-18s %d a second%n", "decisions", decisions.perSecond());
        out.printf("  %-18s %d a second%n", "bindings", bindings.perSecond());
        out.println();
    }

    private static String remark(long arrived, long held, long capacity) {
        return "arrived " + percent(arrived, capacity) + ", allocated " + percent(held, capacity);
    }

    private static String percent(long part, long whole) {
        long tenths = whole == 0 ? 0 : Math.round(1000.0 * part / whole);
        return tenths / 10 + "." + tenths % 10 + " %";
    }
}
