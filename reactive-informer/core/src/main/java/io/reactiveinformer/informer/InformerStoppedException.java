package io.reactiveinformer.informer;

import io.reactiveinformer.resource.KubernetesException;

/** The informer was stopped before what a subscriber waited for had come; it will not come any more. */
public final class InformerStoppedException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    InformerStoppedException(String what, String awaited) {
        super(what + ": stopped before " + awaited, null);
    }
}
