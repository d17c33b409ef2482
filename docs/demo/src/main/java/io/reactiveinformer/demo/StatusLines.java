package io.reactiveinformer.demo;

import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import org.jspecify.annotations.Nullable;

/** Prints a status if its state differs from the last one, and for each retry. Not for several threads at once. */
final class StatusLines {

    private final Printer printer;
    private @Nullable InformerStatus last;
    private @Nullable KubernetesException lastCause;

    StatusLines(Printer printer) {
        this.printer = printer;
    }

    void tell(InformerStatus status) {
        boolean repeats = last != null && last.state() == status.state()
                && (last.attempt() == status.attempt() || status.state() == State.LISTING); // the lookup's, then the informer's
        if (status.state() != State.IDLE && !repeats) {
            last = status;
            lastCause = status.state() == State.STOPPED && status.cause() == null ? lastCause : status.cause();
            printer.status(status);
        }
    }

    /** The cause in the last printed status; null if there was none. */
    @Nullable KubernetesException lastCause() {
        return lastCause;
    }
}
