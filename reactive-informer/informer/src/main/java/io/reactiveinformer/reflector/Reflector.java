package io.reactiveinformer.reflector;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.source.ListerWatcher;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/** Keeps up with one type in one part of the cluster: lists, watches, resumes, and lists again. Caches no objects. */
public final class Reflector<T> {

    private final ListerWatcher<T> source;
    private final Known<T> known;
    private final @Nullable String resumeFrom;
    private final ReflectorOptions options;

    private Reflector(ListerWatcher<T> source, Known<T> known, @Nullable String resumeFrom, ReflectorOptions options) {
        this.source = source;
        this.known = known;
        this.resumeFrom = resumeFrom;
        this.options = options;
    }

    /** A reflector of {@code source} with {@link ReflectorOptions#defaults}. Sends nothing before {@link #events} is subscribed to. */
    public static <T> Reflector<T> of(ListerWatcher<T> source) {
        return of(source, ReflectorOptions.defaults());
    }

    /** A reflector of {@code source}, without known states. Sends nothing before {@link #events} is subscribed to. */
    public static <T> Reflector<T> of(ListerWatcher<T> source, ReflectorOptions options) {
        return of(source, Known.none(), options);
    }

    /**
     * A reflector of {@code source}. Sends nothing before {@link #events} is subscribed to.
     *
     * @param known states that are cached already, such as those of the store that the events are for: what a list or watch sends again in
     *     the same version is not decoded again but is that same object
     */
    public static <T> Reflector<T> of(ListerWatcher<T> source, Known<T> known, ReflectorOptions options) {
        return new Reflector<>(source, known, null, options);
    }

    /**
     * A copy that continues without a list from {@code resourceVersion}, up to which the known states are complete. A server whose history
     * does not reach back that far is listed after all, and so is one that does not show that the known states are of its history, or that
     * sends nothing at all to the first watch.
     *
     * @param resourceVersion one that the server sent, never "0" or none
     * @throws IllegalArgumentException if {@code resourceVersion} is empty or "0"
     */
    public Reflector<T> resumeFrom(String resourceVersion) {
        return new Reflector<>(source, known, ResourceVersion.requireSent(resourceVersion), options);
    }

    /**
     * The complete state, then what happens, without end.
     *
     * <pre>
     * server  list 5 ─── a₆ ── closes ─────── b₈ ── 410 ───────────── list 20 …
     * events  [a b]₅ W₅  a₆           W₆      b₈    ✕ Disrupted ───── [b]₂₀ W₂₀
     * </pre>
     *
     * <p>A watch that closed or broke is resumed from the last event or bookmark. The complete state is listed again only when the server's
     * history does not reach back to there, when it says that our version is from its future, or when what it sent cannot be complete.
     * Every failure is a {@link ReflectorEvent.Disrupted} and is followed by another try after a pause. The stream ends, after the last
     * {@code Disrupted}, only when {@link ReflectorOptions#giveUpWhen} says so, with the failure's cause; when the server refuses the first
     * list as a request that it {@linkplain ListerWatcher#neverTakes never takes}; and when the client was closed.
     *
     * <p>Cold: each subscription has its own requests and its own position, and cancelling it closes its request. The events come on the
     * transport's threads and on the timer's, one at a time. A subscriber that requests slowly makes the server wait, which in the end cuts
     * the watch off; {@link io.reactiveinformer.delta.DeltaStage} requests everything and conflates.
     */
    public Flux<ReflectorEvent<T>> events() {
        return Flux.defer(() -> new Session<>(source, known, resumeFrom, options).events());
    }

    /**
     * {@link #events} up to and including the first event that {@code reached} accepts; then the request is closed. client-go's
     * {@code Until}. To wait for a state of one object that an informer caches, use the informer.
     */
    public Flux<ReflectorEvent<T>> watchUntil(Predicate<? super ReflectorEvent<T>> reached) {
        return events().takeUntil(reached);
    }

    /**
     * Notified of what a reflector does, for counts and gauges. Called on the threads of the transport and the timer, in order for each
     * subscription: must not block. What it throws is logged once, and harms nothing else. The methods do nothing by default.
     *
     * <p>Bytes are not reported here: a reflector receives events, and its source need not be a server. For a server, see
     * {@link io.reactiveinformer.client.RequestObserver}, which counts the bytes of each request; its verbs {@code list} and {@code watch}
     * are a reflector's. A streaming list is a {@code watch} there, and is reported when it is over.
     */
    public interface Observer {

        /** Ignores everything. */
        Observer NONE = new Observer() {};

        /**
         * The complete state is requested.
         *
         * @param reason why: {@code first list}, or what made another one necessary
         */
        default void listing(String reason) {}

        /**
         * The complete state was received.
         *
         * @param objects how many came
         * @param took from the start of the listing to its end
         */
        default void listed(int objects, Duration took) {}

        /**
         * A watch was accepted.
         *
         * @param resourceVersion where it starts
         */
        default void watching(String resourceVersion) {}

        /**
         * How long the server had not confirmed its position, by a change, a bookmark, or a complete state: how old the cached state may
         * be. Called before {@link #received} and {@link #listed}, which end such a time, and before {@link #disrupted}, in which it goes
         * on; but not before the first complete state, or before anything was received after a saved state. Between two calls, the
         * age grows as time passes.
         */
        default void stale(Duration time) {}

        /** A watch emitted a change or a bookmark. */
        default void received(ReflectorEvent<?> event) {}

        /**
         * A watch is over, for whatever reason.
         *
         * @param events how many came, bookmarks included
         * @param lasted from its opening to its end
         */
        default void watched(int events, Duration lasted) {}

        /** Something failed, and the next try is due after a pause. */
        default void disrupted(ReflectorEvent.Disrupted<?> disruption) {}

        /** An observer that notifies this one and then {@code other}, whatever either of them throws. */
        default Observer and(Observer other) {
            return this == NONE ? other : other == NONE ? this : new BothObservers(this, other);
        }
    }

    /**
     * What the reflectors of one server share: whether it still has the history that they know, and whether streaming lists work there.
     * Pass the same group to each by {@link ReflectorOptions#group}. Thread-safe.
     *
     * <p>{@link ReflectorOptions#defaults} makes a new one each time, so that informers of one factory share it and those of two factories
     * do not. How many of them list at once is limited by {@link io.reactiveinformer.client.ClientOptions#listsAtOnce} of their client.
     */
    public static final class Group {

        /** How long a server that refused a streaming list is asked for pages only: it may be upgraded, or one of several. */
        static final Duration STREAMING_AGAIN = Duration.ofHours(1);

        private final AtomicReference<Epoch> epoch = new AtomicReference<>(new Epoch());
        private volatile @Nullable Long pagedSince;

        private Group() {}

        /** A group without members. */
        public static Group create() {
            return new Group();
        }

        boolean doesStreamingLists(Scheduler timer) {
            Long since = pagedSince;
            return since == null || timer.now(TimeUnit.NANOSECONDS) - since >= STREAMING_AGAIN.toNanos();
        }

        void refusedStreamingList(Scheduler timer) {
            pagedSince = timer.now(TimeUnit.NANOSECONDS);
        }

        /** One that begins now belongs to the present history. */
        Member join() {
            return new Member(this);
        }

        /** The history of the server as far as any member knows. */
        private Epoch epoch() {
            return Objects.requireNonNull(epoch.get(), "there is always one");
        }

        /** One history of the server, until it is restored or replaced. */
        private static final class Epoch {
            private final Sinks.Empty<Void> over = Sinks.empty();
        }

        /** The history that the cached objects of one reflector come from: of its last list, or of the one in progress. Thread-safe. */
        static final class Member {

            private final Group group;
            private volatile Epoch epoch;

            private Member(Group group) {
                this.group = group;
                this.epoch = group.epoch();
            }

            /** Whether a member has found that the server has another history. */
            boolean isOver() {
                return epoch != group.epoch();
            }

            /** This member has found that: the others have to list too. Takes effect once for each history. */
            void end() {
                Epoch ended = epoch;
                if (group.epoch.compareAndSet(ended, new Epoch())) {
                    ended.over.tryEmitEmpty();
                }
            }

            /** What is listed from now on is of the present history. */
            void follow() {
                epoch = group.epoch();
            }

            /**
             * Completes on {@code timer} when the history is over while {@code watching} says that a watch is open. A list is not cut: it
             * may have found the end itself, and checks when it is complete.
             */
            Mono<Void> over(Scheduler timer, BooleanSupplier watching) {
                return Mono.defer(() -> overAfter(epoch, timer, watching));
            }

            private Mono<Void> overAfter(Epoch awaited, Scheduler timer, BooleanSupplier watching) {
                return awaited.over.asMono().publishOn(timer).then(Mono.defer(() ->
                        watching.getAsBoolean() && isOver() ? Mono.empty() : overAfter(group.epoch(), timer, watching)));
            }
        }
    }
}
