package dev.tutti.web.openapi;

import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.MediaType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;

/** Bodies that work as they stand, by operation. */
final class Examples {

    /** Operations whose answers carry an ETag. */
    static final Set<String> VERSIONED = Set.of(
            "submitJob",
            "getJob",
            "cancelJob",
            "suspendJob",
            "changeJob",
            "resumeJob",
            "submitManifest",
            "getQueue",
            "createQueue",
            "changeQueue",
            "getKey",
            "createKey");

    private static final String JOB = """
            {"name": "train", "podSets": [{"count": 2, "gpusPerPod": 8,
             "template": {"image": "pytorch/pytorch:2.9", "command": ["python", "train.py"]}}],
             "topology": {"preferred": "rack"}, "expectedRuntimeSeconds": 3600}""";

    private static final Map<String, String> BODIES = Map.of(
            "submitJob",
            JOB,
            "submitJobs",
            "{\"jobs\": [" + JOB + "]}",
            "createQueue",
            "{\"path\": \"research\", \"nominalMilli\": {\"h100-sxm\": 64000}}",
            "changeQueue",
            "{\"held\": true}",
            "createKey",
            "{\"name\": \"nightly\", \"role\": \"submitter\"}");

    private static final String MANIFEST = """
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: train
              labels: {tutti.dev/queue: default}
            spec:
              parallelism: 2
              completions: 2
              template:
                spec:
                  restartPolicy: Never
                  containers:
                  - image: pytorch/pytorch:2.9
                    resources: {limits: {nvidia.com/gpu: 8}}
            """;

    private Examples() {}

    static void add(Operation operation) {
        if (operation.getRequestBody() == null) {
            return;
        }
        operation.getRequestBody().getContent().forEach((type, body) -> add(operation.getOperationId(), type, body));
    }

    private static void add(String operationId, String type, MediaType body) {
        if (type.endsWith("yaml")) {
            body.setExample(MANIFEST);
        }
        String json = BODIES.get(operationId);
        if (json != null) {
            try {
                body.setExample(Json.mapper().readTree(json));
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }
    }
}
