package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Store;
import io.reactiveinformer.view.InformerStatus;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** What is shown of several informers: an informer whose status comes late holds up none of the others, and each is shown in its place. */
class InformersEndpointTest {


    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final AtomicInteger asked = new AtomicInteger();
    private final InformerFactories three = new InformerFactories(new Beans(List.of(
            informer("late", Duration.ofSeconds(20)), informer("prompt", Duration.ZERO), informer("later", Duration.ofSeconds(30)))),
            new StaticListableBeanFactory().getBeanProvider(DeclaredInformers.class), Stream::empty);

    @Test
    void theEndpointWaitsForAllAtOnce() {
        var shown = new InformersEndpoint(three, Mono.empty()).informers().map(InformersEndpoint.All::informers).toFuture();
        assertThat(asked).as("all are asked before the first has answered").hasValue(3);
        time.advanceTimeBy(Duration.ofSeconds(30));
        assertThat(shown).isCompletedWithValueMatching(
                all -> all.stream().map(InformersEndpoint.One::description).toList().equals(List.of("late", "prompt", "later")));
    }

    @Test
    void healthWaitsForAllAtOnce() {
        var health = new InformersHealthIndicator(three, informer -> List.of(), null).health().toFuture();
        assertThat(asked).as("all are asked before the first has answered").hasValue(3);
        time.advanceTimeBy(Duration.ofSeconds(30));
        assertThat(health).isCompletedWithValueMatching(
                now -> List.copyOf(now.getDetails().keySet()).equals(List.of("late", "prompt", "later")));
    }

    private Informer<?> informer(String name, Duration late) {
        Snapshot<ObjectKey, String> rows = Store.<String>create().snapshot();
        Class<?>[] informer = {Informer.class};
        return (Informer<?>) Proxy.newProxyInstance(getClass().getClassLoader(), informer, (proxy, method, arguments) ->
                switch (method.getName()) {
                    case "status" -> Flux.defer(() -> {
                        asked.incrementAndGet();
                        return Mono.just(InformerStatus.idle(Instant.EPOCH)).delayElement(late, (Scheduler) time).concatWith(Flux.never());
                    });
                    case "description" -> name;
                    case "namespaces" -> Namespaces.all();
                    case "snapshot" -> rows;
                    case "subscribers" -> List.of();
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> throw new AssertionError(method.getName());
                });
    }

    /** One factory with these informers. */
    private record Beans(List<Informer<?>> informers) implements ObjectProvider<InformerFactory> {

        @Override
        public Stream<InformerFactory> orderedStream() {
            return Stream.of((InformerFactory) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {InformerFactory.class},
                    (proxy, method, arguments) -> informers));
        }
    }
}
