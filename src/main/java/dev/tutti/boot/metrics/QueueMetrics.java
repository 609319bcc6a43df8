package dev.tutti.boot.metrics;

import dev.tutti.control.Unavailable;
import dev.tutti.control.read.QueueFigures;
import dev.tutti.control.read.QueueFigures.Figure;
import dev.tutti.control.read.QueueFigures.Kind;
import dev.tutti.model.queue.PastShare;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/**
 * Metrics of queues, read from the database at each scrape: whichever replica is asked, the answer is the same, and the counter
 * goes on after a restart. While the database is away there are none, and the scrape goes on without them.
 */
@Component
final class QueueMetrics implements MultiCollector {

    private static final double MILLI = 1_000;

    private final QueueFigures figures;

    QueueMetrics(QueueFigures figures, ObjectProvider<PrometheusRegistry> registry) {
        this.figures = figures;
        registry.ifAvailable(one -> one.register(this));
    }

    @Override
    public MetricSnapshots collect() {
        try {
            return snapshots(figures.figures());
        } catch (Unavailable away) {
            return new MetricSnapshots();
        }
    }

    private static MetricSnapshots snapshots(List<Figure> all) {
        return MetricSnapshots.of(
                gauge(all, Kind.QUOTA, "tutti_queue_quota_gpus", "GPUs of a queue's quota.", MILLI, "flavor", "kind"),
                gauge(
                        all,
                        Kind.ALLOCATED,
                        "tutti_queue_allocated_gpus",
                        "GPUs that a queue's jobs hold, with all queues below.",
                        MILLI,
                        "flavor",
                        "lane"),
                gauge(all, Kind.PENDING, "tutti_pending_jobs", "Jobs that wait in a queue.", 1, "lane", "reason"),
                gauge(
                        all,
                        Kind.OLDEST,
                        "tutti_oldest_pending_seconds",
                        "Time since the oldest job that waits was submitted.",
                        MILLI,
                        "lane",
                        null),
                gauge(
                        all,
                        Kind.PAST,
                        "tutti_queue_past_share",
                        "Part of all there is that a queue held above its quota, or red jobs held, on average lately.",
                        PastShare.WHOLE,
                        "kind",
                        null),
                preemptions(all),
                waits(all));
    }

    private static GaugeSnapshot gauge(
            List<Figure> all, Kind kind, String name, String help, double unit, String first, @Nullable String second) {
        GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(name).help(help);
        all.stream()
                .filter(one -> one.kind() == kind)
                .map(one -> GaugeDataPointSnapshot.builder()
                        .labels(labels(one, first, second))
                        .value(one.value() / unit)
                        .build())
                .forEach(gauge::dataPoint);
        return gauge.build();
    }

    private static CounterSnapshot preemptions(List<Figure> all) {
        CounterSnapshot.Builder counter = CounterSnapshot.builder()
                .name("tutti_preemptions")
                .help("Runs that ended because they gave way to another job.");
        all.stream()
                .filter(one -> one.kind() == Kind.PREEMPTIONS)
                .map(one -> CounterDataPointSnapshot.builder()
                        .labels(labels(one, "lane", "reason"))
                        .value(one.value())
                        .build())
                .forEach(counter::dataPoint);
        return counter.build();
    }

    private static HistogramSnapshot waits(List<Figure> all) {
        HistogramSnapshot.Builder histogram = HistogramSnapshot.builder()
                .name("tutti_job_wait_seconds")
                .help("Time from a job's submit to its first start.");
        Map<List<String>, List<Figure>> counts = all.stream()
                .filter(one -> one.kind() == Kind.WAITED)
                .collect(Collectors.groupingBy(one -> List.of(one.queue(), one.first())));
        all.stream().filter(one -> one.kind() == Kind.WAITED_IN_ALL).forEach(sum -> {
            ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
            counts.getOrDefault(List.of(sum.queue(), sum.first()), List.of())
                    .forEach(one -> buckets.bucket(bound(one.second()), one.value()));
            histogram.dataPoint(HistogramDataPointSnapshot.builder()
                    .classicHistogramBuckets(buckets.build())
                    .sum(sum.value() / MILLI)
                    .labels(labels(sum, "lane", null))
                    .build());
        });
        return histogram.build();
    }

    private static double bound(String seconds) {
        long bound = Long.parseLong(seconds);
        return bound == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : bound;
    }

    private static Labels labels(Figure one, String first, @Nullable String second) {
        return second == null
                ? Labels.of("queue", one.queue(), first, one.first())
                : Labels.of("queue", one.queue(), first, one.first(), second, one.second());
    }
}
