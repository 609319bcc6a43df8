package dev.tutti.web.manifests;

import dev.tutti.web.input.FormReader;
import dev.tutti.web.input.Texts;
import dev.tutti.web.input.Violations;
import dev.tutti.web.jobs.form.JobRequest;
import dev.tutti.web.jobs.form.PreemptionForm;
import dev.tutti.web.jobs.form.RetryForm;
import dev.tutti.web.jobs.form.SetTopologyForm;
import dev.tutti.web.jobs.form.TemplateForm;
import dev.tutti.web.jobs.form.TopologyForm;
import dev.tutti.web.manifests.JobManifest.Container;
import dev.tutti.web.manifests.JobManifest.EnvVar;
import dev.tutti.web.manifests.JobManifest.Spec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads a {@code batch/v1} Job. Parallelism becomes the gang's size; what Tutti does not model is a violation that names
 * the field, so that no pod is ever bound without what its owner asked for.
 */
final class ManifestReader {

    static final String CONTAINER = "spec.template.spec.containers[0]";

    private static final int KUBERNETES_BACKOFF_LIMIT = 6;

    private final Violations violations;

    ManifestReader(Violations violations) {
        this.violations = violations;
    }

    /** What was understood; null with violations added. */
    @Nullable
    Understood read(JsonNode tree) {
        String kind =
                tree.path("apiVersion").asString("") + " " + tree.path("kind").asString("");
        if (!kind.equals("batch/v1 Job")) {
            violations.add("kind", "is \"" + Texts.clip(kind.strip()) + "\"; give apiVersion batch/v1 and kind Job");
            return null;
        }
        JobManifest manifest = FormReader.read(tree, JobManifest.class, "", violations);
        if (manifest == null) {
            return null;
        }
        Understood understood = read(manifest);
        return violations.isEmpty() ? understood : null;
    }

    private @Nullable Understood read(JobManifest manifest) {
        Annotations annotations = new Annotations(manifest.metadata(), violations);
        annotations.refuseUnknown();
        checkSpec(manifest.spec(), annotations);
        List<Container> containers = manifest.spec().template().spec().containers();
        if (containers.size() != 1) {
            violations.add("spec.template.spec.containers", "has " + containers.size() + " containers; give one");
            return null;
        }
        return new Understood(job(manifest, containers.get(0), annotations), ignored(manifest));
    }

    private void checkSpec(Spec spec, Annotations annotations) {
        int parallelism = spec.parallelism() == null ? 1 : spec.parallelism();
        if (spec.completions() != null && spec.completions() != parallelism) {
            violations.add(
                    "spec.completions",
                    "is " + spec.completions() + "; give parallelism (" + parallelism
                            + ") or leave it out: all pods of a gang run at once, once");
        }
        if (spec.completionMode() != null && !spec.completionMode().equals("NonIndexed")) {
            violations.add(
                    "spec.completionMode",
                    "is \"" + Texts.clip(spec.completionMode()) + "\", which is not modelled; leave it out");
        }
        if (Boolean.TRUE.equals(spec.suspend()) && !annotations.isQueuedByKueue()) {
            violations.add(
                    "spec.suspend",
                    "is true without the label " + Annotations.KUEUE
                            + ", so nothing would ever start it; leave it out");
        }
        String restart = spec.template().spec().restartPolicy();
        if (restart != null && !restart.equals("Never")) {
            violations.add(
                    "spec.template.spec.restartPolicy",
                    "is \"" + Texts.clip(restart) + "\"; give Never, a gang restarts whole");
        }
    }

    private JobRequest job(JobManifest manifest, Container container, Annotations annotations) {
        Spec spec = manifest.spec();
        ResourceReader resources = new ResourceReader(container.resources(), CONTAINER + ".resources", violations);
        int backoffLimit = spec.backoffLimit() == null ? KUBERNETES_BACKOFF_LIMIT : spec.backoffLimit();
        return new JobRequest(
                annotations.name(),
                annotations.queue(),
                annotations.lane(),
                annotations.number("priority"),
                List.of(new JobRequest.PodSetRequest(
                        null,
                        spec.parallelism() == null ? 1 : spec.parallelism(),
                        annotations.number("min-count"),
                        annotations.number("max-count"),
                        resources.gpus(),
                        annotations.number("gpu-milli"),
                        resources.mig(),
                        annotations.list("flavors"),
                        resources.cpuMilli(),
                        resources.memoryMib(),
                        resources.rdma(),
                        resources.rdmaResource(),
                        segment(annotations),
                        new TemplateForm(container.image(), container.command(), container.args(), env(container)),
                        spec.template().spec().nodeSelector(),
                        spec.template().spec().tolerations(),
                        null,
                        null)),
                new TopologyForm(annotations.text("topology-required"), annotations.text("topology-preferred")),
                annotations.number("expected-runtime-seconds"),
                null,
                null,
                null,
                null,
                annotations.number(Annotations.FALLBACK),
                null,
                null,
                null,
                new PreemptionForm(spec.template().spec().terminationGracePeriodSeconds()),
                new RetryForm(backoffLimit),
                annotations.jobLabels());
    }

    /** A manifest has one pod set: what it wishes for the job it wishes for the set; only segments are the set's own. */
    private @Nullable SetTopologyForm segment(Annotations annotations) {
        Integer pods = annotations.number(Annotations.SEGMENT_PODS);
        String level = annotations.text(Annotations.SEGMENT_LEVEL);
        if ((annotations.text(Annotations.SEGMENT_PODS) == null) != (level == null)) {
            String there = level == null ? Annotations.SEGMENT_PODS : Annotations.SEGMENT_LEVEL;
            String missing = level == null ? Annotations.SEGMENT_LEVEL : Annotations.SEGMENT_PODS;
            violations.add(
                    "metadata.annotations." + Annotations.PREFIX + there,
                    "stands alone; give " + Annotations.PREFIX + missing + " too");
        }
        return pods == null || level == null
                ? null
                : new SetTopologyForm(null, null, new SetTopologyForm.Segment(pods, level));
    }

    private Map<String, String> env(Container container) {
        Map<String, String> env = new LinkedHashMap<>();
        List<EnvVar> variables = container.env() == null ? List.of() : container.env();
        for (int i = 0; i < variables.size(); i++) {
            String value = variables.get(i).value();
            if (env.put(variables.get(i).name(), value == null ? "" : value) != null) {
                violations.add(
                        CONTAINER + ".env[" + i + "].name",
                        "is \"" + Texts.clip(variables.get(i).name()) + "\" for the second time; give each once");
            }
        }
        return env;
    }

    private static List<String> ignored(JobManifest manifest) {
        List<String> ignored = new ArrayList<>();
        addIf(manifest.metadata().namespace() != null, "metadata.namespace", ignored);
        addIf(manifest.status() != null, "status", ignored);
        addIf(manifest.spec().template().metadata() != null, "spec.template.metadata", ignored);
        addIf(manifest.spec().template().spec().containers().get(0).name() != null, CONTAINER + ".name", ignored);
        return ignored;
    }

    private static void addIf(boolean there, String field, List<String> ignored) {
        if (there) {
            ignored.add(field);
        }
    }
}
