package io.reactiveinformer.processor;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

import static org.assertj.core.api.Assertions.assertThat;

/** What happens beside the writing of positions, and to the table that they are noted of. */
@Timeout(60)
class PositionsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ObjectKey WEB = ObjectKey.of("shop", "web");

    @TempDir
    private Path directory;

    private ProcessedRows<ObjectKey, String> rows;
    private Positions<ObjectKey, String> positions;

    @BeforeEach
    void open() {
        rows = new ProcessedRows<>(false);
        positions = new Positions<>(directory, "table", rows, Schedulers.parallel());
        positions.open().retryWhen(Retry.fixedDelay(1_000, Duration.ofMillis(5))).block(PATIENCE);
    }

    private static RowChange<ObjectKey, String> change(int version) {
        return new RowChange<>(WEB, null, new Versioned<>("uid", Integer.toString(version), "s" + version), null, 0);
    }

    @Test
    void anErrorOfWhatFollowsANoteIsNoMatterOfTheNext() {
        positions.finished(change(1)).subscribe(new CoreSubscriber<>() {
            @Override
            public void onSubscribe(Subscription subscription) {
                subscription.request(1);
            }

            @Override
            public void onNext(Void none) {}

            @Override
            public void onError(Throwable failure) {}

            @Override
            public void onComplete() {
                throw new OutOfMemoryError("planted");
            }
        });
        positions.finished(change(2)).block(PATIENCE);
        positions.close();
    }

    /** Each is in the file, or the next process repeats it: there is no line that cannot be read, and no file that stays locked. */
    @Test
    void aCloseBesideWritesLeavesAFileThatCanBeRead() throws Exception {
        for (int round = 0; round < 100; round++) {
            Mono<Void> writes = Mono.when(positions.begun(change(2 * round)), positions.finished(change(2 * round + 1)));
            var written = writes.subscribeOn(Schedulers.parallel()).toFuture();
            positions.close();
            written.get();
            open();
        }
        positions.close();
        assertThat(directory.resolve("processor-table.unusable")).doesNotExist();
    }

    @Test
    void whatWasClosedWritesNoMore() throws Exception {
        Positions<ObjectKey, String> closed = positions;
        closed.close();
        open();
        closed.finished(change(98)).block(PATIENCE);
        positions.finished(change(99)).block(PATIENCE);
        assertThat(directory.resolve("processor-table")).content().contains(" uid 99\n").doesNotContain(" uid 98\n");
        positions.close();
    }

    @Test
    void whatAnOldSubscriptionTellsCountsNoMore() {
        int old = rows.begin();
        rows.present(old, WEB, new Versioned<>("uid", "1", "s1"), false, 0);
        int next = rows.begin();
        assertThat(rows.present(old, WEB, new Versioned<>("uid", "2", "s2"), true, 0)).isFalse();
        assertThat(rows.absent(old, WEB, new Versioned<>("uid", "2", "s2"), DeletionCause.OBSERVED, 0)).isFalse();
        assertThat(rows.complete(old, "2", 0)).isEmpty();
        assertThat(rows.isComplete()).as("by the old one").isFalse();
        assertThat(rows.take(WEB, 0)).as("not told by the new one").isNull();
        assertThat(rows.present(next, WEB, new Versioned<>("uid", "1", "s1"), false, 0)).isTrue();
        assertThat(rows.absent(old, WEB, new Versioned<>("uid", "2", "s2"), DeletionCause.OBSERVED, 0)).isFalse();
        assertThat(rows.take(WEB, 0)).isNotNull();
        positions.close();
    }
}
