package io.reactiveinformer.recordings.informer;

import io.reactiveinformer.backoff.Backoff;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.recordings.Recording;
import io.reactiveinformer.recordings.Recording.Exchange;
import io.reactiveinformer.recordings.ReplayServer;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.source.ListerWatcher;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/** What a reflector makes of recorded exchanges, over a socket: events, requests and states, as the recordings' README concludes. */
class RecordedRecoveryTest {

    private static final Reflecting STREAMED = (source, options) -> Reflector.of(source, options.withStreaming(true));
    private static final Backoff SHORT = Backoff.between(Duration.ofMillis(5), Duration.ofMillis(20));

    @Test
    void recording09ListsAgainWhenThePageIsGone() {
        Recording expired = Recording.of("09-continue-expired");
        play("configmaps", "t08b", Reflector::of, List.of(expired.exchange(1), expired.exchange(3), exchange("08-watch-too-old", 9)),
                List.of("listing", "t08b/c2@408", "t08b/c3@409", "listing", "t08b/c0@413",
                        "t08b/c1@407", "t08b/c2@408", "t08b/c3@409", "listed 422"),
                List.of("limit=500&resourceVersion=0", "limit=500&continue=", "resourceVersion=0"));
    }

    @Test
    void recording08ListsAgainWhenTheHistoryIsGone() {
        Recording old = Recording.of("08-watch-too-old");
        play("configmaps", "t08b", from("410"), List.of(old.exchange(3), old.exchange(9)),
                List.of("watching 410", "410, list", "listing", "t08b/c0@413", "t08b/c1@407", "t08b/c2@408", "t08b/c3@409", "listed 422"),
                List.of("watch=true", "resourceVersion=410&resourceVersionMatch=NotOlderThan"));
    }

    @Test
    void recording08StreamsTheCurrentStateFromAnOldVersion() {
        Recording old = Recording.of("08-watch-too-old");
        play("configmaps", "t08b", (source, options) -> from("410").of(source, options.withStreaming(true)),
                List.of(old.exchange(3), old.exchange(8)),
                List.of("watching 410", "410, list", "listing", "t08b/c0@413", "t08b/c1@407", "t08b/c2@408", "t08b/c3@409", "listed 422",
                        "watching 422"),
                List.of("watch=true", "sendInitialEvents=true"));
    }

    @Test
    void recording06ResumesFromTheBookmark() {
        Exchange bookmark = exchange("06-watch-bookmarks", 2);
        play("configmaps", "t06", from("316"), List.of(bookmark, exchange("05-watch-events", 1)),
                List.of("watching 316", "bookmark 323", "watching 323"),
                List.of("resourceVersion=316", "resourceVersion=323"));
    }

    /** Played faster than recorded, the end may come too soon for a watch, and then there is a pause: the same version, and no list. */
    @Test
    void recording07ResumesFromTheSameVersionWhenNothingHappened() {
        Exchange nothing = exchange("07-watch-timeout", 1);
        List<String> received = received(ResourceType.find("", "v1", "configmaps").orElseThrow(), "t05",
                from("275"), List.of(nothing, nothing, nothing), 4,
                List.of("resourceVersion=275", "resourceVersion=275"));
        assertThat(received).startsWith("watching 275").containsOnly("watching 275", "broken, resume");
    }

    /** SIGKILL, then nobody there, then a stream that SIGTERM ends in order. */
    @Test
    void recording26ResumesThroughAKilledServer() {
        Recording stops = Recording.of("26-apiserver-stops");
        play("configmaps", "t26", from("875"), List.of(stops.exchange(1), stops.exchange(2),
                stops.exchange(4), exchange("05-watch-events", 1)),
                List.of("watching 875", "+t26/a@876", "broken, resume", "broken, resume", "watching 876", "bookmark 888", "watching 888"),
                List.of("resourceVersion=875", "resourceVersion=876", "resourceVersion=876", "resourceVersion=888"));
    }

    /** 404 in plain text until the definition is established. Stream scenario 30. */
    @Test
    void recording20WaitsForATypeThatComesLater() {
        Recording crd = Recording.of("20-crd");
        ResourceType<?> widgets = ResourceType.dynamic("demo.example.com", "v1", "widgets");
        play(widgets, "t20", Reflector::of, List.of(crd.exchange(1), crd.exchange(3), crd.exchange(4), crd.exchange(19)),
                List.of("listing", "404, list", "listing", "404, list", "listing", "listed 467",
                        "watching 467", "+t20/w1@471", "-t20/w1@472"),
                List.of("resourceVersion=0", "resourceVersion=0", "resourceVersion=0", "resourceVersion=467"));
    }

    /** The version is from the future of a store that was restored: 504, then the most recent state, as a new epoch. */
    @Test
    void recording35OpensANewEpochForARestoredStore() {
        Recording backwards = Recording.of("35-rv-goes-backwards");
        play("configmaps", "t35", from("225"), List.of(exchange("08-watch-too-old", 3), backwards.exchange(1), backwards.exchange(2)),
                List.of("watching 225", "410, list", "listing", "listing", "t35/new@208", "new epoch 208"),
                List.of("resourceVersion=225", "resourceVersion=225&resourceVersionMatch=NotOlderThan", "limit=500"));
    }

    /** A watch from the future is silence, and what a list from there gets is 504: then the most recent state, as a new epoch. */
    @Test
    void recording10GetsOutOfTheFutureByPages() {
        Recording future = Recording.of("10-rv-too-large");
        play("configmaps", "t10", RecordedRecoveryTest::fromTheFuture,
                List.of(future.exchange(6), future.exchange(2), exchange("08-watch-too-old", 9)),
                List.of("watching 99999999", "listing", "listing", "t08b/c0@413", "t08b/c1@407",
                        "t08b/c2@408", "t08b/c3@409", "new epoch 422"),
                List.of("watch=true&resourceVersion=99999999", "resourceVersion=99999999&resourceVersionMatch=NotOlderThan", "limit=500"));
    }

    /** There the 504 is an event of an answer that began with 200. */
    @Test
    void recording10GetsOutOfTheFutureByAStreamingList() {
        Recording future = Recording.of("10-rv-too-large");
        play("configmaps", "t11", (source, options) -> fromTheFuture(source, options.withStreaming(true)),
                List.of(future.exchange(7), future.exchange(8), exchange("11-watchlist", 1)),
                List.of("watching 99999999", "listing", "listing", "t11/c0@327", "t11/c1@328",
                        "t11/c2@329", "new epoch 329", "watching 329",
                        "+t11/live@330", "-t11/live@331"),
                List.of("watch=true&resourceVersion=99999999", "sendInitialEvents=true&resourceVersion=99999999",
                        "sendInitialEvents=true"));
    }

    /** No matter which version was asked for. Exchange 8 is a table, which we never ask for. */
    @Test
    void recording11TellsTheStateAndGoesOnLive() {
        Recording streamed = Recording.of("11-watchlist");
        List<String> state = List.of("listing", "t11/c0@327", "t11/c1@328", "t11/c2@329");
        played11(streamed.exchange(1), state, "listed 329", "watching 329", "+t11/live@330", "-t11/live@331");
        for (int number : new int[] {2, 3, 4}) {
            played11(streamed.exchange(number), state, "listed 331", "watching 331");
        }
        played11(streamed.exchange(5), List.of("listing", "t11/c1@328"), "listed 331", "watching 331");
        play("secrets", "t11", STREAMED, List.of(streamed.exchange(6)),
                List.of("listing", "listed 331", "watching 331"), List.of("sendInitialEvents=true"));
        play(ResourceType.metadata("", "v1", "configmaps"), "t11", STREAMED, List.of(streamed.exchange(7)),
                Stream.concat(state.stream(), Stream.of("listed 331", "watching 331")).toList(), List.of("sendInitialEvents=true"));
    }

    /** Bookmarks after the end mark have no annotation. */
    @Test
    void recording11ResumesAfterTheStreamingListWasClosed() {
        Recording streamed = Recording.of("11-watchlist");
        play("configmaps", "t11", STREAMED, List.of(streamed.exchange(9), streamed.exchange(10)),
                List.of("listing", "t11/c0@327", "t11/c1@328", "t11/c2@329", "listed 331", "watching 331", "bookmark 333", "bookmark 333",
                        "watching 333"),
                List.of("sendInitialEvents=true", "watch=true&resourceVersion=333"));
    }

    private static void played11(Exchange exchange, List<String> state, String... live) {
        play("configmaps", "t11", STREAMED, List.of(exchange),
                Stream.concat(state.stream(), Stream.of(live)).toList(), List.of("sendInitialEvents=true"));
    }

    /** The silence of minutes is played in a moment, so the clock goes on by them as it begins. */
    private static Reflector<Object> fromTheFuture(ListerWatcher<Object> source, ReflectorOptions options) {
        var clock = new LeapingClock();
        return Reflector.of(source, options.withTimer(clock).withObserver(new Reflector.Observer() {
            @Override
            public void watching(String resourceVersion) {
                if (resourceVersion.equals("99999999")) {
                    clock.leap(Duration.ofHours(1));
                }
            }
        })).resumeFrom("99999999");
    }

    /** What it delays takes as long as ever. */
    private static final class LeapingClock implements Scheduler {

        private final Scheduler single = Schedulers.single();
        private final AtomicLong ahead = new AtomicLong();

        void leap(Duration time) {
            ahead.addAndGet(time.toNanos());
        }

        @Override
        public long now(TimeUnit unit) {
            return single.now(unit) + unit.convert(ahead.get(), TimeUnit.NANOSECONDS);
        }

        @Override
        public Disposable schedule(Runnable task) {
            return single.schedule(task);
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            return single.schedule(task, delay, unit);
        }

        @Override
        public Worker createWorker() {
            return single.createWorker();
        }
    }

    /** 400 is what a bad request gets: streaming lists are not asked for again. */
    @Test
    void recording12FallsBackToPages() {
        play("configmaps", "t12", STREAMED,
                List.of(exchange("12-watchlist-invalid", 1), exchange("02-list-paged", 4), exchange("05-watch-events", 1)),
                List.of("listing", "listing", "t02/c0@261", "t02/c1@262", "t02/c2@263", "t02/c3@264",
                        "t02/c4@265", "t02/c9@266", "listed 266",
                        "watching 266"),
                List.of("sendInitialEvents=true", "limit=500&resourceVersion=0", "resourceVersion=266"));
    }

    /** DELETED, then ADDED with another uid. */
    @Test
    void recording25TellsARecreationAsItHappened() {
        play("configmaps", "t25b", from("674"), List.of(exchange("25-watch-single", 1)),
                List.of("watching 674", "+t25b/one@676", "-t25b/one@678", "+t25b/one@679"), List.of("resourceVersion=674"));
    }

    private static void play(
            String plural, String namespace, Reflecting reflecting, List<Exchange> script, List<String> expected,
            List<String> queries) {
        play(ResourceType.find("", "v1", plural).orElseThrow(), namespace, reflecting, script, expected, queries);
    }

    private static void play(
            ResourceType<?> type, String namespace, Reflecting reflecting, List<Exchange> script,
            List<String> expected, List<String> queries) {
        assertThat(received(type, namespace, reflecting, script, expected.size(), queries)).isEqualTo(expected);
    }

    @SuppressWarnings("unchecked") // the objects' class does not matter here
    private static List<String> received(
            ResourceType<?> type, String namespace, Reflecting reflecting, List<Exchange> script, int count,
            List<String> queries) {
        try (var server = ReplayServer.of(script); var client = KubernetesClient.create(ClusterConfig.of(server.uri().toString()))) {
            ListerWatcher<Object> source =
                    new Unproven<>(ListerWatcher.over(client, (ResourceType<Object>) type, Namespaces.of(namespace)));
            List<String> received = reflecting.of(source, ReflectorOptions.defaults().withBackoff(SHORT).withStreaming(false))
                    .events()
                    .map(new Lines()::text).take(count).collectList().block(Duration.ofSeconds(20));
            for (int i = 0; i < queries.size(); i++) {
                assertThat(server.requests().get(i)).contains(queries.get(i).split("&", -1));
            }
            return received;
        }
    }

    private static Reflecting from(String resourceVersion) {
        return (source, options) -> Reflector.of(source, options).resumeFrom(resourceVersion);
    }

    private interface Reflecting {
        Reflector<Object> of(ListerWatcher<Object> source, ReflectorOptions options);
    }

    private static Exchange exchange(String recording, int number) {
        return Recording.of(recording).exchange(number);
    }

    /** What a reflector emits, as text. */
    private static final class Lines {

        private boolean listing;

        String text(ReflectorEvent<?> event) {
            if (event instanceof ReflectorEvent.ListingStarted<?>) {
                listing = true;
                return "listing";
            } else if (event instanceof ReflectorEvent.ListingEnded<?> ended) {
                listing = false;
                return (ended.newEpoch() ? "new epoch " : "listed ") + ended.resourceVersion();
            } else if (event instanceof ReflectorEvent.Watching<?> watching) {
                return "watching " + watching.resourceVersion();
            } else if (event instanceof ReflectorEvent.Received<?> received) {
                return textOf(received.event());
            } else if (event instanceof ReflectorEvent.Disrupted<?> disrupted) {
                String cause = disrupted.cause() instanceof StatusException refusal ? String.valueOf(refusal.code()) : "broken";
                return cause + (disrupted.relist() ? ", list" : ", resume");
            }
            return event.toString();
        }

        private String textOf(ObjectEvent<?> event) {
            if (event instanceof ObjectEvent.Bookmark) {
                return "bookmark " + event.resourceVersion();
            } else if (event instanceof ObjectEvent.Unreadable) {
                return "?" + event.key() + "@" + event.resourceVersion();
            }
            boolean listed = listing && event instanceof ObjectEvent.Applied<?> applied && !applied.modified();
            return (listed ? "" : event.deleted() ? "-" : "+") + event.key() + "@" + event.resourceVersion();
        }
    }
}
