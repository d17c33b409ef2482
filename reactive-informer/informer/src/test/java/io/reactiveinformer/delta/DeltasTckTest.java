package io.reactiveinformer.delta;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.stream.IntStream;
import org.reactivestreams.Publisher;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.TestEnvironment;
import reactor.core.publisher.Flux;

/** The rules of Reactive Streams, on the deltas of events that are all of different objects. */
public class DeltasTckTest extends PublisherVerification<Delta<String>> {

    public DeltasTckTest() {
        super(new TestEnvironment(10_000, 50, 10));
    }

    @Override
    public long maxElementsFromPublisher() {
        return 5_000;
    }

    @Override
    public Publisher<Delta<String>> createPublisher(long elements) {
        Flux<ReflectorEvent<String>> events = Flux.fromStream(() -> IntStream.rangeClosed(1, (int) elements)
                .mapToObj(DeltasTckTest::upserted));
        return events.transform(DeltaStage.over(Known.none()));
    }

    private static ReflectorEvent<String> upserted(int i) {
        return new ReflectorEvent.Received<>(
                Namespaces.all(), new ObjectEvent.Applied<>(ObjectKey.clusterScoped("k" + i),
                        new Versioned<>("u" + i, String.valueOf(i), "v" + i)));
    }

    @Override
    public Publisher<Delta<String>> createFailedPublisher() {
        return Flux.<ReflectorEvent<String>>error(new IllegalStateException("given up")).transform(DeltaStage.over(Known.none()));
    }
}
