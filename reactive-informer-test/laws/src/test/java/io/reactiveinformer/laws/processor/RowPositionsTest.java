package io.reactiveinformer.laws.processor;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.processor.ProcessorStatus;
import io.reactiveinformer.processor.RowChange;
import io.reactiveinformer.processor.RowProcessor;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Table;
import io.reactiveinformer.test.TestView;
import io.reactiveinformer.view.ChangeHub;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** What a processor does with the rows of a view after a restart, in virtual time. */
class RowPositionsTest {

    private static final ObjectKey WEB = ObjectKey.of("shop", "web");
    private static final ObjectKey DB = ObjectKey.of("shop", "db");

    @TempDir
    private Path directory;

    private final TestView<ObjectKey, String> view = view();
    private final List<String> log = new ArrayList<>();
    private VirtualTimeScheduler time;

    @BeforeEach
    void virtualTime() {
        time = VirtualTimeScheduler.getOrSet();
    }

    @AfterEach
    void realTime() {
        VirtualTimeScheduler.reset();
    }

    private static TestView<ObjectKey, String> view() {
        return TestView.<ObjectKey, String>create().put(WEB, "s1").put(DB, "s1").sync();
    }

    private static String text(RowChange<ObjectKey, String> row) {
        String before = row.before() == null ? "" : row.before().object() + " -> ";
        return row.key().name() + ": " + before + (row.deleted() ? "gone" : row.object());
    }

    private Mono<Void> work(RowChange<ObjectKey, String> row) {
        log.add(text(row));
        return row.key().name().startsWith("never") ? Mono.never() : row.key().name().startsWith("fails")
                ? Mono.error(new IllegalStateException("no")) : Mono.empty();
    }

    private RowProcessor<ObjectKey> begin(String name) {
        log.clear();
        RowProcessor<ObjectKey> processor = RowProcessor.of(name, view).positions(directory).process(this::work);
        processor.start();
        time.advanceTime();
        return processor;
    }

    private Path file() {
        return directory.resolve("processor-table");
    }

    @Test
    void beginsWithAllRowsAndThenWithNone() {
        RowProcessor<ObjectKey> processor = begin("table");
        assertThat(log).containsExactlyInAnyOrder("web: s1", "db: s1");
        processor.close();
        RowProcessor<ObjectKey> again = begin("table");
        assertThat(log).isEmpty();
        StepVerifier.create(again.synced()).expectComplete().verify(Duration.ofSeconds(10));
        view.put(WEB, "s2");
        time.advanceTime();
        assertThat(log).containsExactly("web: s1 -> s2");
        again.close();
    }

    @Test
    void continuesWithWhatChangedOrWentMeanwhile() {
        begin("table").close();
        view.put(WEB, "s2").remove(DB).put(ObjectKey.of("shop", "new"), "s1");
        begin("table").close();
        assertThat(log).containsExactlyInAnyOrder("web: s2", "db: gone", "new: s1");
        begin("table").close();
        assertThat(log).isEmpty();
    }

    @Test
    void anotherObjectOfTheNameIsGoneFirst() {
        begin("table").close();
        view.recreate(WEB, "s2");
        begin("table").close();
        assertThat(log).containsExactly("web: gone", "web: s2");
    }

    @Test
    void continuesWithWhatWasInWorkOrFailed() {
        view.put(ObjectKey.of("shop", "never"), "s1").put(ObjectKey.of("shop", "fails"), "s1");
        begin("table").close();
        begin("table").close();
        assertThat(log).containsExactlyInAnyOrder("never: s1", "fails: s1");
        view.remove(ObjectKey.of("shop", "never")).remove(ObjectKey.of("shop", "fails"));
        begin("table").close();
        assertThat(log).as("perhaps they were written").containsExactlyInAnyOrder("never: gone", "fails: gone");
    }

    @Test
    void aDeletionThatWasInWorkIsNotLost() {
        ObjectKey never = ObjectKey.of("shop", "never");
        RowProcessor<ObjectKey> processor = RowProcessor.of("table", view).positions(directory)
                .process(row -> row.deleted() ? Mono.never() : Mono.empty());
        view.put(never, "s1");
        processor.start();
        time.advanceTime();
        view.remove(never);
        time.advanceTime();
        processor.close();
        begin("table").close();
        assertThat(log).containsExactly("never: gone");
    }

    @Test
    void anotherNameBeginsWithAllRows() {
        begin("table").close();
        begin("renamed").close();
        assertThat(log).hasSize(2);
    }

    @Test
    void aStateThatIsOlderThanTheFinishedOneIsPassedBy() {
        view.put(WEB, "s2");
        begin("table").close();
        log.clear();
        TestView<ObjectKey, String> behind = view(); // as a list from the cache of another server
        RowProcessor<ObjectKey> again = RowProcessor.of("table", behind).positions(directory).process(this::work);
        again.start();
        time.advanceTime();
        assertThat(log).isEmpty();
        behind.put(WEB, "s2");
        time.advanceTime();
        assertThat(log).isEmpty();
        behind.put(WEB, "s3");
        time.advanceTime();
        assertThat(log).containsExactly("web: s2 -> s3");
        again.close();
    }

    @Test
    void aLineThatWasNotWrittenWholeIsNone() throws IOException {
        begin("table").close();
        Files.writeString(file(), "finished shop web", StandardOpenOption.APPEND);
        begin("table").close();
        assertThat(log).isEmpty();
    }

    @Test
    void aFileThatIsUnusableIsSetAside() throws IOException {
        begin("table").close();
        Files.writeString(file(), "finish\n", StandardOpenOption.APPEND);
        begin("table").close();
        assertThat(log).hasSize(2);
        assertThat(directory.resolve("processor-table.unusable")).content().contains("finish\n");
        Files.writeString(file(), "something else\n");
        begin("table").close();
        assertThat(log).hasSize(2);
        Files.writeString(file(), "");
        begin("table").close();
        assertThat(log).as("an empty file").hasSize(2);
    }

    @Test
    void aSecondProcessorOfTheNameWaitsForTheEndOfTheFirst() {
        RowProcessor<ObjectKey> first = begin("table");
        RowProcessor<ObjectKey> second = begin("table");
        view.put(WEB, "s2");
        time.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(log).as("by the first").containsExactly("web: s1 -> s2");
        first.close();
        view.put(WEB, "s3");
        time.advanceTimeBy(Duration.ofMinutes(2));
        assertThat(log).as("by the second").containsExactly("web: s1 -> s2", "web: s3");
        second.close();
    }

    @Test
    void whatWaitsForAnotherIsDrainedAtOnce() {
        RowProcessor<ObjectKey> first = begin("table");
        RowProcessor<ObjectKey> second = begin("table");
        time.advanceTime();
        StepVerifier.create(second.drain(Duration.ofMinutes(1))).then(time::advanceTime).expectComplete().verify(Duration.ofSeconds(10));
        assertThat(second.status().state()).isEqualTo(ProcessorStatus.State.STOPPED);
        first.close();
    }

    @Test
    void aRowThatIsBackAfterItsDeletionWasInWorkIsWrittenAgain() {
        TestView<ObjectKey, String> filtered = view();
        RowProcessor<ObjectKey> processor = RowProcessor.of("table", filtered).positions(directory)
                .process(row -> row.deleted() ? Mono.never() : Mono.empty());
        processor.start();
        time.advanceTime();
        filtered.remove(WEB, DeletionCause.LEFT);
        time.advanceTime();
        processor.close();
        begin("table").close();
        assertThat(log).containsExactly("web: s1");
    }

    /** The rows are older than what was finished, and the list is not. */
    @Test
    void rowsOfARestoredStoreAreWrittenAgain() {
        Versions restored = new Versions();
        restored.put(WEB, "uid-1", "5").put(DB, "uid-2", "6");
        restored.run(directory, this::work, time).close();
        assertThat(log).hasSize(2);
        log.clear();
        Versions older = new Versions();
        older.put(WEB, "uid-1", "3").put(DB, "uid-2", "6");
        older.run(directory, this::work, time).close();
        assertThat(log).as("the versions of a list without a version prove nothing").isEmpty();
        Versions live = new Versions();
        live.put(WEB, "uid-1", "3").put(DB, "uid-2", "6");
        RowProcessor<ObjectKey> processor = live.run(directory, this::work, time);
        live.put(WEB, "uid-1", "4");
        time.advanceTime();
        assertThat(log).as("a change that is live is the truth").containsExactly("web: 4");
        processor.close();
    }

    @Test
    void namesOfAnyKindAreKept() {
        view.put(ObjectKey.clusterScoped("system:a b\n~ü"), "s1");
        begin("table").close();
        begin("table").close();
        assertThat(log).isEmpty();
    }

    @Test
    void theFileIsWrittenAnewBeforeItGrowsForEver() throws IOException {
        RowProcessor<ObjectKey> processor = begin("table");
        for (int i = 0; i < 7_000; i++) {
            view.put(WEB, "s" + i);
            time.advanceTime();
        }
        assertThat(Files.size(file())).isLessThan(500_000);
        processor.close();
        begin("table").close();
        assertThat(log).isEmpty();
    }

    @Test
    void aDirectoryThatCannotBeWrittenRepeatsRowsAndLosesNone() throws IOException {
        RowProcessor<ObjectKey> processor = begin("table");
        Files.delete(file());
        view.put(WEB, "s2");
        time.advanceTime();
        processor.close();
        begin("table").close();
        assertThat(log).as("all rows, as there is no file").hasSize(2);
    }

    @Test
    void keysOfAnotherKindAreRefused() {
        TestView<String, String> others = TestView.of(Map.of("web", "s1"));
        RowProcessor<String> processor = RowProcessor.of("table", others).positions(directory).process(row -> Mono.empty());
        processor.start();
        time.advanceTime();
        assertThat(processor.status().failures()).singleElement().satisfies(row ->
                assertThat(row.cause()).hasMessageContaining("needs rows whose keys are ObjectKeys"));
        processor.close();
    }

    /** Rows with uids and versions that the test chooses; each is its version. */
    private static final class Versions {

        private final Table<ObjectKey, String> table = Table.create();
        private final ChangeHub<ObjectKey, String> hub = ChangeHub.of(table.snapshot());

        Versions put(ObjectKey key, String uid, String version) {
            table.put(key, new Versioned<>(uid, version, version), DeletionCause.OBSERVED);
            hub.publish(table.commit(true));
            return this;
        }

        RowProcessor<ObjectKey> run(
                Path directory, Function<RowChange<ObjectKey, String>, Mono<Void>> work, VirtualTimeScheduler time) {
            RowProcessor<ObjectKey> processor =
                    RowProcessor.of("table", new TableProcess.ClusterView(table, hub)).positions(directory).process(work);
            processor.start();
            time.advanceTime();
            return processor;
        }
    }
}
