package io.reactiveinformer.controller;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a controller stands.
 *
 * @param since when it entered this state
 * @param views how each of its views stands, in the order in which they were named
 * @param unseen what a key has last waited for in vain, see {@link ControllerBuilder#holdLimit}; null if none has. For those that still wait see
 *     {@link Controller#held}
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
        /** All views are synced, and nobody {@linkplain Controller#run runs} it. */
        STANDBY,
        /** Working on what there is to do. */
        WORKING,
        /** Taking no more keys. */
        DRAINING,
        /** Over. */
        STOPPED
    }

    /**
     * One view.
     *
     * @param synced whether all that was there when the controller began has been told
     * @param ended whether it tells nothing any more, though the controller goes on
     * @param failure what it ended with; while it goes on, what its route last threw. Null if nothing went wrong
     */
    public record OfView(String name, boolean synced, boolean ended, @Nullable Throwable failure) {}

    public ControllerStatus {
        views = List.copyOf(views);
    }

    /** Whether every view still tells what happens. */
    public boolean healthy() {
        return state == State.STOPPED || views.stream().noneMatch(OfView::ended);
    }

    /** The names of the views that are waited for. */
    public List<String> unsynced() {
        return views.stream().filter(view -> !view.synced()).map(OfView::name).toList();
    }
}
