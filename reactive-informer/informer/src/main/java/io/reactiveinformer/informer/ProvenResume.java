package io.reactiveinformer.informer;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.source.ListerWatcher;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The source of one reflector that begins at a version that an earlier process saved. The reflector proves that the server still has the
 * history of the saved state. This source says when the cache has caught up with the server.
 *
 * <p>It requests one object, not older than the saved version. The version of the answer is the <em>goal</em>: when the watch has reached
 * it, the cache is as current as a list would make it. Until then {@link ObjectEvent.Opened} is delayed and bookmarks are dropped, as they
 * would count as proof that all changes were received; changes of objects are emitted at once. The goal is reached with the first event or
 * bookmark at or beyond it, or when nothing was received for {@link #QUIET}. The latter is needed because the version of a list is that of
 * the whole store, which a watch of a quiet type reaches only with its next bookmark, a minute later, or never without bookmarks. A server
 * sends its history without a pause, so such a silence is the end of it. If the server or the connection stalls in the middle instead, the
 * rest is received late; only a list could distinguish the two at once.
 *
 * <p>A server that no longer has the version also opens the watch, and refuses right afterwards: that never counts as an opening.
 */
final class ProvenResume<T> extends ListerWatcher.Forwarding<T> {

    /** Longer than the seconds for which a server waits for a version that it does not know. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * The silence that ends the history: a refusal, and the missed changes, follow the opening immediately. A later refusal means that the
     * version has expired during the watch.
     */
    static final Duration QUIET = Duration.ofSeconds(2);

    private final String saved;
    private final Scheduler timer;
    private volatile boolean caughtUp;

    ProvenResume(ListerWatcher<T> source, String saved, Scheduler timer) {
        super(source);
        this.saved = saved;
        this.timer = timer;
    }

    /** After a list, there is nothing to catch up with. A proof is none. */
    @Override
    public Flux<ObjectEvent<T>> list(ListOptions options, Reading<T> reading) {
        caughtUp |= options.key() == null && options.match() != ListOptions.Match.EXACT;
        return super.list(options, reading);
    }

    @Override
    public Flux<ObjectEvent<T>> watch(WatchOptions options, Reading<T> reading) {
        caughtUp |= options.initialEvents();
        return caughtUp
                ? super.watch(options, reading)
                : goal(options.resourceVersion()).flatMapMany(goal -> catchingUp(goal, super.watch(options, reading)));
    }

    /** Emits the server's version, at or after the saved version and {@code from}, which may be earlier. */
    private Mono<String> goal(@Nullable String from) {
        String reached = Objects.requireNonNullElse(ResourceVersion.newest(saved, from), saved);
        ListOptions one = ListOptions.defaults().withLimit(1).withResourceVersion(reached, ListOptions.Match.NOT_OLDER_THAN);
        return super.list(one, Reading.anew())
                .<String>handle((event, sink) -> {
                    if (event instanceof ObjectEvent.PageEnd<T> end) {
                        sink.next(end.resourceVersion());
                    }
                })
                .single()
                .timeout(PATIENCE, Mono.error(() -> new TransportException(
                        identity().description() + ": no answer to the question whether version " + reached + " is known, within "
                                + PATIENCE.toSeconds() + " s",
                        null)), timer);
    }

    private Flux<ObjectEvent<T>> catchingUp(String goal, Flux<ObjectEvent<T>> watch) {
        var opened = new AtomicBoolean();
        return watch.hide() // no fusion: events are received as they arrive, not as they are polled
                .publish(received -> Flux.merge(
                        received.concatMapIterable(event -> inOrder(event, goal, opened)),
                        silence(received.onErrorComplete().takeWhile(event -> !opened.get()))
                                .filter(silence -> opened.compareAndSet(false, true))
                                .map(silence -> opening())));
    }

    /**
     * Emits when nothing was received for {@link #QUIET}; empty if the watch ends before. The time has two halves: if this process was
     * suspended, the first may be over at once, and events that arrived meanwhile are received during the second.
     */
    private Mono<Long> silence(Flux<?> received) {
        Mono<Long> half = Mono.delay(QUIET.dividedBy(2), timer);
        return received.switchMap(event -> half.then(half)).next().takeUntilOther(received.ignoreElements());
    }

    /** The events to emit after {@code event} was received. */
    private List<ObjectEvent<T>> inOrder(ObjectEvent<T> event, String goal, AtomicBoolean opened) {
        if (event instanceof ObjectEvent.Opened) {
            return List.of();
        }
        boolean bookmark = event instanceof ObjectEvent.Bookmark;
        String version = event.resourceVersion();
        boolean arrived = version != null && !ResourceVersion.isNewer(goal, version) && opened.compareAndSet(false, true);
        if (arrived) {
            return bookmark ? List.of(opening(), event) : List.of(event, opening());
        }
        return bookmark && !opened.get() ? List.of() : List.of(event);
    }

    private ObjectEvent<T> opening() {
        caughtUp = true;
        return new ObjectEvent.Opened<>();
    }
}
