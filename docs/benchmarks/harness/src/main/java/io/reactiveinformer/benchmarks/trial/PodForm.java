package io.reactiveinformer.benchmarks.trial;

import org.jspecify.annotations.Nullable;

/** The form in which pods are served: the one that the request accepts. */
enum PodForm {

    WHOLE("Pod", "v1"),
    METADATA("PartialObjectMetadata", "meta.k8s.io/v1");

    /** What a pod begins with wherever it names its kind. */
    final String opening;

    final String listOpening;

    PodForm(String kind, String apiVersion) {
        opening = "{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion + "\",";
        listOpening = "{\"kind\":\"" + kind + "List\",\"apiVersion\":\"" + apiVersion + "\",";
    }

    static PodForm of(@Nullable String accept) {
        return accept != null && accept.contains("as=PartialObjectMetadata") ? METADATA : WHOLE;
    }
}
