package io.reactiveinformer.benchmarks.micro;

import io.reactiveinformer.resource.FieldPath;
import org.jspecify.annotations.Nullable;

/** Five fields of a pod. */
record Summary(
        @FieldPath("metadata.labels.app") @Nullable String app,
        @FieldPath("spec.nodeName") @Nullable String node,
        @FieldPath("status.phase") @Nullable String phase,
        @FieldPath("status.podIP") @Nullable String ip,
        @FieldPath("spec.serviceAccountName") @Nullable String account) {}
