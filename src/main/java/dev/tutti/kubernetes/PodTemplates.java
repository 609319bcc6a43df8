package dev.tutti.kubernetes;

import dev.tutti.control.PodMarks;
import dev.tutti.control.PodOrder;
import dev.tutti.kubernetes.sighting.Keys;
import dev.tutti.model.fleet.NicGroup;
import dev.tutti.model.job.NodeRules;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Builds the pod of an order. The caller's template comes first and the platform's own fields last, so that nothing in a
 * template can change who schedules the pod, what it may touch or how it is found again. Decides no node: the pod is
 * made unbound.
 */
final class PodTemplates {

    /** A pod with grace 0 is removed at once on delete, while its containers still hold their devices. */
    private static final long SHORTEST_GRACE_SECONDS = 1;

    private final String namespace;

    PodTemplates(String namespace) {
        this.namespace = namespace;
    }

    Pod pod(PodOrder order) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(order.name())
                .withNamespace(namespace)
                .withLabels(labels(order))
                .withAnnotations(annotations(order))
                .endMetadata()
                .withNewSpec()
                .withSchedulerName(Keys.SCHEDULER)
                .withRestartPolicy("Never")
                .withTerminationGracePeriodSeconds(Math.max(SHORTEST_GRACE_SECONDS, order.graceSeconds()))
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withNodeSelector(new TreeMap<>(order.nodes().selector()))
                .withTolerations(tolerations(order.nodes()))
                .withContainers(container(order))
                .endSpec()
                .build();
    }

    private static Map<String, String> labels(PodOrder order) {
        Map<String, String> labels = new TreeMap<>();
        labels.put(Keys.MANAGED_BY, Keys.SCHEDULER);
        labels.put(PodMarks.JOB, order.job().toString());
        labels.put(PodMarks.ATTEMPT, Integer.toString(order.attempt()));
        labels.put(PodMarks.RANK, Integer.toString(order.rank()));
        labels.put(PodMarks.POD_SET, order.podSet());
        return labels;
    }

    private static Map<String, String> annotations(PodOrder order) {
        Map<String, String> annotations = new TreeMap<>();
        annotations.put(PodMarks.ALLOCATION, order.allocation().toString());
        annotations.put(PodMarks.JOB, order.job().toString());
        annotations.put(PodMarks.JOB_NAME, order.jobName());
        annotations.put(PodMarks.ATTEMPT, Integer.toString(order.attempt()));
        annotations.put(PodMarks.RANK, Integer.toString(order.rank()));
        annotations.put(PodMarks.POD_SET, order.podSet());
        if (order.expectedRuntimeSeconds() != null) {
            annotations.put(
                    Keys.EXPECTED_RUNTIME, order.expectedRuntimeSeconds().toString());
        }
        return annotations;
    }

    private static List<Toleration> tolerations(NodeRules rules) {
        return Stream.concat(Stream.of(dev.tutti.model.fleet.Toleration.OF_GPU_NODES), rules.tolerations().stream())
                .map(PodTemplates::toleration)
                .toList();
    }

    private static Toleration toleration(dev.tutti.model.fleet.Toleration one) {
        boolean equal = one.operator() == dev.tutti.model.fleet.Toleration.Operator.EQUAL;
        return new TolerationBuilder()
                .withKey(one.key())
                .withOperator(equal ? "Equal" : "Exists")
                .withValue(equal ? one.value() : null)
                .withEffect(one.effect() == null ? null : one.effect().word())
                .build();
    }

    private static Container container(PodOrder order) {
        return new ContainerBuilder()
                .withName("main")
                .withImage(order.template().image())
                .withCommand(order.template().command())
                .withArgs(order.template().args())
                .withEnv(environment(order))
                .withNewResources()
                .withRequests(resources(order))
                .withLimits(resources(order))
                .endResources()
                .build();
    }

    private static List<EnvVar> environment(PodOrder order) {
        Map<String, String> env =
                new LinkedHashMap<>(new TreeMap<>(order.template().env()));
        env.put("TUTTI_JOB", order.job().toString());
        env.put("TUTTI_ATTEMPT", Integer.toString(order.attempt()));
        env.put("TUTTI_POD_SET", order.podSet());
        env.put("TUTTI_RANK", Integer.toString(order.rank()));
        env.put("TUTTI_PODS", Integer.toString(order.pods()));
        if (order.gpus() == 0 && order.mig() == null) {
            // Images for GPUs ask for all devices by themselves, and a node whose runtime obeys would hand them out.
            env.put("NVIDIA_VISIBLE_DEVICES", "void");
        }
        List<EnvVar> list = new ArrayList<>();
        env.forEach((name, value) -> list.add(new EnvVar(name, value, null)));
        return list;
    }

    private static Map<String, Quantity> resources(PodOrder order) {
        Map<String, Quantity> resources = new TreeMap<>();
        if (order.cpuMilli() > 0) {
            resources.put("cpu", new Quantity(order.cpuMilli() + "m"));
        }
        if (order.memoryMib() > 0) {
            resources.put("memory", new Quantity(order.memoryMib() + "Mi"));
        }
        if (order.gpus() > 0) {
            resources.put(Keys.GPU, new Quantity(Integer.toString(order.gpus())));
        }
        if (order.mig() != null) {
            resources.put(Keys.MIG_PREFIX + order.mig().profile(), new Quantity("1"));
        }
        order.nics().stream()
                .collect(
                        Collectors.groupingBy(NicGroup::resource, TreeMap::new, Collectors.summingInt(NicGroup::count)))
                .forEach((name, count) -> resources.put(name, new Quantity(Integer.toString(count))));
        return resources;
    }
}
