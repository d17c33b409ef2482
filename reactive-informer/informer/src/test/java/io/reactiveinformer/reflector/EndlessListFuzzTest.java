package io.reactiveinformer.reflector;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.reactiveinformer.Chance;
import io.reactiveinformer.CollidingNames;
import io.reactiveinformer.Cost;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.DeltaStage;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Servers whose lists may never end: pages without objects, with the same ones or with names of one hash, tokens that are new, long,
 * repeated, and any
 * of these for ever. A list that ends is kept; one that does not is a failure with a pause, and costs no more than its pages do.
 */
class EndlessListFuzzTest {

    private static final Duration WATCHED = Duration.ofMinutes(10);
    /** After that many, a list is cut by the test: no sound reader asks for so many pages that bring nothing new. */
    private static final int ENDLESS = 5_000;
    private static final int MOST_NAMES = 4 << 10;

    private static final Cost CONSTANT = new Cost(300_000_000L, 64 << 20);
    private static final Cost A_REQUEST = new Cost(1_000_000, 400 << 10);
    private static final Cost AN_OBJECT = new Cost(100_000, 400 << 10); // the fuzzer itself allocates for each look into a map

    @BeforeAll
    static void sayNothing() {
        ((Logger) LoggerFactory.getLogger(Reflector.class)).setLevel(Level.ERROR); // a line each is what would be measured
    }

    private enum Token {
        NONE, NEW, SAME, OF_TWO, LONG
    }

    /** One kind of page. */
    private record Page(List<ObjectEvent<String>> items, Token token, int tokenLength, int times, @Nullable Duration pause) {

        static Page of(Chance chance, List<String> names) {
            int from = chance.number(0, names.size());
            int count = Math.min(chance.onceIn(2) ? chance.number(0, 3) : chance.number(0, MOST_NAMES), names.size() - from);
            boolean readable = !chance.onceIn(4);
            List<ObjectEvent<String>> items = new ArrayList<>();
            for (String name : names.subList(from, from + count)) {
                ObjectKey key = ObjectKey.of("n", name);
                items.add(readable ? new ObjectEvent.Applied<>(key, new Versioned<>("u", "5", name))
                        : new ObjectEvent.Unreadable<>(key, "u", "5", false, new UnreadableObjectException("cannot be read", null)));
            }
            Duration pause = chance.onceIn(4) ? Duration.ofSeconds(chance.number(0, 100)) : null;
            return new Page(items, chance.of(Token.values()), 1 << chance.number(0, 16), chance.number(1, 300), pause);
        }

        String token(int page) {
            return switch (token) {
                case NONE -> "";
                case NEW -> "token " + page;
                case SAME -> "token";
                case OF_TWO -> "token " + (page & 1);
                case LONG -> "x".repeat(tokenLength) + page;
            };
        }
    }

    /** Plays its pages in turn, and the last again and again, whatever it is asked. */
    private static final class Server implements ListerWatcher<String> {

        private final List<Page> pages;
        private final VirtualTimeScheduler clock;
        private int page;
        private int requests;
        private int watches;
        private long objects;

        Server(List<Page> pages, VirtualTimeScheduler clock) {
            this.pages = pages;
            this.clock = clock;
        }

        @Override
        public Identity identity() {
            return Identity.of("things", Namespaces.all());
        }

        @Override
        public Flux<ObjectEvent<String>> list(ListOptions options, Reading<String> reading) {
            return Flux.defer(() -> {
                page = options.continueToken() == null ? 0 : page + 1;
                requests++;
                assertThat(page).as("pages of one list").isLessThan(ENDLESS);
                Page next = kind(page);
                objects += next.items().size();
                Flux<ObjectEvent<String>> items = Flux.fromIterable(next.items());
                Flux<ObjectEvent<String>> all = items.concatWithValues(new ObjectEvent.PageEnd<>("9", next.token(page)));
                return next.pause() == null || next.items().size() > 3 ? all : all.delayElements(next.pause(), clock);
            });
        }

        private Page kind(int number) {
            int left = number;
            for (Page kind : pages) {
                left -= kind.times();
                if (left < 0) {
                    return kind;
                }
            }
            return pages.get(pages.size() - 1);
        }

        @Override
        public Flux<ObjectEvent<String>> watch(WatchOptions options, Reading<String> reading) {
            return Flux.defer(() -> {
                watches++;
                return Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>())
                        .concatWith(Flux.interval(Duration.ofMinutes(1), clock).map(minute -> new ObjectEvent.Bookmark<>("9", false)));
            });
        }
    }

    @FuzzTest(maxDuration = "10s")
    void endsOrIsAFailureWithAPause(FuzzedDataProvider chosen) {
        var chance = new Chance(chosen);
        List<String> names = CollidingNames.of(chance.number(1, MOST_NAMES));
        List<Page> pages = new ArrayList<>();
        for (int kinds = chance.number(1, 4); kinds > 0; kinds--) {
            pages.add(Page.of(chance, names));
        }
        Played played = Played.of(pages);
        for (int run = 1; run < 4 && played.isTooCostly(); run++) { // what loads and compiles classes is no measure
            played = Played.of(pages);
        }
        assertThat(played.failures).isEmpty();
        assertThat(played.isTooCostly()).as("%s", played).isFalse();
        assertThat(played.watches > 0 || played.disruptions > 0 || hasPauses(pages)).as("neither listed nor failed: %s", played).isTrue();
    }

    /** Ten minutes of such a server. */
    private record Played(int requests, long objects, int watches, int disruptions, List<Throwable> failures, Cost cost) {

        static Played of(List<Page> pages) {
            VirtualTimeScheduler clock = VirtualTimeScheduler.create();
            var server = new Server(pages, clock);
            Store<String> store = Store.create();
            var disruptions = new AtomicInteger();
            List<Throwable> failures = new ArrayList<>();
            Cost cost = Cost.of(() -> {
                Disposable running = Reflector.of(server, store, ReflectorOptions.defaults().withTimer(clock)).events()
                        .doOnNext(event -> disruptions.addAndGet(event instanceof ReflectorEvent.Disrupted ? 1 : 0))
                        .transform(DeltaStage.over(store))
                        .subscribe(store::apply, failures::add);
                clock.advanceTimeBy(WATCHED);
                running.dispose();
            });
            return new Played(server.requests, server.objects, server.watches, disruptions.get(), failures, cost);
        }

        private Cost limit() {
            return new Cost(CONSTANT.nanos() + requests * A_REQUEST.nanos() + objects * AN_OBJECT.nanos(),
                    CONSTANT.bytes() + requests * A_REQUEST.bytes() + objects * AN_OBJECT.bytes());
        }

        boolean isTooCostly() {
            return cost.exceeds(limit());
        }

        @Override
        public String toString() {
            return requests + " requests and " + objects + " objects cost " + cost + ", expected at most " + limit();
        }
    }

    private static boolean hasPauses(List<Page> pages) {
        return pages.stream().anyMatch(page -> page.pause() != null);
    }
}
