package io.reactiveinformer.test.contract;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceVersionExpiredException;
import io.reactiveinformer.source.ListerWatcher;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The behaviour of a {@link ListerWatcher} that a reflector relies on. The test of an implementation extends this and provides the source
 * and its objects. The source must be empty at the start of each test.
 */
public abstract class ListerWatcherContract {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** The source under test; the same instance throughout one test. */
    protected abstract ListerWatcher<?> source();

    /** Creates an object of this name that the source finds. */
    protected abstract void create(String name);

    /** Changes the object of this name, so that a watch receives an event. */
    protected abstract void change(String name);

    /** Deletes the object of this name. */
    protected abstract void delete(String name);

    /** Makes every version up to now too old to watch from. */
    protected abstract void forgetHistory();

    /** Whether a list with a limit is divided into pages. A source may send all objects in one page instead. True by default. */
    protected boolean hasPages() {
        return true;
    }

    @Test
    void listsWhatIsThereAndThenItsVersion() {
        create("a");
        create("b");
        StepVerifier.create(list(ListOptions.defaults()).map(ListerWatcherContract::text))
                .expectNext("added a", "added b", "end")
                .expectComplete()
                .verify(PATIENCE);
    }

    @Test
    void listsPageAfterPageAtOneVersion() {
        assumeTrue(hasPages(), "this source sends all objects in one page");
        create("a");
        create("b");
        ObjectEvent.PageEnd<?> first = end(ListOptions.defaults().withLimit(1));
        String token = Objects.requireNonNull(first.continueToken(), "there is a second page");
        create("c");
        ObjectEvent.PageEnd<?> second = end(ListOptions.defaults().withLimit(1).withContinue(token));
        assertEquals(first.resourceVersion(), second.resourceVersion(), "all pages have one version");
    }

    @Test
    void asksAnewForEachSubscription() {
        Flux<? extends ObjectEvent<?>> lists = list(ListOptions.defaults());
        StepVerifier.create(lists).expectNextCount(1).expectComplete().verify(PATIENCE);
        create("a");
        StepVerifier.create(lists).expectNextCount(2).expectComplete().verify(PATIENCE);
    }

    @Test
    void watchesWhatHappensAfterAVersionInOrder() {
        create("before");
        String version = end(ListOptions.defaults()).resourceVersion();
        create("a");
        StepVerifier.create(texts(version))
                .expectNext("opened", "added a")
                .then(() -> change("a"))
                .expectNext("modified a")
                .then(() -> delete("a"))
                .expectNext("deleted a")
                .thenCancel()
                .verify(PATIENCE);
    }

    @Test
    void tellsTheVersionOfEachEventSoThatAWatchCanResume() {
        String version = end(ListOptions.defaults()).resourceVersion();
        create("a");
        create("b");
        String resumed = Objects.requireNonNull(watch(WatchOptions.from(version, Duration.ofMinutes(5)))
                .ofType(ObjectEvent.Applied.class)
                .map(added -> Objects.requireNonNull(added.entry().resourceVersion(), "an event has a version"))
                .blockFirst(PATIENCE));
        StepVerifier.create(texts(resumed))
                .expectNext("opened", "added b")
                .thenCancel()
                .verify(PATIENCE);
    }

    @Test
    void completesWhenTheWatchIsOver() {
        String version = end(ListOptions.defaults()).resourceVersion();
        StepVerifier.create(watch(WatchOptions.from(version, Duration.ofSeconds(1)))).thenConsumeWhile(event -> true)
                .expectComplete().verify(PATIENCE);
    }

    @Test
    void failsWithTheTypeThatMeansListAgainWhenHistoryIsGone() {
        create("a");
        String version = end(ListOptions.defaults()).resourceVersion();
        create("b");
        forgetHistory();
        StepVerifier.create(watch(WatchOptions.from(version, Duration.ofMinutes(5))))
                .thenConsumeWhile(event -> event instanceof ObjectEvent.Opened)
                .expectError(ResourceVersionExpiredException.class)
                .verify(PATIENCE);
    }

    @Test
    void sendsNoMoreThanWasAskedFor() {
        for (String name : List.of("a", "b", "c", "d")) {
            create(name);
        }
        var received = new AtomicLong();
        StepVerifier.create(list(ListOptions.defaults()).doOnNext(event -> received.incrementAndGet()), 2)
                .expectNextCount(2)
                .then(() -> assertEquals(2, received.get(), "no more than was asked for"))
                .thenRequest(3)
                .expectNextCount(3)
                .expectComplete()
                .verify(PATIENCE);
    }

    @Test
    void saysWhatItIs() {
        assertNotNull(source().identity().description());
        assertNotNull(source().identity().part());
    }

    private Flux<? extends ObjectEvent<?>> list(ListOptions options) {
        return listed(source(), options);
    }

    private static <T> Flux<ObjectEvent<T>> listed(ListerWatcher<T> source, ListOptions options) {
        return source.list(options, Reading.anew());
    }

    private Flux<? extends ObjectEvent<?>> watch(WatchOptions options) {
        return watched(source(), options);
    }

    private Flux<String> texts(String from) {
        return watch(WatchOptions.from(from, Duration.ofMinutes(5)))
                .filter(event -> !(event instanceof ObjectEvent.Bookmark)).map(ListerWatcherContract::text);
    }

    private static <T> Flux<ObjectEvent<T>> watched(ListerWatcher<T> source, WatchOptions options) {
        return source.watch(options, Reading.anew());
    }

    private ObjectEvent.PageEnd<?> end(ListOptions options) {
        return (ObjectEvent.PageEnd<?>) Objects.requireNonNull(list(options).filter(event -> event instanceof ObjectEvent.PageEnd)
                .blockLast(PATIENCE),
                "a list ends");
    }

    private static String text(ObjectEvent<?> event) {
        if (event instanceof ObjectEvent.Applied<?> applied) {
            return (applied.modified() ? "modified " : "added ") + applied.key().name();
        }
        if (event instanceof ObjectEvent.Deleted<?> deleted) {
            return "deleted " + deleted.key().name();
        }
        return event instanceof ObjectEvent.Opened ? "opened" : event instanceof ObjectEvent.PageEnd ? "end" : event.toString();
    }
}
