package io.reactiveinformer.test.informer;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.InformerStatus.State;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.resource.WatchEvent;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.test.ScriptedListerWatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.test.scheduler.VirtualTimeScheduler;

import static io.reactiveinformer.test.Script.expired;
import static io.reactiveinformer.test.Script.staysOpenAfter;
import static org.assertj.core.api.Assertions.assertThat;

/** Laws 16 and 17: what users' code throws harms nobody else. */
class InformerFaultsTest {

    private static final ObjectKey A = ObjectKey.clusterScoped("a");
    private static final ObjectKey B = ObjectKey.clusterScoped("b");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();

    @AfterEach
    void realTime() {
        VirtualTimeScheduler.reset();
    }

    /** Its equality with itself aside, nobody can tell. */
    private record Touchy(String name) {
        @Override
        public boolean equals(Object other) {
            throw new NullPointerException("a field");
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    @Test
    void anEqualsThatThrowsStopsNothing() {
        var server = new ScriptedListerWatcher<Touchy>()
                .onList(Flux.just(item(A, null), new ListEvent.End<>("10", null))).onWatch("10", expired())
                .onList(Flux.just(item(A, null), item(B, "15"), new ListEvent.End<>("20", null)))
                .onWatch("20", staysOpenAfter(new WatchEvent.Added<>(ObjectKey.clusterScoped("c"), new Versioned<>("u", "21", new Touchy("c")))));
        Informer<Touchy> informer = Informer.over(server, ReflectorOptions.defaults().streaming(false).timer(time).random(() -> 0));
        List<String> states = new ArrayList<>();
        informer.status().subscribe(status -> states.add(status.state().name()), failure -> {}, () -> states.add("complete"));
        informer.start();
        time.advanceTimeBy(Duration.ofSeconds(10));

        assertThat(informer.snapshot().size()).isEqualTo(3);
        assertThat(states).last().isEqualTo("LIVE");
        informer.stop();
        time.advanceTimeBy(Duration.ZERO);
        assertThat(states).endsWith("STOPPED", "complete");
        server.verifyPlayedToTheEnd();
    }

    /** Who throws from {@code onComplete} breaks the rules of Reactive Streams; it must not be able to end an informer by that. */
    @Test
    void whoThrowsWhenAnIndexIsFilledHarmsOnlyItself() {
        var server = new ScriptedListerWatcher<String>().onList("10", "a").onWatch("10", staysOpenAfter());
        Informer<String> informer = Informer.over(server, ReflectorOptions.defaults().streaming(false).timer(time));
        List<State> states = new ArrayList<>();
        informer.status().subscribe(status -> states.add(status.state()));
        informer.start();
        informer.addIndex(Index.of("length", String::length)).subscribe(new CoreSubscriber<Void>() {
            @Override
            public void onSubscribe(Subscription subscription) {
                subscription.request(1);
            }

            @Override
            public void onNext(Void nothing) {}

            @Override
            public void onError(Throwable failure) {}

            @Override
            public void onComplete() {
                throw new IllegalStateException("against the rules");
            }
        });
        time.advanceTimeBy(Duration.ZERO);

        assertThat(states).last().isEqualTo(State.LIVE);
    }

    private static ListEvent<Touchy> item(ObjectKey key, @Nullable String version) {
        return new ListEvent.Item<>(key, new Versioned<>(null, version, new Touchy(key.name())));
    }
}
