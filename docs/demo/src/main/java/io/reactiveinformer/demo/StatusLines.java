package io.reactiveinformer.demo;

import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.resource.InformerStatus.State;
import org.jspecify.annotations.Nullable;

/** Prints a status where the state has changed, and for each retry. Not for several threads at once. */
final class StatusLines {

    private final Printer printer;
    private @Nullable InformerStatus last;

    StatusLines(Printer printer) {
        this.printer = printer;
    }

    void tell(InformerStatus status) {
        boolean repeats = last != null && last.state() == status.state() && last.attempt() == status.attempt();
        if (status.state() != State.IDLE && !repeats) {
            last = status;
            printer.status(status);
        }
    }

    /** What was printed last; null before the first. */
    @Nullable InformerStatus last() {
        return last;
    }
}
