package dev.tutti.web.jobs;

import dev.tutti.model.GpuRequest;
import dev.tutti.model.JobSpec;
import dev.tutti.model.Lane;
import dev.tutti.model.NodeRules;
import dev.tutti.model.PodSet;
import dev.tutti.model.PodTemplate;
import dev.tutti.model.Toleration;
import dev.tutti.model.TopologySegment;
import dev.tutti.model.TopologyWish;
import dev.tutti.web.input.Violations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the model's {@link JobSpec} of a request: fills in defaults and collects every violation, also the model's. */
public final class JobReader {

    private static final String QUEUE = "default";
    private static final String POD_SET = "worker";
    private static final int GRACE_SECONDS = 30;

    /** Takes the place of a faulty pod set, so that the other fields are checked all the same. */
    private static final PodSet STAND_IN = new PodSet(
            POD_SET,
            1,
            1,
            new GpuRequest.None(),
            List.of(),
            0,
            0,
            new PodTemplate("image", List.of(), List.of(), Map.of()));

    private JobReader() {}

    /** The job; null with violations added, whose fields begin with {@code path}. */
    public static @Nullable JobSpec read(JobRequest request, String path, Violations violations) {
        Violations here = new Violations();
        List<PodSet> podSets = podSets(request.podSets(), path, here);
        boolean wholeSets = here.isEmpty();
        Lane lane = lane(request.lane(), path, here);
        JobSpec spec = here.build(path, () -> spec(request, lane, wholeSets ? podSets : List.of(STAND_IN)));
        here.list().forEach(violation -> violations.add(violation.field(), violation.message()));
        return here.isEmpty() ? spec : null;
    }

    private static JobSpec spec(JobRequest request, Lane lane, List<PodSet> podSets) {
        return new JobSpec(
                request.name(),
                or(request.queue(), QUEUE),
                lane,
                or(request.priority(), 0),
                podSets,
                request.topology() == null
                        ? TopologyWish.NONE
                        : request.topology().toModel(),
                request.expectedRuntimeSeconds(),
                request.preemption() == null
                        ? GRACE_SECONDS
                        : or(request.preemption().graceSeconds(), GRACE_SECONDS),
                request.retry() == null ? 0 : or(request.retry().maxFailures(), 0),
                or(request.labels(), Map.of()));
    }

    private static Lane lane(@Nullable String word, String path, Violations violations) {
        Optional<Lane> lane = lane(or(word, Lane.YELLOW.word()));
        if (lane.isEmpty()) {
            violations.add(path + "lane", "is \"" + word + "\"; give green, yellow or red");
        }
        return lane.orElse(Lane.YELLOW);
    }

    static Optional<Lane> lane(String word) {
        return Arrays.stream(Lane.values())
                .filter(lane -> lane.word().equals(word))
                .findFirst();
    }

    private static List<PodSet> podSets(List<JobRequest.PodSetRequest> requests, String path, Violations violations) {
        List<PodSet> podSets = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            PodSet podSet = podSet(requests.get(i), path + "podSets[" + i + "].", violations);
            if (podSet != null) {
                podSets.add(podSet);
            }
        }
        return podSets;
    }

    private static @Nullable PodSet podSet(JobRequest.PodSetRequest request, String path, Violations violations) {
        GpuRequest gpus = violations.build(path, () -> gpus(request));
        if (or(request.gpusPerPod(), 0) > 0 && or(request.gpuMilli(), 0) > 0) {
            violations.add(path + "gpuMilli", "cannot stand beside gpusPerPod; give one of them");
        }
        PodTemplate template = violations.build(path, () -> request.template().toModel());
        Violations ofSegment = new Violations();
        TopologySegment segment = ofSegment.build(path + "topology.segment.", () -> segment(request));
        ofSegment.list().forEach(violation -> violations.add(violation.field(), violation.message()));
        NodeRules nodes = nodes(request, path, violations);
        PodSet podSet = violations.build(
                path,
                () -> podSet(request, or(gpus, new GpuRequest.None()), template, segment, or(nodes, NodeRules.NONE)));
        boolean whole = gpus != null && template != null && ofSegment.isEmpty() && nodes != null;
        return whole ? podSet : null;
    }

    private static @Nullable TopologySegment segment(JobRequest.PodSetRequest request) {
        SetTopologyForm topology = request.topology();
        return topology == null || topology.segment() == null
                ? null
                : topology.segment().toModel();
    }

    private static @Nullable NodeRules nodes(JobRequest.PodSetRequest request, String path, Violations violations) {
        List<TolerationForm> forms = or(request.tolerations(), List.of());
        List<Toleration> tolerations = new ArrayList<>();
        for (int i = 0; i < forms.size(); i++) {
            Toleration toleration = violations.build(path + "tolerations[" + i + "].", forms.get(i)::toModel);
            if (toleration != null) {
                tolerations.add(toleration);
            }
        }
        NodeRules nodes =
                violations.build(path, () -> new NodeRules(or(request.nodeSelector(), Map.of()), tolerations));
        return tolerations.size() == forms.size() ? nodes : null;
    }

    private static PodSet podSet(
            JobRequest.PodSetRequest request,
            GpuRequest gpus,
            @Nullable PodTemplate template,
            @Nullable TopologySegment segment,
            NodeRules nodes) {
        return new PodSet(
                or(request.name(), POD_SET),
                request.count(),
                or(request.minCount(), request.count()),
                gpus,
                or(request.flavors(), List.of()),
                or(request.cpuMilli(), 0L),
                or(request.memoryMib(), 0L),
                or(template, STAND_IN.template()),
                request.topology() == null
                        ? TopologyWish.NONE
                        : request.topology().toModel(),
                segment,
                nodes);
    }

    private static GpuRequest gpus(JobRequest.PodSetRequest request) {
        if (or(request.gpusPerPod(), 0) != 0) {
            return new GpuRequest.Whole(or(request.gpusPerPod(), 0));
        }
        return or(request.gpuMilli(), 0) == 0 ? new GpuRequest.None() : new GpuRequest.Share(or(request.gpuMilli(), 0));
    }

    private static <T> T or(@Nullable T value, T fallback) {
        return value == null ? fallback : value;
    }
}
