package io.reactiveinformer.view;

import java.time.Instant;
import java.util.List;
import reactor.core.publisher.Flux;

/**
 * Each state of each row, and where some are missing: for an audit, which must go on when it was too slow, and must say so.
 *
 * <pre>{@code
 * Audited.of(pods, Delivery.every(10_000).named("audit")).concatMap(one -> one instanceof Audited.Gap<ObjectKey, V1Pod> gap
 *         ? writeGap(gap) : write(((Audited.State<ObjectKey, V1Pod>) one).change()))
 * }</pre>
 *
 * @param <K> the keys, which identify rows
 * @param <T> the rows
 */
public sealed interface Audited<K, T> {

    /** A change, with no state between it and the one before, as far as the view itself received them. */
    record State<K, T>(Change<K, T> change) implements Audited<K, T> {}

    /**
     * States are missing here: more changes waited than the delivery allows, and were dropped.
     *
     * @param missing how many changes were dropped
     * @param since when the first of them began to wait
     * @param rows the rows that are not as they were received last, from that state to the present one, which counts as one of the dropped
     *     ones. Before {@link Change.Synced} also rows that were there at the beginning and not received yet. Deletions are inferred, since their own change was dropped
     */
    record Gap<K, T>(long missing, Instant since, List<Change<K, T>> rows) implements Audited<K, T> {}

    /**
     * The changes of {@code view}; with another delivery than {@code every}, there are no gaps. Where a subscription with {@link Delivery#every} would fail with {@link BacklogOverflowException}, a
     * {@link Gap} is emitted, and each state after it; that is logged as an outage. Keeps an entry for each row. Threads, demand, completion and other errors are those of
     * {@link View#changes(Delivery)}.
     */
    static <K, T> Flux<Audited<K, T>> of(View<K, T> view, Delivery delivery) {
        return !delivery.keepsEach() ? view.changes(delivery).map(State::new) : Flux.defer(() -> {
            var received = new AuditedRows<K, T>(delivery);
            return view.changes(delivery.counting(received.missed())).mapNotNull(received::next);
        });
    }
}
