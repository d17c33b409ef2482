package io.reactiveinformer.informer;

import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.view.InformerStatus;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a caller waited for was not received within the given time, or before the informer was stopped: the first complete state, or a state
 * of an object. {@link #status} has the reason.
 */
public final class NotSyncedException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // not meant to be serialised; RuntimeException only happens to be Serializable
    private final InformerStatus status;

    NotSyncedException(String what, @Nullable Duration waited, InformerStatus status) {
        this(what, "not synced", waited, status);
    }

    /** @param missing what was not received */
    NotSyncedException(String what, String missing, @Nullable Duration waited, InformerStatus status) {
        super(describe(what + ": " + missing, waited, status), status.cause());
        this.status = status;
    }

    private NotSyncedException(String message, NotSyncedException first) {
        super(message, first.getCause());
        this.status = first.status;
    }

    /** The exception for several informers, at least one; its status is that of the first. */
    static NotSyncedException of(List<NotSyncedException> each) {
        NotSyncedException first = each.get(0);
        String all = each.stream().map(NotSyncedException::getMessage).collect(Collectors.joining("; "));
        return each.size() == 1 ? first : new NotSyncedException(each.size() + " informers are not synced: " + all, first);
    }

    /**
     * The status of the informer when this was created; of several informers, that of the first. If an object was awaited, and there are
     * several namespaces, that of its namespace.
     */
    public InformerStatus status() {
        return status;
    }

    private static String describe(String what, @Nullable Duration waited, InformerStatus status) {
        var text = new StringBuilder(what);
        text.append(waited == null ? "" : " after " + waited.toString().substring(2).toLowerCase(Locale.ROOT));
        text.append(", ").append(status.state());
        if (status.cause() != null) {
            text.append(": ").append(status.cause().getMessage());
        }
        if (status.attempt() > 0) {
            text.append("; failed tries: ").append(status.attempt());
        }
        if (status.retryIn() != null) {
            text.append(", the next in ").append(status.retryIn().toMillis()).append(" ms");
        }
        return text.toString();
    }
}
