package io.reactiveinformer.reflector;

import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.source.ListerWatcher;
import java.util.function.Predicate;
import reactor.core.publisher.Flux;

/** Keeps up with one type in one part of the cluster: lists, watches, resumes, and lists again. Caches no objects. */
public final class Reflector<T> {

    private final ListerWatcher<T> source;
    private final ReflectorOptions<T> options;

    private Reflector(ListerWatcher<T> source, ReflectorOptions<T> options) {
        this.source = source;
        this.options = options;
    }

    /** A reflector of {@code source} with {@link ReflectorOptions#defaults}. Sends nothing before {@link #events} is subscribed to. */
    public static <T> Reflector<T> of(ListerWatcher<T> source) {
        return of(source, ReflectorOptions.defaults());
    }

    /** A reflector of {@code source}. Sends nothing before {@link #events} is subscribed to. */
    public static <T> Reflector<T> of(ListerWatcher<T> source, ReflectorOptions<T> options) {
        return new Reflector<>(source, options);
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
     * Every failure is a {@link ReflectorEvent.Disrupted} and is followed by another try after a pause. The stream ends only when
     * {@link ReflectorOptions#giveUpWhen} says so, with the failure's cause; when the server refuses the first list as a request that it
     * {@linkplain ListerWatcher#neverTakes never takes}; and when the client was closed.
     *
     * <p>Cold: each subscription has its own requests and its own position, and cancelling it closes its request. The events come on the
     * transport's threads and on the timer's, one at a time. A subscriber that requests slowly makes the server wait, which in the end cuts
     * the watch off; {@link io.reactiveinformer.delta.DeltaStage} requests everything and conflates.
     */
    public Flux<ReflectorEvent<T>> events() {
        return Flux.defer(() -> new Session<>(source, options).events());
    }

    /**
     * {@link #events} up to and including the first event that {@code reached} accepts; then the request is closed. client-go's
     * {@code Until}. To wait for a state of one object that an informer caches, use the informer.
     */
    public Flux<ReflectorEvent<T>> watchUntil(Predicate<? super ReflectorEvent<T>> reached) {
        return events().takeUntil(reached);
    }
}
