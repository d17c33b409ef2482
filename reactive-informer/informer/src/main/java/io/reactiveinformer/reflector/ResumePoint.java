package io.reactiveinformer.reflector;

import io.reactiveinformer.internal.ResourceVersion;
import org.jspecify.annotations.Nullable;

/**
 * How far a watch has come in the server's history. Versions only grow on a watch, or something is wrong with it: then something may be
 * missing, and only a list helps. Not thread-safe.
 */
final class ResumePoint {

    private @Nullable String resumeFrom;

    ResumePoint(@Nullable String resumeFrom) {
        this.resumeFrom = resumeFrom;
    }

    /** The version up to which nothing is missing; null before the first complete list. */
    @Nullable String resumeFrom() {
        return resumeFrom;
    }

    /** A complete list of {@code resourceVersion} was received. */
    void listed(String resourceVersion) {
        resumeFrom = resourceVersion;
    }

    /**
     * Advances to the version of an event, and returns whether it comes after all before. If not, the event is repeated, or
     * {@linkplain #late late}.
     *
     * @param of names the event in the message
     */
    boolean advances(Object of, @Nullable String resourceVersion) {
        if (!ResourceVersion.isSent(resourceVersion)) {
            throw Outcome.Doubtful.thrown("an event of " + of + " came without a resourceVersion after " + this);
        }
        if (ResourceVersion.isAtMost(resourceVersion, resumeFrom)) {
            return false;
        }
        resumeFrom = resourceVersion;
        return true;
    }

    /** Advances to a bookmark. */
    void bookmark(String resourceVersion) {
        if (ResourceVersion.isNewer(resumeFrom, resourceVersion)) {
            throw Outcome.Doubtful.thrown("a bookmark at " + resourceVersion + " came after " + resumeFrom);
        }
        resumeFrom = resourceVersion;
    }

    /** Of an event that came after a newer one: which of several late events of an object is the last is unknown. */
    Outcome.Thrown late(Object of, @Nullable String resourceVersion) {
        return Outcome.Doubtful.thrown("an event of " + of + " at " + resourceVersion + " came after " + this);
    }

    /** The version to resume from; "0" if there is none. */
    @Override
    public String toString() {
        return resumeFrom == null ? ResourceVersion.ANY : resumeFrom;
    }
}
