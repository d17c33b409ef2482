package io.reactiveinformer.guide;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/** The table of docs/guide/informer.md: what operators request of the changes when one is requested of them. */
class RequestedAheadTest {

    private static DynamicTest requests(String name, long expected, Function<Flux<String>, Publisher<?>> operator) {
        return DynamicTest.dynamicTest(name, () -> {
            var requested = new AtomicLong();
            Flux<String> changes = Flux.<String>never().doOnRequest(requested::addAndGet);
            var subscriber = new BaseSubscriber<Object>() {
                @Override
                protected void hookOnSubscribe(Subscription subscription) {
                    subscription.request(1);
                }
            };
            operator.apply(changes).subscribe(subscriber);
            assertThat(requested).hasValue(expected);
            subscriber.cancel();
        });
    }

    @TestFactory
    Stream<DynamicTest> asTheTableSays() {
        return Stream.of(
                requests("map", 1, changes -> changes.map(change -> change)),
                requests("filter", 1, changes -> changes.filter(change -> true)),
                requests("mapNotNull", 1, changes -> changes.mapNotNull(change -> change)),
                requests("concatMap", 1, changes -> changes.concatMap(Mono::just)),
                requests("concatMap(work, 8)", 8, changes -> changes.concatMap(Mono::just, 8)),
                requests("publishOn", 256, changes -> changes.publishOn(Schedulers.parallel())),
                requests("publishOn(scheduler, 1)", 1, changes -> changes.publishOn(Schedulers.parallel(), 1)),
                requests("flatMap(work, 8)", 8, changes -> changes.flatMap(Mono::just, 8)),
                requests("flatMap", 256, changes -> changes.flatMap(Mono::just)),
                requests("groupBy", 256, changes -> changes.groupBy(change -> change)),
                requests("merge", 32, changes -> Flux.merge(changes, Flux.never())),
                requests("zip", 32, changes -> Flux.zip(changes, Flux.never())),
                requests("limitRate(7)", 7, changes -> changes.limitRate(7)),
                requests("buffer(7)", 7, changes -> changes.buffer(7)),
                requests("window(7)", 7, changes -> changes.window(7)));
    }
}
