package io.reactiveinformer.benchmarks.readers;

import io.reactiveinformer.resource.FieldPath;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What readers need of a pod: some 0.3 KB as JSON. */
record PodRow(
        @FieldPath("metadata.labels") @Nullable Map<String, String> labels,
        @FieldPath("metadata.annotations.written") @Nullable String written,
        @FieldPath("spec.nodeName") @Nullable String node,
        @FieldPath("spec.serviceAccountName") @Nullable String account,
        @FieldPath("status.phase") @Nullable String phase,
        @FieldPath("status.podIP") @Nullable String address) {}
