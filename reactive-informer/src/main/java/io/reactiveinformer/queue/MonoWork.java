package io.reactiveinformer.queue;

import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.core.publisher.Operators;

/** The work on an item: begins unless the item was given back before, and keeps it until the work's subscription has returned. */
final class MonoWork<K> extends MonoOperator<Result, Result> {

    private final WorkItem<K> item;

    MonoWork(WorkItem<K> item, Mono<Result> work) {
        super(work);
        this.item = item;
    }

    @Override
    public void subscribe(CoreSubscriber<? super Result> actual) {
        if (item.start()) {
            try {
                source.subscribe(actual);
            } finally {
                item.started();
            }
        } else {
            Operators.complete(actual);
        }
    }
}
