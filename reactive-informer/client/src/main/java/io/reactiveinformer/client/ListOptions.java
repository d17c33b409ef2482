package io.reactiveinformer.client;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Selector;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a list. A {@code with} method gives a copy that differs in one thing.
 *
 * @param selector the objects that are listed
 * @param limit most items in one answer; 0 for no limit. A server may ignore it
 * @param continueToken of the page before; then {@code resourceVersion} and {@code match} are not sent, as the server demands
 * @param resourceVersion null for the most recent state; "0" for any state that the server has at hand
 * @param match how {@code resourceVersion} is meant; null leaves it to the server's rules, which differ with {@code limit}
 * @param timeout after which the server gives up, at least 1 s; sent in whole seconds, rounded up; null for the server's own
 * @param key the only object that is listed, if the selector matches it, too; its namespace replaces the part of the cluster in the
 *     request. Null for all
 * @see <a href="https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions">Kubernetes API concepts: resource
 *     versions</a>
 */
public record ListOptions(
        Selector selector,
        int limit,
        @Nullable String continueToken,
        @Nullable String resourceVersion,
        @Nullable Match match,
        @Nullable Duration timeout,
        @Nullable ObjectKey key) {

    private static final ListOptions DEFAULTS = new ListOptions(Selector.any(), 0, null, null, null, null, null);

    /** @throws IllegalArgumentException if {@code timeout} is less than a second */
    public ListOptions {
        if (timeout != null && timeout.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("a list's timeout must be at least 1s, was " + timeout);
        }
    }

    /** How a resourceVersion is meant, sent as {@code resourceVersionMatch}. */
    public enum Match {
        /** The state at this version or a later one. */
        NOT_OLDER_THAN("NotOlderThan"),
        /** The state at this version; refused with 410 if the server no longer has it. */
        EXACT("Exact");

        private final String wire;

        Match(String wire) {
            this.wire = wire;
        }

        /** The name in the request, such as {@code NotOlderThan}. */
        public String wire() {
            return wire;
        }
    }

    /** All objects in their most recent state, in one answer. */
    public static ListOptions defaults() {
        return DEFAULTS;
    }

    /**
     * A copy with this time limit; null for the server's own.
     *
     * @throws IllegalArgumentException if {@code other} is less than 1 s
     */
    public ListOptions withTimeout(@Nullable Duration other) {
        return new ListOptions(selector, limit, continueToken, resourceVersion, match, other, key);
    }

    /** A copy for the objects that {@code other} matches, instead of the selector so far. */
    public ListOptions withSelector(Selector other) {
        return new ListOptions(other, limit, continueToken, resourceVersion, match, timeout, key);
    }

    /**
     * A copy with at most {@code other} items in one answer; 0 for no limit.
     *
     * @throws IllegalArgumentException if {@code other} is negative
     */
    public ListOptions withLimit(int other) {
        if (other < 0) {
            throw new IllegalArgumentException("limit must be 0 (none) or more, was " + other);
        }
        return new ListOptions(selector, other, continueToken, resourceVersion, match, timeout, key);
    }

    /** A copy for the page after the one that gave this token; null for the first page. */
    public ListOptions withContinue(@Nullable String other) {
        return new ListOptions(selector, limit, other, resourceVersion, match, timeout, key);
    }

    /** A copy for the state at this version, or after it, as {@code otherMatch} says; null and null for the most recent state. */
    public ListOptions withResourceVersion(@Nullable String other, @Nullable Match otherMatch) {
        return new ListOptions(selector, limit, continueToken, other, otherMatch, timeout, key);
    }

    /** A copy for one object, instead of all; null for all. */
    public ListOptions withKey(@Nullable ObjectKey other) {
        return new ListOptions(selector, limit, continueToken, resourceVersion, match, timeout, other);
    }
}
