package io.reactiveinformer.controller;

/**
 * Why a key is reconciled.
 *
 * @param view the name of the view that changed, see {@link ControllerBuilder#watches}; the name of the controller for {@link Kind#ASKED} and
 *     {@link Kind#AGAIN}
 * @param row the key of the row in that view, as text; for {@link Kind#ASKED} and {@link Kind#AGAIN} the key of the request itself
 */
public record Cause(Kind kind, String view, String row) {

    /** What happened. */
    public enum Kind {
        ADDED, UPDATED, DELETED,
        /** No change: the row is part of the initial state, or was emitted again by a resync. */
        TOLD,
        /** The key was added by a caller: {@link Controller#add}. */
        ASKED,
        /** An earlier request for the key failed, had the result {@code again}, or was cancelled. */
        AGAIN
    }

    /** {@code UPDATED pods.v1 prod/web-1}. */
    @Override
    public String toString() {
        return kind + " " + view + " " + row;
    }
}
