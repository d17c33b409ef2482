package io.reactiveinformer.internal;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

class WatchdogTest {

    /** Ails always, and counts how often it is looked at. */
    private static final class Patient implements Watchdog.Watched {

        private final CountDownLatch looks = new CountDownLatch(1);

        @Override
        public boolean ails() {
            return true;
        }

        @Override
        public void look() {
            looks.countDown();
        }

        @Override
        public void doubt() {}
    }

    /** A thread that can start no other. */
    private static final class Poor extends Thread {

        Poor(Runnable work) {
            super(work);
        }

        @Override
        public ClassLoader getContextClassLoader() {
            throw new OutOfMemoryError("unable to create native thread");
        }
    }

    /** The caller could not undo it if it threw, and would be watched twice after another try. */
    @Test
    void watchesAlsoIfNoThreadCanBeStartedAtFirst() throws InterruptedException {
        Watchdog.current = null; // another test may have left one, which ends now
        var one = new Patient();
        var watching = new CompletableFuture<Disposable>();
        new Poor(() -> {
            try {
                watching.complete(Watchdog.watch(one));
            } catch (Throwable thrown) {
                watching.completeExceptionally(thrown);
            }
        }).start();
        assertThat(watching).succeedsWithin(Duration.ofSeconds(10));
        assertThat(Watchdog.watched).containsOnlyOnce(one);
        new Thread(Watchdog::begin).start(); // as the timer, whose own thread the poor one may have been unable to start
        assertThat(one.looks.await(30, TimeUnit.SECONDS)).isTrue();
        watching.join().dispose();
        assertThat(Watchdog.watched).doesNotContain(one);
    }

    /** A server that never answers. */
    private static final class Silent implements Transport {

        @Override
        public <R> Flux<R> exchange(HttpRequest request, Function<Answer, ? extends Publisher<R>> reader) {
            return Flux.never();
        }

        @Override
        public Mono<Void> dispose() {
            return Mono.empty();
        }
    }

    @Test
    void aStoppedInformerIsNotWatchedAnyMore() {
        try (KubernetesClient client = KubernetesClient.over(new Silent())) {
            Informer<V1Pod> informer = InformerFactory.create(client).of(ResourceType.of(V1Pod.class));
            List<Watchdog.Watched> before = List.of(Watchdog.watched);
            informer.start();
            List<Watchdog.Watched> its = Stream.of(Watchdog.watched).filter(each -> !before.contains(each)).toList();
            assertThat(its).isNotEmpty();
            informer.stop();
            assertThat(Watchdog.watched).doesNotContainAnyElementsOf(its);
        }
    }

    @Test
    void allStartOverAlsoIfOneCannot() {
        List<String> doubted = new ArrayList<>();
        class Doubtful implements Watchdog.Watched {

            private final String name;

            Doubtful(String name) {
                this.name = name;
            }

            @Override
            public boolean ails() {
                return false;
            }

            @Override
            public void look() {}

            @Override
            public void doubt() {
                doubted.add(name);
                if (name.equals("broken")) {
                    throw new OutOfMemoryError("planned");
                }
            }
        }
        assertThat(Watchdog.doubt(new Watchdog.Watched[] {new Doubtful("broken"), new Doubtful("other")})).as("done").isFalse();
        assertThat(doubted).containsExactly("broken", "other");
        assertThat(Watchdog.doubt(new Watchdog.Watched[] {new Doubtful("other")})).isTrue();
    }
}
