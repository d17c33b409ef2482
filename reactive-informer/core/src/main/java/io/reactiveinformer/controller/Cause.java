package io.reactiveinformer.controller;

/**
 * Why a key is looked at.
 *
 * @param view in which something happened, see {@link ControllerBuilder#on}; the name of the controller where nothing did
 * @param row the key of that row, as text; of what was added by hand, the key itself
 */
public record Cause(Kind kind, String view, String row) {

    /** What happened. */
    public enum Kind {
        ADDED, UPDATED, DELETED,
        /** Nothing: it was there, or told again. */
        TOLD,
        /** Somebody asked for it: {@link Controller#add}. */
        ASKED,
        /** An earlier request had a result that asks for this one, or was cancelled. */
        AGAIN
    }

    /** {@code UPDATED pods.v1 prod/web-1}. */
    @Override
    public String toString() {
        return kind + " " + view + " " + row;
    }
}
