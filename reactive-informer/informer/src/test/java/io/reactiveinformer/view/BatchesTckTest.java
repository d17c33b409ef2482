package io.reactiveinformer.view;

import java.util.List;
import org.reactivestreams.Publisher;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.TestEnvironment;

/** The rules of Reactive Streams, on batches of one change each. */
public class BatchesTckTest extends PublisherVerification<List<Change<String, String>>> {

    public BatchesTckTest() {
        super(new TestEnvironment(10_000, 50, 10));
    }

    @Override
    public long maxElementsFromPublisher() {
        return 2_000;
    }

    @Override
    public Publisher<List<Change<String, String>>> createPublisher(long elements) {
        Rows rows = elements == 0 ? Rows.incomplete() : Rows.complete();
        for (int i = 1; i < elements; i++) {
            rows.edit("k" + i, "u", i);
        }
        if (elements > 1) {
            rows.commit();
        }
        rows.hub.complete();
        return HubView.of(rows).batches(1, Delivery.conflated());
    }

    @Override
    public Publisher<List<Change<String, String>>> createFailedPublisher() {
        Rows rows = Rows.complete();
        rows.hub.fail(new IllegalStateException("given up"));
        return HubView.of(rows).batches(1, Delivery.conflated());
    }
}
