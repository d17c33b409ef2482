package io.reactiveinformer.controller;

import org.jspecify.annotations.Nullable;

/** A view of a controller tells nothing any more: it was stopped, or has failed, and {@link #getCause} says with what. */
@SuppressWarnings("serial") // failures are not serialized here
public final class ViewEndedException extends RuntimeException {

    private final String view;

    ViewEndedException(String controller, String view, @Nullable Throwable failure) {
        super(controller + ": " + view + (failure == null ? " was stopped" : " has failed: " + failure.getMessage())
                + "; what changes there is no longer seen, start a new informer and a new controller", failure);
        this.view = view;
    }

    public String view() {
        return view;
    }
}
