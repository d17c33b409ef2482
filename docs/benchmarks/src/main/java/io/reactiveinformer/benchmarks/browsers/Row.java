package io.reactiveinformer.benchmarks.browsers;

import io.kubernetes.client.openapi.models.V1Pod;
import java.util.Objects;

/** What a page shows of a pod, and which write it is of. */
record Row(String phase, String node, String ip, String write) {

    /** The annotation that says so. */
    static final String WRITE = "write";

    static String name(V1Pod pod) {
        return Objects.requireNonNull(Objects.requireNonNull(pod.getMetadata()).getName());
    }

    static Row of(V1Pod pod) {
        var status = Objects.requireNonNull(pod.getStatus());
        var annotations = Objects.requireNonNull(Objects.requireNonNull(pod.getMetadata()).getAnnotations());
        return new Row(String.valueOf(status.getPhase()), String.valueOf(Objects.requireNonNull(pod.getSpec()).getNodeName()),
                String.valueOf(status.getPodIP()), Objects.requireNonNull(annotations.get(WRITE)));
    }
}
