package io.reactiveinformer.apiserver.internal.cluster;

import org.jspecify.annotations.Nullable;

/**
 * The options of a deletion.
 *
 * @param gracePeriodSeconds null for the grace period of the object
 * @param propagation {@code Background}, {@code Foreground}, {@code Orphan}; empty for the type's default
 * @param uid a precondition; empty for none
 * @param version a precondition; empty for none
 * @param admission what may refuse the deletion
 */
public record DeleteOptions(
        boolean dryRun, @Nullable Integer gracePeriodSeconds, String propagation, String uid, String version, Admission admission) {

    public static final DeleteOptions DEFAULT = new DeleteOptions(false, null, "", "", "");

    /** A deletion that nothing refuses. */
    public DeleteOptions(boolean dryRun, @Nullable Integer gracePeriodSeconds, String propagation, String uid, String version) {
        this(dryRun, gracePeriodSeconds, propagation, uid, version, Admission.NONE);
    }
}
