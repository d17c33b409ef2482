package io.reactiveinformer.informer;

import io.reactiveinformer.Rounds;
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
import io.reactiveinformer.store.Index;
import io.reactiveinformer.view.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An informer that keeps some of its objects, and then others, while these change, watches are cut, lists take their time, and subscribers
 * come and request as they like. At rest, the cache, its index and what each listener replays are what is to be kept of what the server
 * has.
 */
class KeepTest {

    private static final Index<String, String> BY_FIRST = Index.of("first", text -> text.substring(0, 2));

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    private int version = 10;
    private final Server server = new Server();
    private final SharedInformer<String> informer = (SharedInformer<String>)
            Informer.over(server, ReflectorOptions.defaults().withStreaming(false).withTimer(time).withRandom(() -> 0));
    private final List<Listener> listeners = new ArrayList<>();
    private Predicate<ObjectKey> kept = key -> true;

    @AfterEach
    void end() {
        informer.stop();
        VirtualTimeScheduler.reset();
    }

    static LongStream seeds() {
        return LongStream.of(Rounds.seeds("keep", 300));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void atRestEverybodyKnowsWhatIsKept(long seed) {
        play(new Random(seed));
    }

    private Predicate<ObjectKey> part(int mask) {
        return key -> (mask >> Integer.parseInt(key.name().substring(1)) & 1) == 1;
    }

    private void play(Random random) {
        informer.addIndex(BY_FIRST).subscribe();
        informer.start();
        int mask = 255;
        boolean[] done = {true};
        for (int step = 0; step < 60; step++) {
            int detail = random.nextInt(1 << 16);
            switch (random.nextInt(12)) {
                case 0 -> {
                    mask = detail & 255;
                    kept = part(mask);
                    done[0] = false;
                    Predicate<ObjectKey> asked = kept;
                    informer.keep(kept).subscribe(null, null, () -> {
                        done[0] |= asked == kept;
                    });
                }
                case 1 -> {
                    if (done[0]) {
                        mask = mask & detail;
                        kept = part(mask);
                        informer.narrow(kept);
                    }
                }
                case 2 -> listeners.add(new Listener(informer));
                case 3, 4 -> listeners.stream().skip(detail % (listeners.size() + 1)).findFirst()
                        .ifPresent(one -> one.request(1 + detail % 4));
                case 5 -> server.cut();
                case 6, 7 -> time.advanceTimeBy(Duration.ofMillis(detail % 3 * 700L));
                case 8 -> server.delete("o" + detail % 8);
                default -> server.put("o" + detail % 8);
            }
        }
        listeners.forEach(one -> one.request(10_000));
        time.advanceTimeBy(Duration.ofMinutes(2));
        Map<ObjectKey, String> wanted = new TreeMap<>();
        server.objects.forEach((name, entry) -> {
            if (kept.test(ObjectKey.of("a", name))) {
                wanted.put(ObjectKey.of("a", name), entry.object());
            }
        });
        Map<ObjectKey, String> cached = new TreeMap<>();
        informer.snapshot().forEach((key, row) -> cached.put(key, row.object()));
        assertThat(cached).isEqualTo(wanted);
        assertThat(done[0]).isTrue();
        assertThat(informer.snapshot().complete()).isTrue();
        for (int i = 0; i < 8; i++) {
            Set<String> indexed = new TreeSet<>(informer.snapshot().by(BY_FIRST, "o" + i));
            Set<String> should = new TreeSet<>();
            String prefix = "o" + i;
            wanted.values().stream().filter(text -> text.startsWith(prefix)).forEach(should::add);
            assertThat(indexed).isEqualTo(should);
        }
        listeners.forEach(one -> assertThat(one.replayed()).isEqualTo(wanted));
    }

    /** Without history: a watch that was cut has missed what happened since. */
    private final class Server implements ListerWatcher<String> {

        private final Map<String, Versioned<String>> objects = new TreeMap<>();
        private Sinks.Many<ObjectEvent<String>> watch = Sinks.many().multicast().directBestEffort();
        private int forgotten;

        void put(String object) {
            int now = ++version;
            Versioned<String> before = objects.get(object);
            var entry = new Versioned<>(before == null ? "uid" + now : before.uid(), "" + now, object + "-" + now);
            objects.put(object, entry);
            tell(new ObjectEvent.Applied<>(ObjectKey.of("a", object), entry, true));
        }

        void delete(String object) {
            Versioned<String> last = objects.remove(object);
            if (last != null) {
                tell(new ObjectEvent.Deleted<>(ObjectKey.of("a", object), new Versioned<>(last.uid(), "" + ++version, last.object())));
            }
        }

        private void tell(ObjectEvent<String> event) {
            forgotten = version;
            watch.tryEmitNext(event);
        }

        void cut() {
            Sinks.Many<ObjectEvent<String>> before = watch;
            watch = Sinks.many().multicast().directBestEffort();
            before.tryEmitComplete();
        }

        @Override
        public Identity identity() {
            return Identity.of("texts", Namespaces.of("a"));
        }

        @Override
        public Flux<ObjectEvent<String>> list(ListOptions options, Reading<String> reading) {
            return Flux.defer(() -> {
                List<ObjectEvent<String>> events = Stream.<ObjectEvent<String>>concat(
                        objects.entrySet().stream().filter(e ->
                                reading.wanted() == null || reading.wanted().test(ObjectKey.of("a", e.getKey()), null))
                                .map(e -> new ObjectEvent.Applied<>(ObjectKey.of("a", e.getKey()), e.getValue())),
                        Stream.of(new ObjectEvent.PageEnd<String>("" + version, null))).toList();
                return Flux.fromIterable(events).delaySequence(Duration.ofMillis(300), time);
            });
        }

        @Override
        public Flux<ObjectEvent<String>> watch(WatchOptions options, Reading<String> reading) {
            return Flux.defer(() -> {
                boolean expired = forgotten > Integer.parseInt(options.resourceVersion());
                Flux<ObjectEvent<String>> opened = Flux.just(new ObjectEvent.Opened<>());
                return expired
                        ? opened.concatWith(Flux.error(StatusException.of(Status.of(410, "Expired", "too old"), "watch")))
                        : opened.concatWith(watch.asFlux());
            });
        }
    }

    private static final class Listener extends BaseSubscriber<Change<ObjectKey, String>> {

        private final Map<ObjectKey, Versioned<String>> received = new TreeMap<>();
        private final List<String> wrong = new ArrayList<>();
        private boolean synced;

        Listener(Informer<String> informer) {
            informer.changes().subscribe(this);
        }

        @Override
        protected void hookOnSubscribe(Subscription subscription) {}

        @Override
        @SuppressWarnings("ReferenceEquality") // law 2: the very one that this subscriber received
        protected void hookOnNext(Change<ObjectKey, String> change) {
            change.accept(
                    added -> {
                        if (received.put(added.key(), added.entry()) != null || added.initial() == synced) {
                            wrong.add("" + change);
                        }
                    },
                    updated -> {
                        if (received.put(updated.key(), updated.entryAfter()) != updated.entryBefore()) {
                            wrong.add("" + change);
                        }
                    },
                    deleted -> {
                        if (received.remove(deleted.key()) != deleted.entry()) {
                            wrong.add("" + change);
                        }
                    },
                    done -> synced = true);
        }

        Map<ObjectKey, String> replayed() {
            assertThat(wrong).isEmpty();
            assertThat(synced).isTrue();
            Map<ObjectKey, String> replayed = new TreeMap<>();
            received.forEach((key, entry) -> replayed.put(key, entry.object()));
            return replayed;
        }
    }
}
