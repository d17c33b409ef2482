package io.reactiveinformer.apiserver.internal.cluster;

import org.jspecify.annotations.Nullable;

/**
 * @param gracePeriodSeconds null for what the object says
 * @param propagation {@code Background}, {@code Foreground}, {@code Orphan}; empty for the type's default
 * @param uid precondition; empty for none
 * @param version precondition; empty for none
 */
public record DeleteOptions(boolean dryRun, @Nullable Integer gracePeriodSeconds, String propagation, String uid, String version) {

    public static final DeleteOptions DEFAULT = new DeleteOptions(false, null, "", "", "");
}
