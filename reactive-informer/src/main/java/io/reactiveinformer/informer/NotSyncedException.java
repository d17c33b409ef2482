package io.reactiveinformer.informer;

import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.resource.KubernetesException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The first complete state did not come: within the time that was given, or before the informer was stopped. {@link #status} tells why. */
public final class NotSyncedException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // not meant to be serialised; RuntimeException only happens to be Serializable
    private final InformerStatus status;

    NotSyncedException(String what, @Nullable Duration waited, InformerStatus status) {
        super(describe(what, waited, status), status.cause());
        this.status = status;
    }

    public InformerStatus status() {
        return status;
    }

    private static String describe(String what, @Nullable Duration waited, InformerStatus status) {
        var text = new StringBuilder(what).append(": not synced");
        text.append(waited == null ? "" : " after " + waited.toString().substring(2).toLowerCase(Locale.ROOT));
        text.append(", ").append(status.state());
        if (status.cause() != null) {
            text.append(" because of ").append(status.cause().getMessage());
        }
        if (status.attempt() > 0) {
            text.append("; tries that failed: ").append(status.attempt());
        }
        if (status.retryIn() != null) {
            text.append(", the next in ").append(status.retryIn().toMillis()).append(" ms");
        }
        return text.toString();
    }
}
