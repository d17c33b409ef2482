package io.reactiveinformer.view;

import org.reactivestreams.Publisher;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.TestEnvironment;

/** The rules of Reactive Streams, on the changes of rows that are complete and do not change any more. */
public class ChangesTckTest extends PublisherVerification<Change<String, String>> {

    public ChangesTckTest() {
        super(new TestEnvironment(10_000, 50, 10));
    }

    @Override
    public long maxElementsFromPublisher() {
        return 5_000;
    }

    @Override
    public Publisher<Change<String, String>> createPublisher(long elements) {
        Rows rows = elements == 0 ? Rows.incomplete() : Rows.complete();
        for (int i = 1; i < elements; i++) {
            rows.edit("k" + i, "u", i);
        }
        if (elements > 1) {
            rows.commit();
        }
        rows.hub.complete();
        return rows.hub.changes(Delivery.conflated());
    }

    @Override
    public Publisher<Change<String, String>> createFailedPublisher() {
        Rows rows = Rows.complete();
        rows.hub.fail(new IllegalStateException("given up"));
        return rows.hub.changes(Delivery.conflated());
    }
}
