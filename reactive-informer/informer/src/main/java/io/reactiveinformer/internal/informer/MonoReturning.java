package io.reactiveinformer.internal.informer;

import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;

/**
 * Notices when {@code subscribe} of the source has returned or thrown. Until then work that blocks inside of it is still running, whatever
 * signals there were.
 */
public final class MonoReturning<T> extends MonoOperator<T, T> {

    private final Runnable returned;

    /** @param returned called on the thread that subscribed; must not throw */
    public MonoReturning(Mono<T> source, Runnable returned) {
        super(source);
        this.returned = returned;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        try {
            source.subscribe(actual);
        } finally {
            returned.run();
        }
    }
}
