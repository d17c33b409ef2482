package io.reactiveinformer.view;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;

/** Writes down what it receives, shortly: {@code +a=u@1 (initial)}, {@code a: u@1 -> u@2}, {@code -a=u@2 OBSERVED 3}, {@code synced 1}. */
class Listening<T> implements CoreSubscriber<Change<String, T>> {

    final List<String> received = new ArrayList<>();
    @Nullable Subscription subscription;
    @Nullable Throwable failure;
    boolean completed;

    static <T> Listening<T> to(Flux<Change<String, T>> changes) {
        var listening = new Listening<T>();
        changes.subscribe(listening);
        return listening;
    }

    Listening<T> request(long n) {
        subscription.request(n);
        return this;
    }

    Listening<T> all() {
        return request(Long.MAX_VALUE);
    }

    /** What was received since the last call. */
    List<String> received() {
        List<String> since = List.copyOf(received);
        received.clear();
        return since;
    }

    int backlog() {
        return Scannable.from(subscription).scan(Scannable.Attr.BUFFERED);
    }

    @Override
    public void onSubscribe(Subscription s) {
        subscription = s;
    }

    @Override
    public void onNext(Change<String, T> change) {
        received.add(change.match(
                added -> "+" + added.key() + "=" + added.object() + (added.initial() ? " (initial)" : ""),
                updated -> updated.key() + ": " + updated.before() + " -> " + updated.after(),
                deleted -> "-" + deleted.key() + "=" + deleted.last() + " " + deleted.cause() + " " + deleted.deletedAt(),
                synced -> "synced " + synced.count()));
    }

    @Override
    public void onError(Throwable thrown) {
        failure = thrown;
    }

    @Override
    public void onComplete() {
        completed = true;
    }
}
