package io.reactiveinformer.internal.codec;

import org.reactivestreams.Publisher;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.TestEnvironment;
import reactor.core.publisher.Flux;

/** The rules of Reactive Streams, on a body of three letters a chunk. */
public class CutTckTest extends PublisherVerification<Character> {

    public CutTckTest() {
        super(new TestEnvironment(10_000, 50, 10));
    }

    @Override
    public long maxElementsFromPublisher() {
        return 5_000;
    }

    @Override
    public Publisher<Character> createPublisher(long elements) {
        return Flux.defer(() -> new FluxCut<>(
                Flux.range(0, (int) (elements / 3 + 1)).map(i -> Letters.chunk("abc".substring(0, (int) Math.min(3, elements - i * 3L)))),
                new Letters()));
    }

    @Override
    public Publisher<Character> createFailedPublisher() {
        return new FluxCut<>(Flux.error(new IllegalStateException("cut off")), new Letters());
    }
}
