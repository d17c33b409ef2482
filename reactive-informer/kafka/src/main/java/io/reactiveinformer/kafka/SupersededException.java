package io.reactiveinformer.kafka;

import io.reactiveinformer.resource.KubernetesException;

/** Another publisher, with a greater term, or started later with the same one, publishes to the topic. This one has written its last. */
public final class SupersededException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    SupersededException(String message) {
        super(message, null);
    }
}
