package io.reactiveinformer.laws.reflector;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.test.Script;
import io.reactiveinformer.test.ScriptedListerWatcher;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

import static io.reactiveinformer.test.Script.broken;
import static io.reactiveinformer.test.Script.endMark;
import static io.reactiveinformer.test.Script.expired;
import static io.reactiveinformer.test.Script.failsAfter;
import static io.reactiveinformer.test.Script.item;
import static io.reactiveinformer.test.Script.lastPage;
import static io.reactiveinformer.test.Script.modified;
import static io.reactiveinformer.test.Script.never;
import static io.reactiveinformer.test.Script.refused;
import static io.reactiveinformer.test.Script.staysOpenAfter;
import static io.reactiveinformer.test.Script.tooLarge;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Law 15: if one reflector of a group finds that the server has another history, this counts once for each of the others, whatever they are
 * doing. And when an earlier history is proven.
 */
class EpochsTest {

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final Reflector.Group group = Reflector.Group.create();

    @AfterEach
    void close() {
        clock.dispose();
    }

    private ReflectorProbe probe(ListerWatcher<String> server) {
        return ReflectorProbe.of(clock, server, options -> options.withGroup(group));
    }

    /** Learns from its version that the server was restored: its most recent state is of 5. */
    private static ScriptedListerWatcher<String> finder(Flux<ObjectEvent<String>> watch) {
        return new ScriptedListerWatcher<String>().onList("10").onWatch("10", watch).onList("5").onWatch("5", never());
    }

    private static void restored(Sinks.Empty<ObjectEvent<String>> watch) {
        watch.tryEmitError(tooLarge());
    }

    private final Sinks.Empty<ObjectEvent<String>> restore = Sinks.empty();
    private final ScriptedListerWatcher<String> finding = finder(restore.asMono().flux());

    private ReflectorProbe found(ReflectorProbe finder) {
        restored(restore);
        return finder.emits("listing", "listed 10", "504 #1, list in 0.8").afterSeconds(0.8).emits("listing", "new epoch 5", "watching 5");
    }

    /** Though its own list shows nothing of it: the new history has come past its version, and equal versions prove nothing. */
    @Test
    void whoWatchesListsAtOnceAndBelievesNothingOfBefore() {
        var server = new ScriptedListerWatcher<String>().onList("10", "a").onWatch("10", never()).onList("20", "a").onWatch("20", never());
        ReflectorProbe other = probe(server).emits("listing", "a@10", "listed 10", "watching 10");
        ReflectorProbe finder = found(probe(finding));
        other.after(Duration.ZERO).emits("listing", "a@10", "new epoch 20", "watching 20").afterSeconds(60).end();
        finder.end();
        assertThat(server.requests()).as("the most recent state").contains("list limit=500");
    }

    /** Though the list that follows shows nothing of it, and neither does that of the other. */
    @Test
    void whatAProofHasShownBeginsAnEpochForAll() {
        var restored = new ScriptedListerWatcher<String>().onList("10", "a").onWatch("10", refused(broken()))
                .onList("20", "a").onWatch("20", never());
        var proving = new ListerWatcher.Forwarding<>(restored) {
            @Override
            public Identity identity() {
                return new Identity("things", restored.identity().part(), false, Past.ONE);
            }

            @Override
            public Flux<ObjectEvent<String>> list(ListOptions options, Reading<String> reading) {
                boolean proof = options.match() == ListOptions.Match.EXACT;
                return proof ? Flux.just(lastPage("10")) : super.list(options, reading);
            }
        };
        var server = new ScriptedListerWatcher<String>().onList("10").onWatch("10", never()).onList("20").onWatch("20", never());
        ReflectorProbe other = probe(server).emits("listing", "listed 10", "watching 10");
        ReflectorProbe finder = probe(proving).emits("listing", "a@10", "listed 10", "transport #1, resume in 0.8")
                .afterSeconds(0.8).emits("listing", "a@10", "new epoch 20", "watching 20");
        other.after(Duration.ZERO).emits("listing", "new epoch 20", "watching 20").end();
        finder.end();
        restored.verifyPlayedToTheEnd();
    }

    @Test
    void whoPausesDoesNotWatchAgainInTheOldHistory() {
        var server = new ScriptedListerWatcher<String>().onList("10")
                .onWatch("10", refused(broken())).onWatch("10", refused(broken())).onList("20").onWatch("20", never());
        ReflectorProbe other = probe(server).afterSeconds(0.8)
                .emits("listing", "listed 10", "transport #1, resume in 0.8", "transport #2, resume in 1.6");
        ReflectorProbe finder = found(probe(finding));
        other.afterSeconds(0.7).emits();
        other.afterSeconds(0.1).emits("listing", "new epoch 20", "watching 20").end();
        finder.end();
    }

    /** It may be of either history. */
    @Test
    void aListThatWasUnderWayIsNotBelieved() {
        Sinks.Many<ObjectEvent<String>> list = Sinks.many().unicast().onBackpressureBuffer();
        var server = new ScriptedListerWatcher<String>().onList(list.asFlux()).onList("20", "a").onWatch("20", never());
        ReflectorProbe other = probe(server).emits("listing");
        list.tryEmitNext(item("a", "9"));
        ReflectorProbe finder = found(probe(finding));
        other.emits("a@9");
        list.tryEmitNext(lastPage("10"));
        list.tryEmitComplete();
        other.emits("transport #1, list in 0.8").afterSeconds(0.8).emits("listing", "a@20", "new epoch 20", "watching 20").end();
        finder.end();
    }

    @Test
    void aStreamingListThatIsUnderWayComesToItsEndFirst() {
        Sinks.Many<ObjectEvent<String>> stream = Sinks.many().unicast().onBackpressureBuffer();
        var server = new ScriptedListerWatcher<String>().onStream(null, stream.asFlux()).onList("20", "a").onWatch("20", never());
        ReflectorProbe other = ReflectorProbe.of(clock, server, options -> options.withGroup(group).withStreaming(true)).emits("listing");
        stream.tryEmitNext(Script.added("a", "9"));
        ReflectorProbe finder = found(probe(finding));
        other.afterSeconds(5).emits("a@9");
        stream.tryEmitNext(endMark("10"));
        other.emits("transport #1, list in 0.8").afterSeconds(0.8).emits("listing", "a@20", "new epoch 20", "watching 20").end();
        finder.end();
    }

    /** Also between the check of the list and the beginning of the watch: at each moment at which the reflector asks for the time. */
    @Test
    void aStreamingListIsNotBelievedWheneverItsHistoryEnds() {
        int moment = 1;
        while (isFoundOut(moment)) {
            moment++;
        }
        assertThat(moment).as("moments while the list comes to its end").isGreaterThan(3);
    }

    /** Whether there is such a moment; another member finds the other history at it. */
    private boolean isFoundOut(int moment) {
        Reflector.Group both = Reflector.Group.create();
        Sinks.Many<ObjectEvent<String>> list = Sinks.many().unicast().onBackpressureBuffer();
        ReflectorProbe finder = ReflectorProbe.of(clock, new ScriptedListerWatcher<String>().onList("10").onWatch("10", refused(tooLarge()))
                .onList(list.asFlux()).onWatch("5", never()), options -> options.withGroup(both)).afterSeconds(0.8);
        Sinks.Many<ObjectEvent<String>> stream = Sinks.many().unicast().onBackpressureBuffer();
        var streams = new ScriptedListerWatcher<String>().onStream(null, stream.asFlux()).onStream(null, staysOpenAfter(endMark("20")));
        var pages = new ScriptedListerWatcher<String>().onList("20").onWatch("20", never());
        var server = new ListerWatcher.Forwarding<>(pages) { // a list that doubts itself is followed by one in pages, a watch by a stream

            @Override
            public Flux<ObjectEvent<String>> watch(WatchOptions options, Reading<String> reading) {
                return options.initialEvents() ? streams.watch(options, reading) : super.watch(options, reading);
            }
        };
        var timer = new AskedForTheTime(clock);
        ReflectorProbe other = ReflectorProbe.of(clock, server, options -> options.withGroup(both).withStreaming(true).withTimer(timer));
        timer.at(moment, () -> {
            list.tryEmitNext(lastPage("5"));
            list.tryEmitComplete();
        });
        stream.tryEmitNext(endMark("10"));
        if (timer.isPast()) {
            other.afterSeconds(60);
            assertThat(other.lines()).as("at moment %d", moment).endsWith("new epoch 20", "watching 20");
        }
        other.cancel();
        finder.cancel();
        return timer.isPast();
    }

    /** Does something when it is asked for the n-th time. */
    private static final class AskedForTheTime implements Scheduler {

        private final Scheduler clock;
        private int left;
        private Runnable then = () -> {};

        AskedForTheTime(Scheduler clock) {
            this.clock = clock;
        }

        void at(int moment, Runnable action) {
            left = moment;
            then = action;
        }

        boolean isPast() {
            return left == 0;
        }

        @Override
        public long now(TimeUnit unit) {
            if (left > 0 && --left == 0) {
                then.run();
            }
            return clock.now(unit);
        }

        @Override
        public Disposable schedule(Runnable task) {
            return clock.schedule(task);
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            return clock.schedule(task, delay, unit);
        }

        @Override
        public Worker createWorker() {
            return clock.createWorker();
        }
    }

    /** Though it was a list when the epoch of its beginning ended. */
    @Test
    void theFinderOfOneEndReceivesTheNext() {
        Sinks.Many<ObjectEvent<String>> stream = Sinks.many().unicast().onBackpressureBuffer();
        var server = new ScriptedListerWatcher<String>().onStream(null, failsAfter(tooLarge(), endMark("10")))
                .onStream(null, stream.asFlux()).onStream(null, staysOpenAfter(endMark("3")));
        ReflectorProbe other = ReflectorProbe.of(clock, server, options -> options.withGroup(group).withStreaming(true))
                .afterSeconds(0.8).whatever();
        Sinks.Empty<ObjectEvent<String>> again = Sinks.empty();
        ReflectorProbe finder = probe(new ScriptedListerWatcher<String>().onList("10").onWatch("10", restore.asMono().flux())
                .onList("5").onWatch("5", again.asMono().flux()).onList("3").onWatch("3", never()));
        restored(restore);
        finder.afterSeconds(0.8);
        stream.tryEmitNext(endMark("5"));
        other.emits("new epoch 5", "watching 5");
        restored(again);
        finder.afterSeconds(2).whatever().end();
        other.emits("listing", "new epoch 3", "watching 3").end();
    }

    /** Of a restore that both notice, the second to do so starts nothing over. */
    @Test
    void whatTwoHaveFoundIsFoundOnce() {
        Sinks.Empty<ObjectEvent<String>> second = Sinks.empty();
        ScriptedListerWatcher<String> server = finder(second.asMono().flux());
        ReflectorProbe other = probe(server);
        ReflectorProbe finder = probe(finding);
        restored(restore);
        restored(second);
        other.afterSeconds(60).whatever().end();
        finder.whatever().end();
    }

    /** Counts the questions for one object; each finds all as it was. */
    private static final class Asked implements ListerWatcher<String> {

        private final ScriptedListerWatcher<String> server;
        private int proofs;

        Asked(ScriptedListerWatcher<String> server) {
            this.server = server;
        }

        @Override
        public Identity identity() {
            return new Identity(server.identity().description(), server.identity().part(), false, Past.ONE);
        }

        @Override
        public Flux<ObjectEvent<String>> list(ListOptions options, Reading<String> reading) {
            ObjectKey key = options.key();
            String version = options.resourceVersion();
            if (key == null && options.match() != ListOptions.Match.EXACT) {
                return server.list(options, reading);
            }
            proofs++;
            return key == null ? Flux.just(lastPage(version)) : Flux.just(item(key.name(), version), lastPage(version));
        }

        @Override
        public Flux<ObjectEvent<String>> watch(WatchOptions options, Reading<String> reading) {
            return server.watch(options, reading);
        }
    }

    private int proofs(ScriptedListerWatcher<String> server, Duration time) {
        var asked = new Asked(server);
        ReflectorProbe probe = probe(asked).after(time);
        probe.cancel();
        server.verifyPlayedToTheEnd();
        return asked.proofs;
    }


    /** One small request a break: what ends as watches end needs none, nor what follows it. */
    @Test
    void onlyWhatFollowsABreakIsProven() {
        Flux<ObjectEvent<String>> routine = Flux.defer(() -> Script.<String>never()
                .takeUntilOther(Mono.delay(Duration.ofMinutes(5), clock)));
        assertThat(proofs(new ScriptedListerWatcher<String>().onList("10")
                .onWatch("10", routine).onWatch("10", routine).onWatch("10", never()), Duration.ofMinutes(14))).isZero();
        assertThat(proofs(new ScriptedListerWatcher<String>().onList("10")
                .onWatch("10", failsAfter(broken(), modified("a", "11"))).onWatch("11", routine).onWatch("11", never()),
                        Duration.ofMinutes(9))).isOne();
    }

    /**
     * The past is proven after the break and, since a store may be restored in the pause before it, before the list; not again before the
     * watch from that.
     */
    @Test
    void aListIsProofItself() {
        assertThat(proofs(new ScriptedListerWatcher<String>().onList("10").onWatch("10", failsAfter(broken(), modified("a", "11")))
                .onWatch("11", expired()).onList("20").onWatch("20", never()), Duration.ofSeconds(30))).isEqualTo(2);
    }

    /** An object that the server cannot read fails each watch that comes by it; a watch that has come further was not stopped by it. */
    @Test
    void failuresWithProgressBetweenThemAreNoReasonToList() {
        var server = new ScriptedListerWatcher<String>().onList("10");
        for (int version = 10; version < 16; version++) {
            server.onWatch(String.valueOf(version),
                    failsAfter(Script.refusal(500, "InternalError", ""), modified("a", String.valueOf(version + 1))));
        }
        server.onWatch("16", staysOpenAfter());
        probe(server).afterSeconds(60).whatever().end();
    }

    /** It has just sent all there is: the silence after it is no reason to list again, though the server sends bookmarks otherwise. */
    @Test
    void aStreamingListIsAWordOfTheWatchThatFollowsIt() {
        Flux<ObjectEvent<String>> quiet = Flux.defer(() -> Flux.just(Script.<String>endMark("20"))
                .concatWith(Flux.<ObjectEvent<String>>never().takeUntilOther(Mono.delay(Duration.ofMinutes(5), clock))));
        var server = new ScriptedListerWatcher<String>()
                .onStream(null, failsAfter(Script.refusal(410, "Expired", ""), endMark("10"), Script.bookmark("11")))
                .onStream("11", quiet).onWatch("20", never());
        ReflectorProbe.of(clock, server, options -> options.withStreaming(true)).after(Duration.ofMinutes(6)).whatever().end();
    }
}
