package dev.tutti.kubernetes;

import dev.tutti.control.ClusterGateway;
import dev.tutti.control.PodMarks;
import dev.tutti.control.PodOrder;
import dev.tutti.kubernetes.sighting.Keys;
import dev.tutti.kubernetes.sighting.NodeMapper;
import dev.tutti.kubernetes.sighting.PodMapper;
import dev.tutti.model.ClusterId;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * One real cluster, spoken to through its API server. Every call is sent once, within the time limit of the settings,
 * and answers with what became of it; repeating is the caller's business. Safe for use by many threads.
 *
 * <p>Shares of a GPU are refused: nodes of the classic device plugin offer whole devices only.
 */
public final class KubernetesGateway implements ClusterGateway {

    private final ClusterId cluster;
    private final KubernetesClient client;
    private final KubernetesClient watching;
    private final KubernetesSerialization json;
    private final ApiCalls calls;
    private final ApiLists lists;
    private final ApiPaths paths;
    private final Answers answers;
    private final BindingCheck bindingCheck;
    private final PodTemplates templates;
    private final ClusterWatch watch;

    /** Prepares the connection; the cluster is not called before the first call. */
    public static KubernetesGateway connect(KubernetesSettings settings) {
        KubernetesClient client = Clients.connect(settings);
        return new KubernetesGateway(settings, client, client);
    }

    KubernetesGateway(KubernetesSettings settings, KubernetesClient client, KubernetesClient watching) {
        this.cluster = settings.cluster();
        this.client = client;
        this.watching = watching;
        this.json = client.getKubernetesSerialization();
        this.calls = new ApiCalls(client.getHttpClient(), settings);
        this.paths = new ApiPaths(settings.namespace());
        this.answers = new Answers(json);
        this.lists = new ApiLists(calls, json, answers);
        this.bindingCheck = new BindingCheck(answers);
        this.templates = new PodTemplates(settings.namespace());
        this.watch = new ClusterWatch(watching, settings);
    }

    @Override
    public ClusterId cluster() {
        return cluster;
    }

    @Override
    public Outcome create(PodOrder order) {
        if (order.gpuMilli() > 0) {
            return new Outcome.Refused("asks for " + order.gpuMilli()
                    + " milli-GPU, but the nodes of this cluster offer whole GPUs only; ask for gpusPerPod");
        }
        Answer answer = calls.post(paths.pods(), json.asJson(templates.pod(order)));
        if (!(answer instanceof Answer.Reply reply)) {
            return answers.failure(answer, order.name());
        }
        if (reply.isSuccess()) {
            return done(reply);
        }
        if (answers.isTaken(reply)) {
            return taken(order.name());
        }
        // The namespace is missing, as a pod that is to be made cannot be.
        return reply.code() == 404 ? new Outcome.Refused(answers.said(reply)) : answers.failure(reply, order.name());
    }

    @Override
    public Outcome bind(PodSighting pod, PodOrder order, long term) {
        if (!paths.isPodName(pod.name())) {
            return new Outcome.Absent();
        }
        Outcome objection = bindingCheck.objection(
                pod.name(),
                pod.uid(),
                pod.resourceVersion(),
                (uid, version) -> sendBind(pod.name(), uid, version, order, term));
        if (objection != null) {
            return objection;
        }
        Answer answer = sendBind(pod.name(), pod.uid(), pod.resourceVersion(), order, term);
        return answer instanceof Answer.Reply reply && reply.isSuccess()
                ? new Outcome.Done(bound(pod, order))
                : answers.failure(answer, pod.name());
    }

    private Answer sendBind(String name, String uid, String version, PodOrder order, long term) {
        Binding binding = new BindingBuilder()
                .withNewMetadata()
                .withName(name)
                .withUid(uid)
                .withResourceVersion(version)
                .addToAnnotations(PodMarks.ALLOCATION, order.allocation().toString())
                .addToAnnotations(PodMarks.TERM, Long.toString(term))
                .endMetadata()
                .withNewTarget()
                .withApiVersion("v1")
                .withKind("Node")
                .withName(order.node())
                .endTarget()
                .build();
        return calls.post(paths.binding(name), json.asJson(binding));
    }

    /** The server confirms a bind without showing the pod; its resource version is known again by the next sighting. */
    private static PodSighting bound(PodSighting pod, PodOrder order) {
        return new PodSighting(
                pod.name(),
                pod.uid(),
                pod.resourceVersion(),
                order.allocation(),
                order.node(),
                pod.phase(),
                pod.terminating(),
                false,
                pod.exitCode(),
                pod.reason());
    }

    @Override
    public Outcome delete(String name, String uid) {
        if (!paths.isPodName(name)) {
            return new Outcome.Absent();
        }
        // No grace is named, so the pod's own counts.
        Answer answer = calls.delete(
                paths.pod(name),
                json.asJson(Map.of("kind", "DeleteOptions", "apiVersion", "v1", "preconditions", Map.of("uid", uid))));
        if (answer instanceof Answer.Reply reply && reply.isSuccess()) {
            return answers.pod(reply).map(this::afterDelete).orElseGet(() -> seen(name, uid));
        }
        return answer instanceof Answer.Reply reply && reply.code() == 409
                ? seen(name, uid)
                : answers.failure(answer, name);
    }

    /** A pod that was bound is never "removed unbound", even where the server took the object away at once. */
    private Outcome afterDelete(Pod pod) {
        boolean held = pod.getMetadata().getFinalizers() != null
                && !pod.getMetadata().getFinalizers().isEmpty();
        if (PodMapper.node(pod) == null && !held) {
            return new Outcome.RemovedUnbound();
        }
        return new Outcome.Done(PodMapper.sighting(pod));
    }

    /** What became of a pod whose deletion was answered unclearly. */
    private Outcome seen(String name, String uid) {
        Outcome now = read(name);
        if (!(now instanceof Outcome.Done done)) {
            return now;
        }
        if (!done.pod().uid().equals(uid)) {
            return new Outcome.Absent();
        }
        return done.pod().terminating() ? done : new Outcome.Conflict("the pod changed while it was being deleted");
    }

    @Override
    public Outcome read(String name) {
        if (!paths.isPodName(name)) {
            return new Outcome.Absent();
        }
        return doneOrFailure(calls.get(paths.pod(name)), name);
    }

    @Override
    public Outcome touch(String name, long term) {
        if (!paths.isPodName(name)) {
            return new Outcome.Absent();
        }
        // Never the same text twice: a patch without effect would leave the resource version as it is.
        Map<String, String> annotations = Map.of(
                PodMarks.TERM,
                Long.toString(term),
                Keys.TOUCH,
                UUID.randomUUID().toString());
        String patch = json.asJson(Map.of("metadata", Map.of("annotations", annotations)));
        return doneOrFailure(calls.mergePatch(paths.pod(name), patch), name);
    }

    @Override
    public List<PodSighting> pods() {
        return lists.pods(paths.podsOfTutti()).stream().map(PodMapper::sighting).toList();
    }

    @Override
    public List<NodeSighting> nodes() {
        return lists.nodes(paths.nodes()).stream().map(NodeMapper::sighting).toList();
    }

    @Override
    public void watch(Inbox inbox) {
        watch.start(inbox);
    }

    @Override
    public void close() {
        watch.close();
        client.close();
        watching.close();
    }

    private Outcome taken(String name) {
        Outcome there = read(name);
        if (there instanceof Outcome.Done done) {
            return new Outcome.Exists(done.pod());
        }
        return there instanceof Outcome.Absent ? new Outcome.Conflict("the name was taken a moment ago") : there;
    }

    private Outcome doneOrFailure(Answer answer, String name) {
        return answer instanceof Answer.Reply reply && reply.isSuccess() ? done(reply) : answers.failure(answer, name);
    }

    private Outcome done(Answer.Reply reply) {
        return answers.pod(reply)
                .<Outcome>map(pod -> new Outcome.Done(PodMapper.sighting(pod)))
                .orElseGet(() -> new Outcome.Unknown(answers.said(reply)));
    }
}
