package io.reactiveinformer.controller;

import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ForbiddenException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A namespace that is being deleted refuses new objects until it is gone. That is no failure, and trying again soon does not help: the key
 * is worked on again when what it needs may be gone, too.
 */
final class TerminatingNamespaces {

    /** Longer than most namespaces take. */
    static final Duration PAUSE = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);
    private static final int DEEPEST = 10;

    private TerminatingNamespaces() {}

    /** The result, or {@link Result#again} if it is the failure of a creation in such a namespace. */
    static Result awaited(ReconcileRequest<?> request, Result result) {
        if (result instanceof Result.Failed failed && isRefused(failed.cause())) {
            LOG.debug("{}: the namespace is being deleted, and is waited for: {}", request, failed.cause().getMessage());
            return Result.again(PAUSE);
        }
        return result;
    }

    private static boolean isRefused(@Nullable Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
            if (cause instanceof ForbiddenException forbidden && forbidden.status().hasCause("NamespaceTerminating")) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}
