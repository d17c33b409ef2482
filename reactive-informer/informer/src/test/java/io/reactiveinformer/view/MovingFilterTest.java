package io.reactiveinformer.view;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** A filter whose predicate changes. That it keeps the laws of views is shown in {@link ViewLawsTest}. */
class MovingFilterTest {

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    private final ManualScheduler scheduler = new ManualScheduler();
    private final Rows rows = Rows.complete();
    private final Sinks.Many<Predicate<String>> predicates = Sinks.many().replay().latest();
    private final List<InformerStatus> statuses = new ArrayList<>();

    @AfterEach
    void realTime() {
        VirtualTimeScheduler.reset();
    }

    private View<String, String> view(Flux<Predicate<String>> moving) {
        var live = new InformerStatus(State.LIVE, Instant.EPOCH, true, null, 0, null, Map.of(), Map.of());
        var view = new DerivedView<String, String>(
                wake -> Derived.filter(rows.hub.feed(), moving.map(predicate -> predicate), wake),
                () -> scheduler, Mono.empty(), delivery -> Flux.just(live).concatWith(Mono.never()));
        view.status().subscribe(statuses::add);
        return view;
    }

    private Listening<String> listen(View<String, String> view, Delivery delivery) {
        Listening<String> listening = Listening.to(view.changes(delivery.on(scheduler)));
        scheduler.runAll();
        return listening;
    }

    private List<String> received(Listening<String> listening) {
        scheduler.runAll();
        return listening.received();
    }

    private void move(Predicate<String> predicate) {
        predicates.tryEmitNext(predicate).orThrow();
    }

    private InformerStatus status() {
        scheduler.runAll();
        return statuses.get(statuses.size() - 1);
    }

    @Test
    void rowsEnterAndLeaveInOneCommit() {
        rows.put("a", "u", 1).put("b", "u", 2).put("c", "u", 3);
        View<String, String> view = view(predicates.asFlux());
        List<List<String>> seen = new ArrayList<>();
        Listening<String> listening = listen(view, Delivery.conflated()).all();
        move(row -> row.equals("u@1"));
        assertThat(received(listening)).containsExactly("+a=u@1 (initial)", "synced 1");
        Disposable watching = ((DerivedView<String, String>) view).feed().attach(new CommitListener<>() {
            @Override
            public void begin(Snapshot<String, String> first) {}

            @Override
            public void file(Commit<String, String> commit) {
                seen.add(commit.snapshot().list());
            }

            @Override
            public void end(@Nullable Throwable failure) {}
        });
        move(row -> row.equals("u@2"));
        assertThat(received(listening)).containsExactlyInAnyOrder("-a=u@1 LEFT 1", "+b=u@2");
        assertThat(seen).containsExactly(List.of("u@2"));
        watching.dispose();
    }

    @Test
    void thereAreNoRowsWithoutAPredicateAndTheStatusSaysWhy() {
        rows.put("a", "u", 1);
        View<String, String> view = view(predicates.asFlux());
        Listening<String> listening = listen(view, Delivery.conflated().partial()).all();
        rows.put("b", "u", 2);
        assertThat(received(listening)).isEmpty();
        assertThat(view.snapshot().complete()).isFalse();
        assertThat(status().state()).isEqualTo(State.LISTING);
        assertThat(status().synced()).isFalse();
        assertThat(status().cause()).hasMessageContaining("awaits a predicate");
        move(row -> true);
        assertThat(received(listening)).hasSize(3).endsWith("synced 2");
        assertThat(status().state()).isEqualTo(State.LIVE);
        assertThat(view.snapshot().complete()).isTrue();
    }

    @Test
    void aRowForWhichThePredicateThrowsIsLeftOutAndLoggedOnce() {
        Logger log = (Logger) LoggerFactory.getLogger(View.class);
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        log.addAppender(lines);
        rows.put("a", "u", 1).put("b", "u", 2).put("c", "u", 3);
        View<String, String> view = view(predicates.asFlux());
        Listening<String> listening = listen(view, Delivery.conflated()).all();
        move(row -> true);
        received(listening);
        move(row -> {
            if (!row.equals("u@2")) {
                throw new IllegalStateException("planned");
            }
            return true;
        });
        assertThat(received(listening)).containsExactlyInAnyOrder("-a=u@1 LEFT 1", "-c=u@3 LEFT 3");
        assertThat(lines.list).map(ILoggingEvent::getFormattedMessage).singleElement().asString().contains("is left out");
        assertThat(status().stale()).containsOnlyKeys(ObjectKey.clusterScoped("key a"), ObjectKey.clusterScoped("key c"));
        move(row -> true);
        assertThat(received(listening)).hasSize(2);
        assertThat(status().stale()).isEmpty();
        log.detachAppender(lines);
    }

    /** Closed, also for those who read the rows of a retained view, and of views that are derived from it. */
    @Test
    void aFailureOfThePredicatesTakesAllRowsUntilTheyComeAgain() {
        rows.put("a", "u", 1);
        var failing = new HashMap<String, Throwable>(Map.of("now", new IllegalStateException("planned")));
        Sinks.Many<Predicate<String>> first = Sinks.many().unicast().onBackpressureBuffer();
        View<String, String> view = view(Flux.defer(() -> failing.containsKey("now") ? first.asFlux() : predicates.asFlux()));
        view.retain();
        Listening<String> listening = listen(view, Delivery.conflated()).all();
        first.tryEmitNext(row -> true).orThrow();
        received(listening);
        first.tryEmitError(failing.remove("now")).orThrow();
        assertThat(received(listening)).containsExactly("-a=u@1 LEFT 1");
        assertThat(view.snapshot().list()).isEmpty();
        assertThat(view.snapshot().complete()).isFalse();
        assertThat(status().cause()).hasMessageContaining("planned");
        move(row -> true);
        assertThat(received(listening)).isEmpty();
        time.advanceTimeBy(Duration.ofSeconds(2));
        assertThat(received(listening)).containsExactly("+a=u@1");
        assertThat(status().state()).isEqualTo(State.LIVE);
    }

    @Test
    void theLastPredicateStaysWhenThereAreNoMore() {
        View<String, String> view = view(predicates.asFlux());
        Listening<String> listening = listen(view, Delivery.conflated()).all();
        move(row -> row.endsWith("1"));
        predicates.tryEmitComplete().orThrow();
        rows.put("a", "u", 1).put("b", "u", 2);
        assertThat(received(listening)).containsExactly("+a=u@1 (initial)", "synced 1");
        rows.put("c", "u", 11).put("d", "u", 12);
        assertThat(received(listening)).containsExactly("+c=u@11");
        rows.hub.complete();
        received(listening);
        assertThat(listening.completed).isTrue();
    }

    /** Users may go on to come and go, and the informer does not. */
    @Test
    void endsWithTheRowsAlthoughThePredicatesGoOn() {
        rows.put("a", "u", 1);
        View<String, String> view = view(predicates.asFlux());
        view.retain();
        Listening<String> listening = listen(view, Delivery.conflated()).all();
        Listening<String> slow = listen(view, Delivery.conflated());
        move(row -> true);
        received(listening);
        rows.put("b", "u", 2);
        move(row -> !row.equals("u@1"));
        rows.put("c", "u", 3).hub.complete();
        assertThat(received(listening)).as("after all changes").containsExactlyInAnyOrder("-a=u@1 LEFT 1", "+b=u@2", "+c=u@3");
        assertThat(listening.completed).isTrue();
        assertThat(slow.completed).isFalse();
        assertThat(received(slow.all())).hasSize(3).anyMatch(change -> change.startsWith("+b=u@2"));
        assertThat(slow.completed).isTrue();
        assertThat(predicates.currentSubscriberCount()).isZero();
        assertThat(view.snapshot().list()).hasSize(2);
    }

    @Test
    void aLateSubscriberReceivesTheLastRows() {
        rows.put("a", "u", 1).put("b", "u", 2).hub.complete();
        move(row -> row.equals("u@1"));
        var view = new DerivedView<String, String>(wake -> Derived.filter(rows.hub.feed(), predicates.asFlux().map(one -> one), wake),
                Schedulers::immediate, Mono.empty(), delivery -> Flux.never());
        Listening<String> late = Listening.to(view.changes(Delivery.conflated().on(scheduler))).all();
        assertThat(received(late)).containsExactly("+a=u@1 (initial)", "synced 1");
        assertThat(late.completed).isTrue();
    }

    @Test
    void endsWithTheRowsAlthoughThereWasNoPredicate() {
        rows.put("a", "u", 1);
        View<String, String> view = view(predicates.asFlux());
        Listening<String> listening = listen(view, Delivery.conflated()).all();
        Listening<String> sampled = listen(view.sample(Duration.ofHours(1)), Delivery.conflated()).all();
        rows.hub.complete();
        assertThat(received(listening)).isEmpty();
        time.advanceTime();
        received(sampled);
        assertThat(listening.completed && sampled.completed).isTrue();
        assertThat(predicates.currentSubscriberCount()).isZero();
        assertThat(rows.hub.followers()).isZero();
    }

    @Test
    void aSlowSubscriberReceivesWhatManyPredicatesComeTo() {
        rows.put("a", "u", 1).put("b", "u", 2).put("c", "u", 3);
        View<String, String> view = view(predicates.asFlux());
        Listening<String> slow = listen(view, Delivery.conflated()).request(3);
        move(row -> !row.equals("u@3"));
        assertThat(received(slow)).hasSize(3);
        for (int i = 0; i < 1_000; i++) {
            int even = i % 2;
            move(row -> row.equals("u@" + (1 + even)));
            scheduler.runAll();
        }
        move(row -> !row.equals("u@1"));
        assertThat(received(slow.all())).containsExactlyInAnyOrder("-a=u@1 LEFT 1", "+c=u@3");
    }

    @Test
    void aMoveDoesNotOverflowASubscriberThatWantsEachState() {
        for (int i = 0; i < 100; i++) {
            rows.put("k" + i, "u", i);
        }
        View<String, String> view = view(predicates.asFlux());
        Listening<String> every = listen(view, Delivery.every(2));
        for (int i = 0; i < 5; i++) {
            move(row -> false);
            scheduler.runAll();
            move(row -> true);
            scheduler.runAll();
        }
        assertThat(received(every.all())).hasSize(1 + 100 * 9);
        assertThat(every.failure).isNull();
    }

    /** Rights may be one object that changes. */
    @Test
    void thePredicateThatIsEmittedAgainIsAskedAgain() {
        rows.put("a", "u", 1);
        var allowed = new ArrayList<String>();
        Predicate<String> rights = allowed::contains;
        Listening<String> listening = listen(view(predicates.asFlux()), Delivery.conflated()).all();
        move(rights);
        assertThat(received(listening)).containsExactly("synced 0");
        allowed.add("u@1");
        move(rights);
        assertThat(received(listening)).containsExactly("+a=u@1");
    }

    @Test
    void thePredicatesAreLeftWithTheView() {
        View<String, String> view = view(predicates.asFlux());
        Listening<String> one = listen(view, Delivery.conflated());
        Listening<String> other = listen(view, Delivery.conflated());
        assertThat(predicates.currentSubscriberCount()).isEqualTo(1);
        one.subscription.cancel();
        other.subscription.cancel();
        scheduler.runAll();
        assertThat(predicates.currentSubscriberCount()).isZero();
        assertThat(rows.hub.followers()).isZero();
    }
}
