package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.ClusterObjects;
import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * A StepVerifier for changes: expects them one by one and acts on the server in between. A failure names the change that was expected and
 * those that came. The laws of changes are checked along the way, see {@link ChangeLaws}.
 *
 * <p>Each call adds a step; nothing runs before the verifier that the last call returns is verified.
 *
 * <pre>{@code
 * ChangeVerifier.of(pods, server)
 *         .expectAdded("prod/web").expectSynced()
 *         .thenServer(objects -> objects.delete(PODS, ObjectKey.parse("prod/web")))
 *         .expectDeleted("prod/web")
 *         .thenCancel().verify(Duration.ofSeconds(10));
 * }</pre>
 *
 * <p>Keys are compared by their text, such as {@code namespace/name}.
 *
 * @param <K> the type of the keys
 * @param <T> the type of the rows
 */
public final class ChangeVerifier<K, T> {

    /** The time that a view may take to notice what its server does to it: it may be waiting for its next attempt. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Virtual time passes in steps of this length, so that no more of it passes than necessary. */
    private static final Duration STEP = Duration.ofMillis(100);

    private final @Nullable FakeApiServer server;
    private final @Nullable View<K, T> view;
    private final Story story = new Story();
    private StepVerifier.Step<Change<K, T>> steps;

    private ChangeVerifier(
            Publisher<? extends Change<K, T>> changes, long demand, @Nullable FakeApiServer server, @Nullable View<K, T> view) {
        this.server = server;
        this.view = view;
        this.steps = StepVerifier.<Change<K, T>>create(
                Flux.<Change<K, T>>from(changes).doOnNext(story::came)
                        .transform(ChangeLaws.check(() -> server == null || server.cluster().wasRestored())),
                demand);
    }

    /**
     * Verifies the changes of a view or an informer, with unbounded demand. The view's status can be expected too, see
     * {@link #expectDisrupted}. If the server's time is virtual, changes are delivered on its clock.
     */
    public static <K, T> ChangeVerifier<K, T> of(View<K, T> view, FakeApiServer server) {
        VirtualTimeScheduler clock = virtual(server);
        Delivery delivery = clock == null ? Delivery.conflated() : Delivery.conflated().on(clock);
        return new ChangeVerifier<>(view.changes(delivery), Long.MAX_VALUE, server, view);
    }

    /** Verifies these changes, with unbounded demand. */
    public static <K, T> ChangeVerifier<K, T> of(Publisher<? extends Change<K, T>> changes, FakeApiServer server) {
        return new ChangeVerifier<>(changes, Long.MAX_VALUE, server, null);
    }

    /** Verifies these changes, with unbounded demand and without a server to act on. */
    public static <K, T> ChangeVerifier<K, T> of(Publisher<? extends Change<K, T>> changes) {
        return new ChangeVerifier<>(changes, Long.MAX_VALUE, null, null);
    }

    /** Verifies these changes with an initial demand of {@code demand}; {@link #thenRequest} adds to it. 0 shows what is conflated. */
    public static <K, T> ChangeVerifier<K, T> of(Publisher<? extends Change<K, T>> changes, FakeApiServer server, long demand) {
        return new ChangeVerifier<>(changes, demand, server, null);
    }

    /** Expects an {@code Added} of this key, initial or not. */
    public ChangeVerifier<K, T> expectAdded(String key) {
        return expect("Added " + key, change -> change instanceof Change.Added<K, T> added && isKey(key, added.key()));
    }

    /** Expects an initial {@code Added} of this key: the row was there when the subscription began. */
    public ChangeVerifier<K, T> expectInitial(String key) {
        return expect("initial Added " + key,
                change -> change instanceof Change.Added<K, T> added && added.initial() && isKey(key, added.key()));
    }

    /** Expects an {@code Updated} of this key. */
    public ChangeVerifier<K, T> expectUpdated(String key) {
        return expect("Updated " + key, change -> change instanceof Change.Updated<K, T> updated && isKey(key, updated.key()));
    }

    /** Expects an {@code Updated} of this key whose new state matches {@code wanted}. */
    public ChangeVerifier<K, T> expectUpdated(String key, Predicate<T> wanted) {
        return expect("Updated " + key + " to a certain state", change ->
                change instanceof Change.Updated<K, T> updated && isKey(key, updated.key()) && wanted.test(updated.after()));
    }

    /** Expects a {@code Deleted} of this key, for any cause. */
    public ChangeVerifier<K, T> expectDeleted(String key) {
        return expect("Deleted " + key, change -> change instanceof Change.Deleted<K, T> deleted && isKey(key, deleted.key()));
    }

    /** Expects a {@code Deleted} of this key for this cause. */
    public ChangeVerifier<K, T> expectDeleted(String key, DeletionCause cause) {
        return expect("Deleted " + key + " (" + cause + ")", change ->
                change instanceof Change.Deleted<K, T> deleted && deleted.cause() == cause && isKey(key, deleted.key()));
    }

    private static boolean isKey(String wanted, Object key) {
        return wanted.equals(String.valueOf(key));
    }

    /** Expects {@code Synced}, with any count. */
    public ChangeVerifier<K, T> expectSynced() {
        return expect("Synced", change -> change instanceof Change.Synced<K, T>);
    }

    /** Expects {@code Synced} with this count of rows before it. */
    public ChangeVerifier<K, T> expectSynced(long count) {
        return expect("Synced after " + count, change -> change instanceof Change.Synced<K, T> synced && synced.count() == count);
    }

    /**
     * Expects that the next change matches {@code wanted}.
     *
     * @param what names the expectation in failure messages
     */
    public ChangeVerifier<K, T> expect(String what, Predicate<Change<K, T>> wanted) {
        story.expects(what);
        steps = steps.assertNext(change -> {
            if (!wanted.test(change)) {
                throw new AssertionError("expected: " + what + "; was: " + describe(change));
            }
            story.fulfilled();
        });
        return this;
    }

    /** Skips changes until one matches {@code wanted}, and consumes that one. {@code what} names the expectation in failure messages. */
    public ChangeVerifier<K, T> skipUntil(String what, Predicate<Change<K, T>> wanted) {
        steps = steps.thenConsumeWhile(change -> !wanted.test(change));
        return expect(what, wanted);
    }

    /** Expects that no change comes for this time: on the server's clock if that is virtual, else in real time. */
    public ChangeVerifier<K, T> expectNothing(Duration time) {
        VirtualTimeScheduler clock = virtualClock();
        if (clock == null) {
            steps = steps.expectNoEvent(time);
        } else {
            steps = steps.then(() -> {
                long before = story.came();
                clock.advanceTimeBy(time);
                if (story.came() > before) {
                    throw new AssertionError("expected: nothing for " + time + "; was: " + story.last());
                }
            });
        }
        return this;
    }

    /**
     * Expects that the view is disrupted and that the server answered its last attempt with this HTTP status. Waits for that at most 30
     * seconds, of the time that {@link #thenAwait} uses.
     *
     * @throws NullPointerException if this verifier was made of changes alone, without a view
     */
    public ChangeVerifier<K, T> expectDisrupted(int code) {
        return expectStatus("disrupted by " + code, status -> status.state() == InformerStatus.State.DISRUPTED && code(status) == code);
    }

    /**
     * Expects that the view is up to date and receives changes as they happen. Waits for that at most 30 seconds, of the time that
     * {@link #thenAwait} uses.
     *
     * @throws NullPointerException if this verifier was made of changes alone, without a view
     */
    public ChangeVerifier<K, T> expectLive() {
        return expectStatus("live", status -> status.state() == InformerStatus.State.LIVE);
    }

    private ChangeVerifier<K, T> expectStatus(String what, Predicate<InformerStatus> wanted) {
        View<K, T> watched = Objects.requireNonNull(view, "changes alone have no status; use of(view, server)");
        story.expects(what);
        steps = steps.then(() -> {
            VirtualTimeScheduler clock = virtualClock();
            if (clock == null ? !comes(watched, wanted) : !comes(watched, wanted, clock)) {
                InformerStatus status = watched.status(Delivery.conflated().on(Schedulers.immediate())).blockFirst(PATIENCE);
                throw new AssertionError("expected: " + what + "; was: "
                        + (status == null ? "unknown" : status.state() + " (" + status.cause() + ")"));
            }
            story.fulfilled();
        });
        return this;
    }

    private static boolean comes(View<?, ?> view, Predicate<InformerStatus> wanted) {
        return Boolean.TRUE.equals(view.status().any(wanted).timeout(PATIENCE, Mono.just(false)).block());
    }

    private static boolean comes(View<?, ?> view, Predicate<InformerStatus> wanted, VirtualTimeScheduler clock) {
        var came = new AtomicBoolean();
        Disposable following = view.status(Delivery.conflated().on(clock)).filter(wanted).subscribe(status -> came.set(true));
        clock.advanceTimeBy(Duration.ZERO);
        for (Duration left = PATIENCE; !came.get() && !left.isNegative(); left = left.minus(STEP)) {
            clock.advanceTimeBy(STEP);
        }
        following.dispose();
        return came.get();
    }

    private static int code(InformerStatus status) {
        return status.cause() instanceof StatusException refusal ? refusal.code() : 0;
    }

    /**
     * Runs {@code action} on the objects of the cluster, after the expectations before it are met.
     *
     * @throws NullPointerException if this verifier was made without a server
     */
    public ChangeVerifier<K, T> thenServer(Consumer<ClusterObjects> action) {
        FakeApiServer acted = Objects.requireNonNull(server, "this verifier was made without a server; use of(changes, server)");
        steps = steps.then(() -> action.accept(acted.objects()));
        return this;
    }

    /** Runs {@code action}, after the expectations before it are met. */
    public ChangeVerifier<K, T> then(Runnable action) {
        steps = steps.then(action);
        return this;
    }

    /** Waits for this time: advances the server's clock if that is virtual (see {@link TestClock}), else waits in real time. */
    public ChangeVerifier<K, T> thenAwait(Duration time) {
        VirtualTimeScheduler clock = virtualClock();
        steps = clock == null ? steps.thenAwait(time) : steps.then(() -> clock.advanceTimeBy(time));
        return this;
    }

    private @Nullable VirtualTimeScheduler virtualClock() {
        return server == null ? null : virtual(server);
    }

    private static @Nullable VirtualTimeScheduler virtual(FakeApiServer server) {
        return server.scheduler() instanceof VirtualTimeScheduler clock ? clock : null;
    }

    /** Requests {@code n} more changes. */
    public ChangeVerifier<K, T> thenRequest(long n) {
        steps = steps.thenRequest(n);
        return this;
    }

    /** Ends the steps: the subscription is cancelled here. Call {@code verify} on the result. */
    public StepVerifier thenCancel() {
        return new NarratingVerifier(steps.thenCancel(), story);
    }

    /** Ends the steps: expects that the changes complete, as when the view is stopped. Call {@code verify} on the result. */
    public StepVerifier expectComplete() {
        return new NarratingVerifier(steps.expectComplete(), story);
    }

    /** Ends the steps: expects that the changes fail with an error of this type. Call {@code verify} on the result. */
    public StepVerifier expectError(Class<? extends Throwable> type) {
        return new NarratingVerifier(steps.expectError(type), story);
    }

    /** Kind, key and cause; no object. */
    static String describe(Change<?, ?> change) {
        if (change instanceof Change.Added<?, ?> added) {
            return (added.initial() ? "initial Added " : "Added ") + added.key();
        }
        if (change instanceof Change.Updated<?, ?> updated) {
            return "Updated " + updated.key();
        }
        if (change instanceof Change.Deleted<?, ?> deleted) {
            return "Deleted " + deleted.key() + " (" + deleted.cause() + ")";
        }
        return change instanceof Change.Synced<?, ?> synced ? "Synced after " + synced.count() : change.toString();
    }
}
