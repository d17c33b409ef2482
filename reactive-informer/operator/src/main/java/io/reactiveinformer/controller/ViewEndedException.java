package io.reactiveinformer.controller;

import io.reactiveinformer.resource.KubernetesException;
import org.jspecify.annotations.Nullable;

/** A view of a controller has ended: it was stopped, and {@link #getCause} is null, or it has failed with that cause. */
public final class ViewEndedException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    private final String view;

    ViewEndedException(String controller, String view, @Nullable Throwable failure) {
        super(controller + ": " + view + (failure == null ? " was stopped" : " has failed: " + failure.getMessage())
                + "; its changes are no longer received. At the end of a program, drain the controller before its informers are stopped;"
                + " to go on, start a new informer and a new controller", failure);
        this.view = view;
    }

    /** The name of the view, as in {@link ControllerStatus.OfView#name}. */
    public String view() {
        return view;
    }
}
