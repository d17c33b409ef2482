package io.reactiveinformer.controller;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a controller and its views.
 *
 * @param name the name of the controller
 * @param state the state of the controller
 * @param since when it entered this state, by the timer of the queue
 * @param views the state of each view, in the order of {@link ControllerBuilder#watches}
 * @param unseen the last key that waited longer than {@link ControllerBuilder#holdLimit}, and what for; null if none has. The keys that
 *     still wait are in {@link Controller#held}
 */
public record ControllerStatus(String name, State state, Instant since, List<OfView> views, @Nullable String unseen) {

    /**
     * <pre>
     *  IDLE ──warm──▶ SYNCING ──▶ STANDBY ◀──run──▶ WORKING ──▶ DRAINING ──▶ STOPPED
     * </pre>
     */
    public enum State {
        /** Not started. */
        IDLE,
        /** Waiting until all views are synced. */
        SYNCING,
        /** All views are synced, and no subscriber {@linkplain Controller#run runs} it. */
        STANDBY,
        /** Working on queued keys. */
        WORKING,
        /** Taking no more keys. */
        DRAINING,
        /** Closed. */
        STOPPED
    }

    /**
     * The state of one view.
     *
     * @param name the description of an informer; {@code view 2} for the second view if it is not an informer
     * @param synced whether all rows present at the start of the controller have been received
     * @param ended whether the view emits no more changes; the controller goes on without it
     * @param failure the error that ended it; while it goes on, the last error of its route or filter. Null if there was none
     */
    public record OfView(String name, boolean synced, boolean ended, @Nullable Throwable failure) {}

    /** Keeps an immutable copy of {@code views}. */
    public ControllerStatus {
        views = List.copyOf(views);
    }

    /** Whether no view has ended; true if the controller is stopped. */
    public boolean healthy() {
        return state == State.STOPPED || views.stream().noneMatch(OfView::ended);
    }

    /** The names of the views that are not synced yet. */
    public List<String> unsynced() {
        return views.stream().filter(view -> !view.synced()).map(OfView::name).toList();
    }
}
