package io.reactiveinformer.view;

import java.time.Duration;
import org.reactivestreams.Publisher;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.TestEnvironment;

/** The rules of Reactive Streams, on a memory of rows that do not change any more. */
public class RememberedTckTest extends PublisherVerification<Remembered<String, String>> {

    public RememberedTckTest() {
        super(new TestEnvironment(10_000, 50, 10));
    }

    @Override
    public long maxElementsFromPublisher() {
        return 5_000;
    }

    @Override
    public Publisher<Remembered<String, String>> createPublisher(long elements) {
        Rows rows = elements == 0 ? Rows.incomplete() : Rows.complete();
        Memory<String, String> memory = HubView.of(rows).remembering(Retention.of(Duration.ofHours(1)));
        String position = memory.position();
        for (int i = 1; i < elements; i++) {
            rows.edit("k" + i, "u", i);
        }
        if (elements > 1) {
            rows.commit();
        }
        rows.hub.complete();
        return memory.changesSince(position, Delivery.conflated());
    }

    @Override
    public Publisher<Remembered<String, String>> createFailedPublisher() {
        Rows rows = Rows.complete();
        rows.hub.fail(new IllegalStateException("given up"));
        return HubView.of(rows).remembering(Retention.of(Duration.ofHours(1))).changesSince(null, Delivery.conflated());
    }
}
