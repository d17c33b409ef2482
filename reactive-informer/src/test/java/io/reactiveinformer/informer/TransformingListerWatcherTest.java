package io.reactiveinformer.informer;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.delta.Known;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.resource.WatchEvent;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Store;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

class TransformingListerWatcherTest {

    private static final ObjectKey A = ObjectKey.of("ns", "a");
    private static final Versioned<String> LISTED = new Versioned<>("u", "1", "raw");

    private final Store<String> store = Store.create();

    private static ListerWatcher<String> telling(WatchEvent<String> event) {
        return new ListerWatcher<>() {
            @Override
            public String description() {
                return "texts";
            }

            @Override
            public Scope part() {
                return Scope.all();
            }

            @Override
            public Flux<ListEvent<String>> list(ListOptions options, Known<String> known) {
                return Flux.just(new ListEvent.Item<>(A, LISTED));
            }

            @Override
            public Flux<WatchEvent<String>> watch(WatchOptions options, Known<String> known) {
                return Flux.just(event);
            }
        };
    }

    private static ListerWatcher<String> louder(WatchEvent<String> event) {
        return new TransformingListerWatcher<>(telling(event), text -> {
            if (text.equals("mute")) {
                throw new IllegalStateException("the text was " + text);
            }
            return text + "!";
        });
    }

    /** Planted once, and caught: one that transforms again. */
    @Test
    void takesWhatIsHeldInTheSameVersionAsItIs() {
        ListerWatcher<String> texts = louder(new WatchEvent.Opened<>());
        assertThat(texts.list(ListOptions.defaults(), store).blockFirst()).isEqualTo(new ListEvent.Item<>(A, LISTED.with("raw!")));

        Versioned<String> held = LISTED.with("held!");
        store.apply(new Delta.Upserted<>(Scope.all(), A, held));
        assertThat(texts.list(ListOptions.defaults(), store).blockFirst()).isInstanceOfSatisfying(ListEvent.Item.class,
                item -> assertThat(item.entry()).isSameAs(held));
    }

    @Test
    void aDeletionThatItCannotTransformIsADeletionStill() {
        Versioned<String> last = new Versioned<>("u", "2", "mute");
        assertThat(louder(new WatchEvent.Deleted<>(A, last)).watch(WatchOptions.from("1", Duration.ofMinutes(1)), store).blockFirst())
                .isInstanceOfSatisfying(WatchEvent.Unreadable.class, unreadable -> {
                    assertThat(unreadable.deleted()).isTrue();
                    assertThat(unreadable.key()).isEqualTo(A);
                    assertThat(unreadable.resourceVersion()).isEqualTo("2");
                    assertThat(unreadable.failure()).hasMessageContainingAll("texts", "ns/a").hasMessageNotContaining("mute");
                });
    }
}
