package io.reactiveinformer.laws.reflector;

import io.reactiveinformer.Rounds;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.DeltaStage;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Store;
import io.reactiveinformer.test.Script;
import io.reactiveinformer.test.ScriptedListerWatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

import static io.reactiveinformer.test.Script.bookmark;
import static io.reactiveinformer.test.Script.closesAfter;
import static io.reactiveinformer.test.Script.never;
import static io.reactiveinformer.test.Script.refusal;
import static io.reactiveinformer.test.Script.refused;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** How often a server is asked, counted over hours of virtual time. */
class ReflectorPaceTest {

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();

    /** Issue: 24 hours of a quiet namespace, on a server that sends bookmarks, give no relist. 8.17.253. */
    @Test
    void aQuietDayOnAServerThatSendsBookmarksNeedsOneList() {
        var server = new Counted(Counted::empty, options -> Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>())
                .concatWith(Flux.interval(Duration.ofMinutes(1), clock).map(minute -> bookmark(String.valueOf(100 + clock.now(SECONDS)))))
                .take(options.timeout(), clock));
        start(server);
        clock.advanceTimeBy(Duration.ofHours(24));
        assertThat(server.lists).isEqualTo(1);
        assertThat(server.watches).isBetween(24 * 60 / 10, 24 * 60 / 5);
    }

    /** Law 20; recorded exchanges 10 and 35: it had sent bookmarks, and now none. */
    @Test
    void aSilentWatchOnAServerThatSendsBookmarksIsVerifiedAtOnce() {
        var server = new ScriptedListerWatcher<String>()
                .onList("10").onWatch("10", lasting(Duration.ofMinutes(5), bookmark("11")))
                .onWatch("11", lasting(Duration.ofMinutes(5)))
                .onList("12").onWatch("12", never());
        ReflectorProbe.of(clock, server).emits("listing", "listed 10", "watching 10", "bookmark 11")
                .after(Duration.ofMinutes(5)).emits("watching 11")
                .after(Duration.ofMinutes(5)).emits("listing", "listed 12", "watching 12")
                .end();
        assertThat(server.requests()).contains("list resourceVersion=11 match=NotOlderThan");
    }

    /** Law 19: a reflector that was asked to come later does so, however long it received nothing before. */
    @Test
    void aRefusalAfterASilenceIsAWord() {
        var server = new ScriptedListerWatcher<String>()
                .onList("10").onWatch("10", lasting(Duration.ofMinutes(5), bookmark("11")))
                .onWatch("11", lasting(Duration.ofMinutes(5)).concatWith(refused(refusal(429, "TooManyRequests", Duration.ofSeconds(40)))))
                .onWatch("11", never());
        ReflectorProbe.of(clock, server).after(Duration.ofMinutes(5)).whatever()
                .after(Duration.ofMinutes(5)).emits("429 #1, resume in 40.0")
                .afterSeconds(40).emits("watching 11")
                .end();
    }

    /** Law 20: behind some balancers no quiet watch ends in order. */
    @Test
    void aQuietDayOfWatchesThatBreakIsVerifiedToo() {
        var server = new Counted(Counted::empty, options -> Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>())
                .concatWith(Mono.delay(Duration.ofMinutes(4), clock).then(Mono.error(Script.broken()))));
        start(server);
        clock.advanceTimeBy(Duration.ofHours(24));
        assertThat(server.lists).isBetween(24, 1 + 24 * 2);
    }

    /** Law 18: an hour's refusal is verified once or twice; nothing was missed if it is over before. */
    @Test
    void aWatchThatIsRefusedForTwentyMinutesIsResumed() {
        var refuses = new AtomicBoolean(true);
        var server = new Counted(Counted::empty, options -> refuses.get() ? refused(refusal(403, "Forbidden", "no")) : never());
        start(server);
        clock.advanceTimeBy(Duration.ofMinutes(20));
        refuses.set(false);
        clock.advanceTimeBy(Duration.ofMinutes(5));
        assertThat(server.lists).isEqualTo(1);
    }

    static Stream<Arguments> failuresOfWatches() {
        Map<String, RuntimeException> failures = new LinkedHashMap<>();
        for (int code : List.of(300, 400, 401, 403, 404, 405, 406, 408, 409, 410, 413, 415, 418, 422, 429, 451, 500, 502, 503, 504, 507)) {
            failures.put(String.valueOf(code), refusal(code, "", "planned"));
        }
        failures.put("429, after an hour", refusal(429, "TooManyRequests", Duration.ofHours(1)));
        failures.put("too large", Script.tooLarge());
        failures.put("broken", Script.broken());
        failures.put("an answer that is none", new UnexpectedAnswerException("planned"));
        failures.put("an object that cannot be read", new UnreadableObjectException("planned", null));
        failures.put("a defect", new IllegalStateException("planned"));
        return failures.entrySet().stream().flatMap(failure -> {
            Flux<ObjectEvent<String>> fails = Flux.error(failure.getValue());
            Flux<ObjectEvent<String>> opened = Flux.just(new ObjectEvent.Opened<>());
            return Stream.of(
                    Arguments.of(failure.getKey() + ", before it opened", fails),
                    Arguments.of(failure.getKey() + ", when open", opened.concatWith(fails)),
                    Arguments.of(failure.getKey() + ", after a bookmark", opened.concatWithValues(bookmark("10")).concatWith(fails)),
                    Arguments.of(failure.getKey() + ", after what is known",
                            opened.concatWithValues(Script.added("a", "9")).concatWith(fails)));
        });
    }

    /** Law 26: whatever fails, and whether anybody knows the failure or not. A watch that is never answered is one, too. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("failuresOfWatches")
    void noFailureOfAWatchRepeatsForEverWithoutAList(String failure, Flux<ObjectEvent<String>> watch) {
        var store = Store.<String>create();
        var server = new Counted(() -> Flux.just(item("a", "9", "x"), Script.lastPage("10")), options -> watch);
        Reflector.of(server, store, options()).events().transform(DeltaStage.over(store)).subscribe(store::apply);
        int hours = Rounds.many(12, 2);
        clock.advanceTimeBy(Duration.ofHours(hours));
        assertThat(server.lists).as("lists").isBetween(hours / 2, hours * 120);
        assertThat(server.lists + server.watches).as("requests").isBetween(hours, hours * 160);
    }

    @Test
    void aWatchThatIsNeverAnsweredIsVerifiedToo() {
        var server = new Counted(Counted::empty, options -> Flux.never());
        start(server);
        clock.advanceTimeBy(Duration.ofHours(12));
        assertThat(server.lists).isBetween(6, 1 + 24);
    }

    /** Law 26: a list that fails in the one way may do in another. */
    @Test
    void aListIsAskedForOtherwiseWhereTheSameAgainMayFailAgain() {
        var asked = new ArrayList<String>();
        var server = new Counted(options -> {
            asked.add(options.resourceVersion() == null ? "most recent" : options.resourceVersion());
            return asked.size() < 8 ? refused(refusal(500, "InternalError", "planned")) : Counted.empty();
        }, options -> never());
        start(server);
        clock.advanceTimeBy(Duration.ofMinutes(5));
        assertThat(asked).containsExactly("0", "0", "0", "most recent", "most recent", "most recent", "0", "0");
    }

    /** Law 20: where no bookmarks are to be expected, quiet is verified twice an hour. */
    @Test
    void aQuietDayOnAServerWithoutBookmarksIsVerifiedTwiceAnHour() {
        var server = new Counted(Counted::empty, options -> Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>())
                .concatWith(Flux.never()).take(options.timeout(), clock));
        start(server);
        clock.advanceTimeBy(Duration.ofHours(24));
        assertThat(server.lists).isBetween(24, 1 + 24 * 2);
    }

    /** Issue: a server that closes each watch at once gets at most the documented number of requests a minute. */
    @Test
    void aServerThatClosesEachWatchAtOnceIsAskedTwiceAMinuteAtLength() {
        var server = new Counted(Counted::empty, options -> closesAfter());
        start(server);
        clock.advanceTimeBy(Duration.ofMinutes(5));
        int warmUp = server.watches;
        clock.advanceTimeBy(Duration.ofHours(1));
        assertThat(warmUp).isLessThan(20);
        assertThat(server.watches - warmUp).isBetween(55, 120);
        assertThat(server.lists).isLessThanOrEqualTo(1 + 2);
    }

    /** The numbers that the guide gives, for watches that the server ends and for such as break. Each is preceded by a proof. */
    @ParameterizedTest
    @CsvSource({"false, 3400, 3650", "true, 6000, 7200"})
    void aServerThatClosesEachWatchAfterNewsIsAskedOnceASecond(boolean breaks, int least, int most) {
        var version = new AtomicInteger(10);
        var server = new Counted(Counted::empty, options -> {
            ObjectEvent<String> news = Script.added("a", String.valueOf(version.incrementAndGet()));
            return breaks ? Script.failsAfter(Script.broken(), news) : closesAfter(news);
        });
        start(server);
        clock.advanceTimeBy(Duration.ofMillis(500));
        assertThat(server.watches).as("at once").isEqualTo(1 + 3);
        clock.advanceTimeBy(Duration.ofMinutes(1));
        int before = server.watches;
        int provenBefore = server.proofs;
        clock.advanceTimeBy(Duration.ofHours(1));
        assertThat(server.watches - before).as("watches in an hour").isBetween(least, most);
        assertThat(server.proofs - provenBefore).as("proofs in an hour").isBetween(least, most);
        assertThat(server.lists).isEqualTo(1);
    }

    /** A list costs more than a watch: an event of the watch does not make the next list due. */
    @Test
    void aServerThatForgetsEachChangeIsListedTwiceAMinute() {
        var version = new AtomicInteger(10);
        var server = new Counted(() -> Flux.just(Script.lastPage(String.valueOf(version))),
                options -> Script.failsAfter(refusal(410, "Expired", "gone"),
                        Script.added("a", String.valueOf(version.incrementAndGet()))));
        start(server);
        clock.advanceTimeBy(Duration.ofMinutes(5));
        int warmUp = server.lists;
        clock.advanceTimeBy(Duration.ofHours(1));
        assertThat(warmUp).isLessThan(20);
        assertThat(server.lists - warmUp).isBetween(55, 120);
    }

    @Test
    void whoWasCompleteAHundredTimesHasNotFailedTenTimesInARow() {
        var server = new Counted(Counted::empty, options -> refused(refusal(410, "Expired", "gone")));
        var failure = new AtomicReference<Throwable>();
        Reflector.of(server, options().withGiveUpWhen(disruption -> disruption.attempt() > 10)).events()
                .subscribe(event -> { }, failure::set);
        clock.advanceTimeBy(Duration.ofHours(2));
        assertThat(failure).hasValue(null);
        assertThat(server.lists).isGreaterThan(100);
    }

    /** Stream scenario 29. */
    @Test
    void whoIsForbiddenAsksOnceAMinuteAtLength() {
        var server = new Counted(() -> refused(refusal(403, "Forbidden", "no")), options -> never());
        start(server);
        clock.advanceTimeBy(Duration.ofHours(1));
        assertThat(server.lists).isBetween(30, 70);
    }

    /** What is left unread is more than is taken ahead, so that the server cannot tell all. */
    @Test
    void aSubscriberThatLeavesAListUnreadIsCutOffAfterNinetySeconds() {
        var large = new Counted(() -> Flux.range(0, 10_000).map(n -> item("a" + n, "5", "x")).concatWith(Counted.empty()),
                options -> never());
        Reflector.of(large, options()).events().subscribe(new Stuck(2));
        clock.advanceTimeBy(Duration.ofSeconds(90).minusMillis(1));
        assertThat(large.listsAtOnce).isEqualTo(1);
        clock.advanceTimeBy(Duration.ofMillis(1));
        assertThat(large.listsAtOnce).isZero();
    }

    /** Requests so many events, and then no more. */
    private static final class Stuck extends BaseSubscriber<ReflectorEvent<String>> {
        private final int demand;

        Stuck(int demand) {
            this.demand = demand;
        }

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            if (demand > 0) {
                request(demand);
            }
        }
    }

    @Test
    void verifyingTooOftenIsRefused() {
        assertThatThrownBy(() -> options().withVerifyAfter(Duration.ZERO)).hasMessageContaining("verifyAfter must be at least 1s");
    }

    @Test
    void aFunctionThatThrowsWhenAskedWhetherToGiveUpIsNamed() {
        var server = new ScriptedListerWatcher<String>().onList(refused(Script.broken()));
        ReflectorProbe.of(clock, server, options -> options.withGiveUpWhen(disrupted -> {
            throw new NullPointerException("planned");
        })).emits("listing",
                "failed: scripted objects in all namespaces: giveUpWhen threw java.lang.NullPointerException: planned when asked about: "
                + "the script says that the connection broke").end();
    }

    /** It may have been replaced by one that sends none; else each watch that ends would be followed by a list. */
    @Test
    void whoSendsBookmarksNoMoreIsNotListedAfterEachWatch() {
        var watches = new AtomicInteger();
        var server = new Counted(Counted::empty, options -> watches.getAndIncrement() == 0
                ? lasting(Duration.ofMinutes(5), bookmark("11"))
                : lasting(Duration.ofMinutes(5)));
        start(server);
        clock.advanceTimeBy(Duration.ofHours(2));
        assertThat(server.lists).isBetween(1 + 1 + 2, 1 + 1 + 4);
    }

    private static ObjectEvent<String> item(String name, String version, String object) {
        return new ObjectEvent.Applied<>(ObjectKey.clusterScoped(name), new Versioned<>("uid-a", version, object));
    }

    private void start(ListerWatcher<String> server) {
        Reflector.of(server, options()).events().subscribe();
    }

    private ReflectorOptions options() {
        return ReflectorOptions.defaults().withStreaming(false).withTimer(clock);
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    private final Flux<ObjectEvent<String>> lasting(Duration time, ObjectEvent<String>... events) {
        return Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>())
                .concatWith(Flux.fromArray(events))
                .concatWith(Mono.delay(time, clock).then(Mono.empty()));
    }

    /** Answers always the same, and counts. */
    private static final class Counted implements ListerWatcher<String> {

        private final Function<ListOptions, Flux<ObjectEvent<String>>> list;
        private Function<WatchOptions, Flux<ObjectEvent<String>>> watch;
        private int lists;
        private int listsAtOnce;
        private int watches;
        private int proofs;

        Counted(Supplier<Flux<ObjectEvent<String>>> list, Function<WatchOptions, Flux<ObjectEvent<String>>> watch) {
            this(options -> list.get(), watch);
        }

        Counted(Function<ListOptions, Flux<ObjectEvent<String>>> list, Function<WatchOptions, Flux<ObjectEvent<String>>> watch) {
            this.list = list;
            this.watch = watch;
        }

        static Flux<ObjectEvent<String>> empty() {
            return Flux.just(Script.lastPage("10"));
        }

        @Override
        public Identity identity() {
            return new Identity("counted", Namespaces.all(), false, Past.ONE);
        }

        @Override
        public Flux<ObjectEvent<String>> list(ListOptions options, Reading<String> reading) {
            if (options.match() == ListOptions.Match.EXACT) { // cannot be answered, which shows nothing
                return Flux.defer(() -> {
                    proofs++;
                    return Flux.error(refusal(400, "BadRequest", "no exact versions"));
                });
            }
            return Flux.defer(() -> {
                lists++;
                listsAtOnce++;
                return list.apply(options);
            }).doOnTerminate(() -> listsAtOnce--).doOnCancel(() -> listsAtOnce--);
        }

        @Override
        public Flux<ObjectEvent<String>> watch(WatchOptions options, Reading<String> reading) {
            return Flux.defer(() -> {
                watches++;
                return watch.apply(options);
            });
        }
    }
}
