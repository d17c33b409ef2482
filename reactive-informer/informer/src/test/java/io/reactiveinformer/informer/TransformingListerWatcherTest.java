package io.reactiveinformer.informer;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

class TransformingListerWatcherTest {

    private static final ObjectKey A = ObjectKey.of("ns", "a");
    private static final Versioned<String> LISTED = new Versioned<>("u", "1", "raw");

    private final Store<String> store = Store.create();

    private static ListerWatcher<String> emitting(ObjectEvent<String> event) {
        return new ListerWatcher<>() {
            @Override
            public Identity identity() {
                return Identity.of("texts", Namespaces.all());
            }

            @Override
            public Flux<ObjectEvent<String>> list(ListOptions options, Reading<String> reading) {
                return Flux.just(new ObjectEvent.Applied<>(A, LISTED));
            }

            @Override
            public Flux<ObjectEvent<String>> watch(WatchOptions options, Reading<String> reading) {
                return Flux.just(event);
            }
        };
    }

    private static ListerWatcher<String> louder(ObjectEvent<String> event) {
        return new TransformingListerWatcher<>(emitting(event), text -> {
            if (text.equals("mute")) {
                throw new IllegalStateException("the text was " + text);
            }
            return text + "!";
        });
    }

    /** Planted once, and caught: one that transforms again. */
    @Test
    void takesWhatIsCachedInTheSameVersionAsItIs() {
        ListerWatcher<String> texts = louder(new ObjectEvent.Opened<>());
        assertThat(texts.list(ListOptions.defaults(), Reading.of(store::find)).blockFirst())
                .isEqualTo(new ObjectEvent.Applied<>(A, LISTED.with("raw!")));

        Versioned<String> cached = LISTED.with("cached!");
        store.apply(new Delta.Upserted<>(Namespaces.all(), A, cached));
        assertThat(texts.list(ListOptions.defaults(), Reading.of(store::find)).blockFirst())
                .isInstanceOfSatisfying(ObjectEvent.Applied.class,
                item -> assertThat(item.entry()).isSameAs(cached));
    }

    /**
     * A source gives what is cached where its version is the same, and a streaming list is a watch: what is cached was transformed, and may
     * be cached no longer.
     */
    @Test
    void whatWasCachedIsNotTransformedAgain() {
        Versioned<String> cached = LISTED.with("cached!");
        List<Function<Versioned<String>, ObjectEvent<String>>> events =
                List.of(entry -> new ObjectEvent.Applied<>(A, entry), entry -> new ObjectEvent.Applied<>(A, entry, true),
                        entry -> new ObjectEvent.Deleted<>(A, entry));
        for (Function<Versioned<String>, ObjectEvent<String>> event : events) {
            for (boolean stillThere : new boolean[] {true, false}) {
                Store<String> store = Store.create();
                store.apply(new Delta.Upserted<>(Namespaces.all(), A, cached));
                ListerWatcher<String> source = new TransformingListerWatcher<>(finding(found -> {
                    if (!stillThere) {
                        store.apply(new Delta.Deleted<>(Namespaces.all(), A, new Versioned<>("u", "2", found.object()),
                                DeletionCause.OBSERVED));
                        assertThat(store.find(A)).isNull();
                    }
                    return event.apply(found);
                }), text -> {
                    throw new AssertionError("transformed " + text);
                });
                assertThat(source.watch(WatchOptions.from("1", Duration.ofMinutes(1)), Reading.of(store::find)).blockFirst())
                        .isEqualTo(event.apply(cached));
            }
        }
        Versioned<String> next = new Versioned<>("u", "2", "raw");
        assertThat(louder(new ObjectEvent.Applied<>(A, next, true))
                .watch(WatchOptions.from("1", Duration.ofMinutes(1)), Reading.of(store::find)).blockFirst())
                .isEqualTo(new ObjectEvent.Applied<>(A, next.with("raw!"), true));
    }

    /** Or a state that is cached no longer would be kept as long as the watch lasts. */
    @Test
    void whatCannotBeReadIsForgotten() {
        store.apply(new Delta.Upserted<>(Namespaces.all(), A, LISTED));
        var failure = new UnreadableObjectException("not a text", null);
        ListerWatcher<String> source = new TransformingListerWatcher<>(finding(found -> {
            store.apply(new Delta.Deleted<>(Namespaces.all(), A, new Versioned<>("u", "2", found.object()), DeletionCause.OBSERVED));
            return new ObjectEvent.Unreadable<>(A, "u", "2", true, failure);
        }, new ObjectEvent.Applied<>(A, LISTED)), text -> text + "!");
        assertThat(source.watch(WatchOptions.from("1", Duration.ofMinutes(1)), Reading.of(store::find)).collectList().block())
                .last().isEqualTo(new ObjectEvent.Applied<>(A, LISTED.with("raw!")));
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // Flux.just does not write to them
    private static ListerWatcher<String> finding(Function<Versioned<String>, ObjectEvent<String>> event, ObjectEvent<String>... others) {
        ListerWatcher<String> source = emitting(new ObjectEvent.Opened<>());
        return new ListerWatcher<>() {
            @Override
            public Identity identity() {
                return source.identity();
            }

            @Override
            public Flux<ObjectEvent<String>> list(ListOptions options, Reading<String> reading) {
                return source.list(options, reading);
            }

            @Override
            public Flux<ObjectEvent<String>> watch(WatchOptions options, Reading<String> reading) {
                return Flux.defer(() -> Flux.just(event.apply(Objects.requireNonNull(reading.find(A)))).concatWith(Flux.just(others)));
            }
        };
    }

    @Test
    void aDeletionThatItCannotTransformIsADeletionStill() {
        Versioned<String> last = new Versioned<>("u", "2", "mute");
        assertThat(louder(new ObjectEvent.Deleted<>(A, last))
                .watch(WatchOptions.from("1", Duration.ofMinutes(1)), Reading.of(store::find)).blockFirst())
                .isInstanceOfSatisfying(ObjectEvent.Unreadable.class, unreadable -> {
                    assertThat(unreadable.deleted()).isTrue();
                    assertThat(unreadable.key()).isEqualTo(A);
                    assertThat(unreadable.resourceVersion()).isEqualTo("2");
                    assertThat(unreadable.failure()).hasMessageContainingAll("texts", "ns/a").hasMessageNotContaining("mute");
                });
    }
}
