package io.reactiveinformer.view;

import org.reactivestreams.Publisher;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.TestEnvironment;

/** The rules of Reactive Streams, on the changes of a view derived from rows that are complete and do not change any more. */
abstract class DerivedChangesTck<K, T> extends PublisherVerification<Change<K, T>> {

    DerivedChangesTck() {
        super(new TestEnvironment(10_000, 50, 10));
    }

    abstract View<K, T> derive(View<String, String> rows);

    @Override
    public long maxElementsFromPublisher() {
        return 2_000;
    }

    @Override
    public Publisher<Change<K, T>> createPublisher(long elements) {
        Rows rows = elements == 0 ? Rows.incomplete() : Rows.complete();
        for (int i = 1; i < elements; i++) {
            rows.edit("k" + i, "u" + i, i);
        }
        if (elements > 1) {
            rows.commit();
        }
        rows.hub.complete();
        return derive(HubView.of(rows)).changes();
    }

    @Override
    public Publisher<Change<K, T>> createFailedPublisher() {
        return null; // a view fails on its worker, which these rules cannot wait for
    }
}
