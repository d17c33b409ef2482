package io.reactiveinformer.informer;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.view.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Law 22 (and 1, 2, 8): namespaces that are changed at random while objects change, watches are cut, and subscribers come and request as
 * they like. At rest, the cache and what each listener replays are what the watched namespaces hold. Stream scenarios 89 and 90.
 *
 * <p>Each of these was planted once, and caught: rows of a namespace that left, kept; what leaves, emitted to nobody; a namespace that
 * joins, not listed.
 */
class ResizeLawsTest {

    private static final List<String> NAMESPACES = List.of("a", "b", "c");

    @Property(tries = 600, seed = "1")
    void atRestEverybodyKnowsWhatTheScopeHolds(@ForAll("schedules") List<Integer> schedule) {
        VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
        try {
            new World(time).play(schedule);
        } finally {
            VirtualTimeScheduler.reset();
        }
    }

    @Provide
    Arbitrary<List<Integer>> schedules() {
        return Arbitraries.integers().between(0, 9_999).list().ofMinSize(1).ofMaxSize(60);
    }

    private static final class World {

        private final VirtualTimeScheduler time;
        private final Map<String, Namespace> namespaces = new HashMap<>();
        private final List<Listener> listeners = new ArrayList<>();
        private final Informer<String> informer;
        private int version = 10;

        World(VirtualTimeScheduler time) {
            this.time = time;
            NAMESPACES.forEach(name -> namespaces.put(name, new Namespace(this, name)));
            informer = Informer.over("texts", Namespaces.of(List.of("a")), part -> namespaces.get(part.single()),
                    ReflectorOptions.defaults().withStreaming(false).withTimer(time).withRandom(() -> 0));
            informer.start();
        }

        void play(List<Integer> schedule) {
            for (int step : schedule) {
                play(step % 12, step / 12);
            }
            listeners.forEach(listener -> listener.request(10_000));
            time.advanceTimeBy(Duration.ofMinutes(2));
            Map<ObjectKey, String> wanted = new TreeMap<>();
            informer.namespaces().names().forEach(name -> wanted.putAll(namespaces.get(name).objects()));
            Map<ObjectKey, String> cached = new TreeMap<>();
            informer.snapshot().forEach((key, row) -> cached.put(key, row.object()));
            assertThat(cached).isEqualTo(wanted);
            assertThat(informer.snapshot().complete()).isTrue();
            listeners.forEach(listener -> {
                assertThat(listener.failure).isNull();
                assertThat(listener.replayed()).isEqualTo(wanted);
            });
            informer.stop();
        }

        private void play(int action, int detail) {
            Namespace namespace = namespaces.get(NAMESPACES.get(detail % NAMESPACES.size()));
            switch (action) {
                case 0, 1 -> informer.resize(Namespaces.of(NAMESPACES.stream().filter(name -> (detail >> NAMESPACES.indexOf(name) & 1) == 1)
                        .toList()));
                case 2 -> listeners.add(new Listener(informer));
                case 3, 4 -> listeners.stream().skip(detail % (listeners.size() + 1)).findFirst()
                        .ifPresent(listener -> listener.request(1 + detail % 4));
                case 5 -> namespace.cut();
                case 6, 7 -> time.advanceTimeBy(Duration.ofMillis(detail % 3 * 700L));
                case 8 -> namespace.delete("o" + detail % 4);
                default -> namespace.put("o" + detail % 4, ++version);
            }
        }
    }

    /** One namespace of a server without history: a watch that was cut has missed what happened since. */
    private static final class Namespace implements ListerWatcher<String> {

        private final World world;
        private final String name;
        private final Map<String, Versioned<String>> objects = new TreeMap<>();
        private Sinks.Many<ObjectEvent<String>> watch = Sinks.many().multicast().directBestEffort();
        private String forgotten = "";

        Namespace(World world, String name) {
            this.world = world;
            this.name = name;
        }

        Map<ObjectKey, String> objects() {
            Map<ObjectKey, String> all = new TreeMap<>();
            objects.forEach((object, entry) -> all.put(ObjectKey.of(name, object), entry.object()));
            return all;
        }

        void put(String object, int version) {
            Versioned<String> before = objects.get(object);
            var entry = new Versioned<>(before == null ? "uid" + version : before.uid(), "" + version, object + version);
            objects.put(object, entry);
            tell(new ObjectEvent.Applied<>(ObjectKey.of(name, object), entry, true));
        }

        void delete(String object) {
            Versioned<String> last = objects.remove(object);
            if (last != null) {
                tell(new ObjectEvent.Deleted<>(ObjectKey.of(name, object),
                        new Versioned<>(last.uid(), "" + ++world.version, last.object())));
            }
        }

        private void tell(ObjectEvent<String> event) {
            forgotten = "" + world.version;
            watch.tryEmitNext(event);
        }

        void cut() {
            Sinks.Many<ObjectEvent<String>> before = watch;
            watch = Sinks.many().multicast().directBestEffort();
            before.tryEmitComplete();
        }

        @Override
        public Identity identity() {
            return Identity.of("texts in " + name, Namespaces.of(name));
        }

        @Override
        public Flux<ObjectEvent<String>> list(ListOptions options, Reading<String> reading) {
            return Flux.defer(() -> Flux.fromStream(Stream.concat(
                    objects.entrySet().stream().map(entry ->
                            new ObjectEvent.Applied<>(ObjectKey.of(name, entry.getKey()), entry.getValue())),
                    Stream.of(new ObjectEvent.PageEnd<String>("" + world.version, null)))));
        }

        @Override
        public Flux<ObjectEvent<String>> watch(WatchOptions options, Reading<String> reading) {
            return Flux.defer(() -> {
                boolean expired = !forgotten.isEmpty() && Integer.parseInt(options.resourceVersion()) < Integer.parseInt(forgotten);
                Flux<ObjectEvent<String>> opened = Flux.just(new ObjectEvent.Opened<>());
                return expired
                        ? opened.concatWith(Flux.error(StatusException.of(
                                Status.of(410, "Expired", "too old"), "watch " + name)))
                        : opened.concatWith(watch.asFlux());
            });
        }
    }

    private static final class Listener extends BaseSubscriber<Change<ObjectKey, String>> {

        private final Map<ObjectKey, Versioned<String>> received = new TreeMap<>();
        private boolean synced;
        private @Nullable Throwable failure;

        Listener(Informer<String> informer) {
            informer.changes().subscribe(this);
        }

        @Override
        protected void hookOnSubscribe(Subscription subscription) {}

        @Override
        protected void hookOnNext(Change<ObjectKey, String> change) {
            change.accept(
                    added -> {
                        assertThat(received.put(added.key(), added.entry())).isNull();
                        assertThat(added.initial()).isEqualTo(!synced);
                    },
                    updated -> assertThat(received.put(updated.key(), updated.entryAfter())).isSameAs(updated.entryBefore()),
                    deleted -> assertThat(received.remove(deleted.key())).isSameAs(deleted.entry()),
                    done -> {
                        assertThat(synced).isFalse();
                        synced = true;
                    });
        }

        @Override
        protected void hookOnError(Throwable thrown) {
            failure = thrown;
        }

        Map<ObjectKey, String> replayed() {
            Map<ObjectKey, String> replayed = new TreeMap<>();
            received.forEach((key, entry) -> replayed.put(key, entry.object()));
            return replayed;
        }
    }
}
