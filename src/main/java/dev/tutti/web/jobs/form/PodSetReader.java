package dev.tutti.web.jobs.form;

import dev.tutti.model.fleet.Toleration;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.NicRequest;
import dev.tutti.model.job.NodeRules;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.SetAffinity;
import dev.tutti.model.job.StartAfter;
import dev.tutti.model.job.TopologySegment;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.web.input.Texts;
import dev.tutti.web.input.Violations;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes the model's {@link PodSet} of a request, part by part, so that a faulty part hides no other mistake. */
final class PodSetReader {

    private static final String NAME = "worker";

    /** Takes the place of a faulty pod set, so that the other fields of the job are checked all the same. */
    static final PodSet STAND_IN = new PodSet(
            NAME,
            1,
            1,
            new GpuRequest.None(),
            List.of(),
            0,
            0,
            new PodTemplate("image", List.of(), List.of(), Map.of()));

    private final JobRequest.PodSetRequest request;
    private final String path;
    private final Violations violations = new Violations();

    private PodSetReader(JobRequest.PodSetRequest request, String path) {
        this.request = request;
        this.path = path;
    }

    /** The pod set; null with violations added, whose fields begin with {@code path}. */
    static @Nullable PodSet read(JobRequest.PodSetRequest request, String path, Violations violations) {
        PodSetReader reader = new PodSetReader(request, path);
        PodSet podSet = reader.read();
        reader.violations.list().forEach(violation -> violations.add(violation.field(), violation.message()));
        return reader.violations.isEmpty() ? podSet : null;
    }

    private @Nullable PodSet read() {
        GpuRequest gpus = or(violations.build(path, this::gpus), new GpuRequest.None());
        if (or(request.gpusPerPod(), 0) > 0 && or(request.gpuMilli(), 0) > 0) {
            violations.add(
                    path + "gpuMilli",
                    "is " + request.gpuMilli() + ", but gpusPerPod is " + request.gpusPerPod() + "; give one of them");
        }
        if (request.mig() != null && (or(request.gpusPerPod(), 0) > 0 || or(request.gpuMilli(), 0) > 0)) {
            violations.add(
                    path + "mig",
                    "is \"" + Texts.clip(request.mig()) + "\", beside gpusPerPod or gpuMilli; give one of them");
        }
        PodTemplate template =
                or(violations.build(path, () -> request.template().toModel()), STAND_IN.template());
        TopologySegment segment = segment();
        NodeRules nodes = nodes();
        NicRequest nics = or(
                violations.build(path, () -> new NicRequest(or(request.rdma(), 0), or(request.rdmaResource(), ""))),
                NicRequest.NONE);
        List<StartAfter> startAfter = each("startAfter", request.startAfter(), StartAfterForm::toModel);
        List<SetAffinity> affinity = each("affinity", request.affinity(), AffinityForm::toModel);
        return violations.build(
                path,
                () -> new PodSet(
                        or(request.name(), NAME),
                        request.count(),
                        or(request.minCount(), request.count()),
                        gpus,
                        or(request.flavors(), List.of()),
                        or(request.cpuMilli(), 0L),
                        or(request.memoryMib(), 0L),
                        template,
                        request.topology() == null
                                ? TopologyWish.NONE
                                : request.topology().toModel(),
                        segment,
                        nodes,
                        affinity,
                        nics,
                        request.maxCount(),
                        startAfter));
    }

    private GpuRequest gpus() {
        if (request.mig() != null) {
            return new GpuRequest.Mig(request.mig());
        }
        if (or(request.gpusPerPod(), 0) != 0) {
            return new GpuRequest.Whole(or(request.gpusPerPod(), 0));
        }
        return or(request.gpuMilli(), 0) == 0 ? new GpuRequest.None() : new GpuRequest.Share(or(request.gpuMilli(), 0));
    }

    private @Nullable TopologySegment segment() {
        SetTopologyForm topology = request.topology();
        SetTopologyForm.Segment segment = topology == null ? null : topology.segment();
        return segment == null ? null : violations.build(path + "topology.segment.", segment::toModel);
    }

    private NodeRules nodes() {
        List<Toleration> tolerations = each("tolerations", request.tolerations(), TolerationForm::toModel);
        return or(
                violations.build(path, () -> new NodeRules(or(request.nodeSelector(), Map.of()), tolerations)),
                NodeRules.NONE);
    }

    /** The items that are right; the others become violations. */
    private <F, M> List<M> each(String field, @Nullable List<F> forms, Function<F, M> toModel) {
        List<M> items = new ArrayList<>();
        for (int i = 0; forms != null && i < forms.size(); i++) {
            F form = forms.get(i);
            M item = violations.build(path + field + "[" + i + "].", () -> toModel.apply(form));
            if (item != null) {
                items.add(item);
            }
        }
        return items;
    }

    private static <T> T or(@Nullable T value, T fallback) {
        return value == null ? fallback : value;
    }
}
