package io.reactiveinformer.benchmarks.trial;

import org.jspecify.annotations.Nullable;

/** The form in which pods are served: the one that the request accepts. */
enum PodForm {

    WHOLE("Pod", "v1"),
    METADATA("PartialObjectMetadata", "meta.k8s.io/v1"),

    /** As {@link #WHOLE}, in protocol buffers. */
    MESSAGE("Pod", "v1");

    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

    /** What a pod begins with wherever it names its kind. */
    final String opening;

    final String listOpening;

    PodForm(String kind, String apiVersion) {
        opening = "{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion + "\",";
        listOpening = "{\"kind\":\"" + kind + "List\",\"apiVersion\":\"" + apiVersion + "\",";
    }

    static PodForm of(@Nullable String accept, boolean encodes) {
        return accept == null ? WHOLE : accept.contains("as=PartialObjectMetadata") ? METADATA
                : encodes && accept.contains(PROTOBUF) ? MESSAGE : WHOLE;
    }

    String contentType(boolean watch) {
        return this == MESSAGE ? PROTOBUF + (watch ? ";stream=watch" : "") : "application/json";
    }
}
