package io.reactiveinformer.laws.memory;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.test.TestClock;
import io.reactiveinformer.test.TestView;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.Memory;
import io.reactiveinformer.view.Remembered;
import io.reactiveinformer.view.Remembered.Gone;
import io.reactiveinformer.view.Remembered.Reset;
import io.reactiveinformer.view.Remembered.Row;
import io.reactiveinformer.view.Retention;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** A memory, by named cases; that it tells each subscriber the truth is {@link MemoryPropertyTest}'s. */
@Isolated
@Timeout(120)
class MemoryTest {

    private static final Retention RETENTION = Retention.of(ofMinutes(5)).atMost(3);

    private final TestClock clock = TestClock.start();
    private final TestView<String, String> rows = TestView.of(Map.of("a", "1"));
    private final Memory<String, String> memory = rows.remembering(RETENTION);

    @AfterEach
    void realTime() {
        clock.close();
    }

    /** Writes down what it receives, shortly, and the last position. */
    private static final class Reader extends BaseSubscriber<Remembered<String, String>> {

        private final List<String> received = new ArrayList<>();
        private @Nullable String position;
        private @Nullable Throwable failure;
        private boolean completed;

        static Reader of(Memory<String, String> memory, @Nullable String position) {
            var reader = new Reader();
            memory.changesSince(position, Delivery.conflated()).subscribe(reader);
            return reader;
        }

        @Override
        protected void hookOnSubscribe(Subscription subscription) {}

        @Override
        protected void hookOnNext(Remembered<String, String> element) {
            position = element.position();
            received.add(text(element));
        }

        @Override
        protected void hookOnError(Throwable thrown) {
            failure = thrown;
        }

        @Override
        protected void hookOnComplete() {
            completed = true;
        }
    }

    private static String text(Remembered<String, String> element) {
        return element instanceof Row<String, String> row ? row.key() + "=" + row.entry().object()
                : element instanceof Gone<String, String> gone ? "-" + gone.key() + " " + gone.cause()
                : element instanceof Reset ? "reset" : "synced";
    }

    private Reader read(@Nullable String position) {
        return next(Reader.of(memory, position), Long.MAX_VALUE);
    }

    private Reader next(Reader reader, long demand) {
        reader.request(demand);
        clock.advance(ofSeconds(1));
        return reader;
    }

    private List<String> received(@Nullable String position) {
        Reader reader = read(position);
        reader.cancel();
        return reader.received;
    }

    private List<String> since(String position) {
        return memory.since(position).orElseThrow().stream().map(MemoryTest::text).toList();
    }

    @Test
    void firstTimeIsAResetThenRowsThenSynced() {
        Reader reader = read(null);
        rows.put("b", "2").remove("a");
        clock.advance(ofSeconds(1));
        assertThat(reader.received).containsExactly("reset", "a=1", "synced", "b=2", "-a OBSERVED");
        assertThat(reader.position).isEqualTo(memory.position());
    }

    @Test
    void aPositionBringsTheDifferenceAndNoMore() {
        rows.put("b", "2").put("c", "3");
        String position = memory.position();
        assertThat(received(position)).containsExactly("synced");
        rows.put("b", "4").put("b", "5").remove("c").put("brief", "6").remove("brief").put("d", "7");
        assertThat(received(position)).as("what came and went is not told").containsExactly("b=5", "-c OBSERVED", "d=7", "synced");
        assertThat(since(position)).containsExactly("b=5", "-c OBSERVED", "d=7");
        assertThat(memory.since("")).isEmpty();
    }

    @Test
    void aReaderThatIsCutOffAtEachElementMissesNothing() {
        rows.put("b", "2").put("c", "3").remove("b").put("b", "4").recreate("c", "5");
        List<String> all = new ArrayList<>();
        String position = null;
        for (int i = 0; i < 6; i++) {
            Reader reader = next(Reader.of(memory, position), 1);
            reader.cancel();
            position = reader.position;
            all.addAll(reader.received);
        }
        assertThat(all).containsExactly("reset", "a=1", "b=4", "c=5", "synced", "synced");
    }

    /** A first walk takes longer than a connection lives, and deletions are forgotten meanwhile. */
    @Test
    void firstRowsGoOnAlsoIfEarlierDeletionsAreForgotten() {
        rows.put("b", "2").put("c", "3");
        for (int i = 0; i < 10; i++) {
            rows.put("brief", "" + i).remove("brief").put("d" + i, "4").remove("d" + i);
        }
        Reader reader = next(Reader.of(memory, null), 2);
        reader.cancel();
        assertThat(reader.received).containsExactly("reset", "a=1");
        assertThat(received(reader.position)).containsExactly("b=2", "c=3", "synced");
    }

    @Test
    void aPositionThatDoesNotHoldIsAReset() {
        Memory<String, String> other = rows.remembering(RETENTION);
        String held = memory.position();
        String identity = held.substring(0, held.indexOf('.') + 1);
        assertThat(other.position()).isNotEqualTo(held);
        for (String forged : List.of("", ".", "0", "null", "\0", "\0" + held, held + "\0", held + "\n", held + " ", held + ".",
                held + ".zz", held + ".0", held + ".1.1", held + "zzz", identity, identity + "-1", identity + "+1", identity + "01",
                identity + "\u0661", identity + "zzzzzzzzzzzzz", identity + "zzzzzzzzzzzzzz", identity + "1.zzzzzzzzzzzzz",
                held.toUpperCase(Locale.ROOT), other.position(), held + "9".repeat(1_000_000), identity.repeat(100_000),
                "data: x\n\nid: " + held)) {
            assertThat(received(forged)).as("%.60s", forged).containsExactly("reset", "a=1", "synced");
            assertThat(memory.since(forged)).isEmpty();
            assertThat(memory.at(forged)).isEmpty();
            assertThat(memory.between(forged, held)).isEmpty();
            assertThat(memory.between(held, forged)).isEmpty();
        }
        assertThat(received(other.position())).containsExactly("reset", "a=1", "synced");
        assertThat(received(held)).containsExactly("synced");
    }

    @Test
    void aNameThatIsUsedAgainIsGoneBeforeItIsThere() {
        String position = memory.position();
        String uid = rows.snapshot().find("a").uid();
        rows.recreate("a", "2");
        assertThat(received(position)).containsExactly("-a OBSERVED", "a=2", "synced");
        rows.recreate("a", "3").recreate("a", "4");
        assertThat(received(position)).as("however often").containsExactly("-a OBSERVED", "a=4", "synced");
        rows.remove("a");
        assertThat(received(position)).containsExactly("-a OBSERVED", "synced");
        assertThat(memory.last("a").orElseThrow().last().object()).isEqualTo("4");
        assertThat(memory.last("a").orElseThrow().last().uid()).isNotEqualTo(uid);
    }

    @Test
    void theLastDeletionIsKnownForItsTime() {
        Instant begin = memory.knownSince();
        assertThat(memory.last("a")).isEmpty();
        clock.advance(ofSeconds(10));
        rows.remove("a", DeletionCause.INFERRED);
        clock.advance(ofMinutes(4));
        rows.put("a", "2");
        Memory.Deletion<String> last = memory.last("a").orElseThrow();
        assertThat(last.last().object()).as("of the object before").isEqualTo("1");
        assertThat(last.cause()).isEqualTo(DeletionCause.INFERRED);
        assertThat(last.at()).isEqualTo(begin.plusSeconds(10));
        assertThat(memory.knownSince()).isEqualTo(begin);
        clock.advance(ofMinutes(1));
        assertThat(memory.last("a")).isEmpty();
        assertThat(memory.knownSince()).isEqualTo(begin.plusSeconds(10));
    }

    @Test
    void ofManyDeletionsTheOldestAreForgotten() {
        String position = memory.position();
        rows.put("b", "2").put("c", "3").put("d", "4").put("e", "5");
        String second = memory.position();
        rows.remove("b").remove("c").remove("d");
        assertThat(received(second)).containsExactly("-b OBSERVED", "-c OBSERVED", "-d OBSERVED", "synced");
        rows.remove("e");
        assertThat(memory.last("b")).isEmpty();
        assertThat(memory.last("c")).isPresent();
        assertThat(received(second)).containsExactly("reset", "a=1", "synced");
        assertThat(received(position)).containsExactly("reset", "a=1", "synced");
    }

    @Test
    void whatLeavesTheViewHasNoLastState() {
        View<String, String> odd = rows.filter(row -> Integer.parseInt(row) % 2 == 1);
        Memory<String, String> filtered = odd.remembering(RETENTION);
        clock.advance(ofSeconds(1));
        String position = filtered.position();
        rows.put("a", "2");
        clock.advance(ofSeconds(1));
        assertThat(filtered.since(position).orElseThrow()).map(MemoryTest::text).containsExactly("-a LEFT");
        assertThat(filtered.last("a")).isEmpty();
        filtered.close();
        assertThat(odd.snapshot().complete()).as("in use").isFalse();
    }

    /** It would have rows for ever that are gone. */
    @Test
    void oneThatIsSlowerThanDeletionsAreForgottenIsReset() {
        Reader slow = next(Reader.of(memory, null), 3);
        assertThat(slow.received).containsExactly("reset", "a=1", "synced");
        rows.put("b", "2").remove("a");
        for (String key : List.of("c", "d", "e")) {
            rows.put(key, "3").remove(key);
        }
        assertThat(next(slow, 100).received.subList(3, slow.received.size())).containsExactly("reset", "b=2", "synced");
        rows.put("f", "4");
        clock.advance(ofSeconds(1));
        assertThat(slow.received).last().isEqualTo("f=4");
    }

    @Test
    void aSubscriberWithoutDemandReceivesTheLastState() {
        Reader slow = next(Reader.of(memory, memory.position()), 1);
        for (int i = 0; i < 1_000; i++) {
            rows.put("a", "" + i);
        }
        assertThat(next(slow, 100).received).containsExactly("synced", "a=999");
    }

    @Test
    void tenThousandReconnectsLeaveNothingBehind() {
        String position = memory.position();
        for (int i = 0; i < 10_000; i++) {
            Reader reader = Reader.of(memory, i % 2 == 0 ? position : null);
            reader.request(i % 4);
            rows.put("a", "" + i);
            reader.cancel();
        }
        clock.advance(ofSeconds(1));
        assertThat(memory.subscribers()).isZero();
        assertThat(received(position)).containsExactly("a=9999", "synced");
    }

    /** More than the writer itself wakes. */
    @Test
    void manySubscribersReceiveEachLastState() {
        List<Reader> readers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            readers.add(read(memory.position()));
        }
        for (int i = 0; i < 10; i++) {
            rows.put("a", "" + i).put("b", "" + i);
        }
        clock.advance(ofSeconds(1));
        assertThat(readers).allSatisfy(reader -> assertThat(reader.received).endsWith("a=9", "b=9"));
        assertThat(memory.subscribers()).isEqualTo(100);
    }

    @Test
    void nothingIsToldBeforeTheRowsAreComplete() {
        TestView<String, String> loading = TestView.create();
        Memory<String, String> early = loading.remembering(RETENTION);
        Reader reader = next(Reader.of(early, early.position()), 100);
        loading.put("a", "1").put("b", "2").remove("a");
        clock.advance(ofSeconds(1));
        assertThat(reader.received).isEmpty();
        assertThat(early.since(early.position())).isEmpty();
        loading.sync();
        clock.advance(ofSeconds(1));
        assertThat(reader.received).containsExactly("reset", "b=2", "synced");
    }

    @Test
    void completesAfterAllChangesOfAViewThatWasStopped() {
        Reader slow = next(Reader.of(memory, memory.position()), 1);
        rows.put("b", "2").put("c", "3");
        rows.stop();
        assertThat(next(slow, 1).received).containsExactly("synced", "b=2");
        assertThat(slow.completed).isFalse();
        assertThat(next(slow, 1).received).endsWith("c=3");
        assertThat(slow.completed).isTrue();
        Reader late = read(null);
        assertThat(late.received).containsExactly("reset", "a=1", "b=2", "c=3", "synced");
        assertThat(late.completed).isTrue();
    }

    @Test
    void aClosedMemoryCompletesItsSubscribersAtOnce() {
        Reader slow = next(Reader.of(memory, memory.position()), 1);
        rows.put("b", "2");
        memory.close();
        clock.advance(ofSeconds(1));
        assertThat(slow.completed).isTrue();
        Reader late = read(null);
        assertThat(late.received).isEmpty();
        assertThat(late.completed).isTrue();
        assertThat(memory.subscribers()).isZero();
        assertThat(memory.last("a")).isEmpty();
        rows.put("c", "3");
    }

    @Test
    void followsAViewAnewThatHasFailed() {
        var failing = new View<String, String>() {
            private TestView<String, String> current = TestView.of(Map.of("a", "1"));
            private @Nullable RuntimeException failure = new IllegalStateException("on purpose");

            @Override
            public Snapshot<String, String> snapshot() {
                return current.snapshot();
            }

            @Override
            public Flux<Change<String, String>> changes(Delivery delivery) {
                return current.changes(delivery).mergeWith(failure == null ? Mono.empty()
                        : Mono.delay(ofMinutes(1)).then(Mono.error(failure)));
            }

            @Override
            public Mono<Void> synced() {
                return Mono.empty();
            }

            @Override
            public Flux<InformerStatus> status() {
                return Flux.never();
            }
        };
        Memory<String, String> again = failing.remembering(RETENTION);
        Reader reader = next(Reader.of(again, null), 100);
        assertThat(reader.received).containsExactly("reset", "a=1", "synced");
        clock.advance(ofMinutes(2));
        assertThat(reader.failure).hasMessage("on purpose");
        failing.failure = null;
        failing.current.put("b", "2");
        Reader next = next(Reader.of(again, reader.position), 100);
        assertThat(next.received).containsExactlyInAnyOrder("reset", "a=1", "b=2", "synced");
        again.close();
        assertThat(failing.current.subscribers()).isEmpty();
    }

    @Test
    void refusesWhatItCannotKeep() {
        assertThatIllegalArgumentException().isThrownBy(() -> memory.changesSince(null, Delivery.every(10))).withMessageContaining("last");
        assertThatIllegalArgumentException().isThrownBy(() -> Retention.of(Duration.ZERO)).withMessageContaining("PT0S");
        assertThatIllegalArgumentException().isThrownBy(() -> RETENTION.atMost(0)).withMessageContaining("0");
    }

    @Test
    void aSubscriberThatThrowsEndsAlone() {
        Reader reader = read(memory.position());
        memory.changesSince(null, Delivery.conflated().on(Schedulers.immediate()))
                .subscribe(element -> {
                    throw new IllegalStateException("on purpose");
                }, ignored -> {});
        rows.put("b", "2");
        clock.advance(ofSeconds(1));
        assertThat(reader.received).containsExactly("synced", "b=2");
        assertThat(memory.subscribers()).isEqualTo(1);
    }

    @Test
    void deletionsMayBeKeptForEver() {
        Memory<String, String> forEver = rows.remembering(Retention.of(ChronoUnit.FOREVER.getDuration()));
        Reader reader = next(Reader.of(forEver, null), Long.MAX_VALUE);
        rows.remove("a");
        clock.advance(ofMinutes(60));
        assertThat(reader.received).containsExactly("reset", "a=1", "synced", "-a OBSERVED");
        assertThat(next(Reader.of(forEver, "x"), Long.MAX_VALUE).received).containsExactly("reset", "synced");
        forEver.close();
    }

    /** Although the view had stopped before, whose end waits for the demand of each subscriber. */
    @Test
    void aClosedMemoryTellsNothingMore() {
        Reader slow = next(Reader.of(memory, null), 1);
        rows.stop();
        clock.advance(ofSeconds(1));
        memory.close();
        next(slow, 9);
        assertThat(slow.received).containsExactly("reset");
        assertThat(slow.completed).isTrue();
        assertThat(received(null)).isEmpty();
    }

    private static List<String> between(Memory<String, String> of, String from, String to) {
        return of.between(from, to).orElseThrow().stream().map(change -> change.match(
                added -> "+" + added.key() + "=" + added.object(),
                updated -> updated.key() + "=" + updated.before() + ">" + updated.after(),
                deleted -> "-" + deleted.key() + "=" + deleted.last() + " " + deleted.cause(),
                synced -> "synced")).toList();
    }

    private static List<String> at(Memory<String, String> of, String position) {
        List<String> found = new ArrayList<>();
        of.at(position).orElseThrow().forEach((key, row) -> found.add(key + "=" + row.object()));
        return found.stream().sorted().toList();
    }

    @Test
    void withAHistoryEarlierRowsAreKnown() {
        Memory<String, String> kept = rows.remembering(RETENTION.withHistory(10));
        String first = kept.position();
        rows.put("b", "2").put("a", "3");
        String second = kept.position();
        rows.remove("b", DeletionCause.INFERRED).put("brief", "4").remove("brief").recreate("a", "5").put("c", "6");
        String third = kept.position();
        assertThat(at(kept, first)).containsExactly("a=1");
        assertThat(at(kept, second)).containsExactly("a=3", "b=2");
        assertThat(at(kept, third)).containsExactly("a=5", "c=6");
        assertThat(kept.at(second).orElseThrow().find("a").uid()).as("not that of now").isEqualTo(kept.at(first).orElseThrow().find("a").uid());
        assertThat(between(kept, first, second)).containsExactly("+b=2", "a=1>3");
        assertThat(between(kept, second, third)).containsExactly("-b=2 INFERRED", "-a=3 OBSERVED", "+a=5", "+c=6");
        assertThat(between(kept, first, third)).containsExactly("-a=1 OBSERVED", "+a=5", "+c=6");
        assertThat(between(kept, third, third)).isEmpty();
        assertThat(kept.between(third, first)).as("backwards").isEmpty();
    }

    /** It would be a state that the view never had. */
    @Test
    void aPositionWithinAListIsTheMomentAfterIt() {
        Memory<String, String> kept = rows.remembering(RETENTION.withHistory(10));
        String before = kept.position();
        rows.list(Map.of("a", "2", "b", "2", "c", "2"));
        Reader cut = next(Reader.of(kept, before), 1);
        cut.cancel();
        assertThat(cut.position).isNotEqualTo(kept.position());
        assertThat(at(kept, cut.position)).containsExactly("a=2", "b=2", "c=2");
        assertThat(between(kept, cut.position, kept.position())).isEmpty();
    }

    @Test
    void aPositionWithinFirstRowsIsOfNoMoment() {
        rows.put("b", "2");
        Memory<String, String> kept = rows.remembering(RETENTION.withHistory(10));
        Reader cut = next(Reader.of(kept, null), 2);
        cut.cancel();
        rows.put("b", "3");
        assertThat(kept.since(cut.position)).isPresent();
        assertThat(kept.at(cut.position)).isEmpty();
        assertThat(kept.between(cut.position, kept.position())).isEmpty();
    }

    @Test
    void theHistoryIsBoundedByItsNumberAndByTime() {
        Memory<String, String> kept = rows.remembering(RETENTION.withHistory(3));
        Instant begin = kept.historySince();
        List<String> positions = new ArrayList<>(List.of(kept.position()));
        for (int i = 1; i <= 4; i++) {
            clock.advance(ofSeconds(1));
            rows.put("a", "v" + i);
            positions.add(kept.position());
        }
        assertThat(kept.at(positions.get(0))).isEmpty();
        assertThat(at(kept, positions.get(1))).containsExactly("a=v1");
        assertThat(kept.historySince()).isEqualTo(begin.plusSeconds(1));
        clock.advance(ofMinutes(5).minusSeconds(1));
        assertThat(kept.at(positions.get(2))).isEmpty();
        assertThat(at(kept, positions.get(3))).containsExactly("a=v3");
        assertThat(kept.historySince()).isEqualTo(begin.plusSeconds(3));
        rows.list(Map.of("a", "5", "b", "5", "c", "5", "d", "5"));
        assertThat(kept.at(positions.get(4))).as("more at once than are kept").isEmpty();
        assertThat(at(kept, kept.position())).hasSize(4);
        kept.close();
        assertThat(kept.at(positions.get(4))).isEmpty();
    }

    @Test
    void withoutAHistoryTheRowsOfNowAreKnown() {
        String before = memory.position();
        assertThat(at(memory, before)).containsExactly("a=1");
        clock.advance(ofSeconds(1));
        Instant last = memory.historySince();
        rows.put("a", "2");
        assertThat(memory.at(before)).isEmpty();
        assertThat(at(memory, memory.position())).containsExactly("a=2");
        assertThat(memory.historySince()).isEqualTo(last.plusSeconds(1));
        assertThatIllegalArgumentException().isThrownBy(() -> RETENTION.withHistory(-1)).withMessageContaining("-1");
    }

    @Test
    void whatHasLeftTheViewIsInItsHistory() {
        View<String, String> odd = rows.filter(row -> Integer.parseInt(row) % 2 == 1);
        Memory<String, String> filtered = odd.remembering(RETENTION.withHistory(10));
        clock.advance(ofSeconds(1));
        String position = filtered.position();
        rows.put("a", "2");
        clock.advance(ofSeconds(1));
        assertThat(between(filtered, position, filtered.position())).containsExactly("-a=1 LEFT");
        rows.put("a", "3");
        clock.advance(ofSeconds(1));
        assertThat(between(filtered, position, filtered.position())).containsExactly("a=1>3");
        filtered.close();
    }
}
