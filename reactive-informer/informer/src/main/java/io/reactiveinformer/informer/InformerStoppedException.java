package io.reactiveinformer.informer;

import io.reactiveinformer.resource.KubernetesException;

/** The informer was stopped before an event that a subscriber waited for. A new informer is needed to wait for it. */
public final class InformerStoppedException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    InformerStoppedException(String what, String awaited) {
        super(what + ": stopped before " + awaited, null);
    }
}
