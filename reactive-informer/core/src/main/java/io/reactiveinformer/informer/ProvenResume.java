package io.reactiveinformer.informer;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.Known;
import io.reactiveinformer.internal.ProvesItsPast;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.internal.SameContent;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.resource.WatchEvent;
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
 * The source of one reflector that begins at a version that an earlier process saved. A server that was restored from a backup meanwhile
 * accepts a watch from a version that it has not reached yet, and sends nothing. Before the watch, this source therefore requests one
 * object, not older than the saved version; a server that does not know the version refuses that request. A server that has passed the
 * version again since it was restored knows it, but in another epoch. If the one object shows that, the saved version is refused as expired
 * until a list of the most recent state is requested. (One object shows little; to learn more, more objects would have to be requested.)
 *
 * <p>The version of the answer is the <em>goal</em>: when the watch has reached it, the cache is as current as a list would make it. Until
 * then {@link WatchEvent.Opened} is delayed and bookmarks are dropped, as they would count as proof that all changes were received; changes
 * of objects are emitted at once. The goal is reached with the first event or bookmark at or beyond it, or when nothing was received for
 * {@link #QUIET}. The latter is needed because the version of a list is that of the whole store, which a watch of a quiet type reaches only
 * with its next bookmark, a minute later, or never without bookmarks. A server sends its history without a pause, so such a silence is the
 * end of it. If the server or the connection stalls in the middle instead, the rest is received late; only a list could distinguish the two
 * at once.
 *
 * <p>A server that no longer has the version also opens the watch, and refuses right afterwards: that never counts as an opening.
 */
final class ProvenResume<T> extends ListerWatcher.Forwarding<T> implements ProvesItsPast {

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

    /** Why the saved version is of another epoch than the server's; null if nothing shows that. */
    private volatile @Nullable String otherHistory;

    ProvenResume(ListerWatcher<T> source, String saved, Scheduler timer) {
        super(source);
        this.saved = saved;
        this.timer = timer;
    }

    @Override
    public Flux<ListEvent<T>> list(ListOptions options, Known<T> known) {
        return refuses(options.continueToken() == null ? options.resourceVersion() : null)
                ? Flux.error(refusal("list"))
                : super.list(options, known);
    }

    @Override
    public Flux<WatchEvent<T>> watch(WatchOptions options, Known<T> known) {
        if (options.initialEvents()) {
            return refuses(options.resourceVersion()) ? Flux.error(refusal("list")) : super.watch(options, known);
        }
        String reached = Objects.requireNonNullElse(options.resourceVersion(), saved);
        return caughtUp
                ? super.watch(options, known)
                : proof(reached, known).flatMapMany(goal -> catchingUp(goal, super.watch(options, known)));
    }

    /** Whether a list not older than {@code version} is refused. Any other list is as current as possible, and needs no proof. */
    private boolean refuses(@Nullable String version) {
        if (otherHistory != null && version != null) {
            return true;
        }
        otherHistory = null;
        caughtUp = true;
        return false;
    }

    /** Emits the server's version, at or after {@code reached}. */
    private Mono<String> proof(String reached, Known<T> known) {
        ListOptions one = ListOptions.defaults().withLimit(1).withResourceVersion(reached, ListOptions.Match.NOT_OLDER_THAN);
        return super.list(one, Known.none()) // no known objects: an equal version may be another state there
                .<String>handle((event, sink) -> {
                    otherHistory = otherHistory == null && reached.equals(saved) ? contradiction(event, known) : otherHistory;
                    if (otherHistory == null && event instanceof ListEvent.End<T> end
                            && !ResourceVersion.isAtMost(reached, end.resourceVersion())) {
                        otherHistory = "it is at version " + end.resourceVersion(); // older, or not comparable
                    }
                    if (otherHistory != null) {
                        sink.error(refusal("watch"));
                    } else if (event instanceof ListEvent.End<T> end) {
                        sink.next(end.resourceVersion());
                    }
                })
                .single()
                .timeout(PATIENCE, Mono.error(() -> new TransportException(
                        description() + ": no answer to the question whether version " + reached + " is known, within "
                                + PATIENCE.toSeconds() + " s",
                        null)), timer);
    }

    /** Why {@code event} cannot be of the epoch in which {@code known} was saved; null if it can. */
    private @Nullable String contradiction(ListEvent<T> event, Known<T> known) {
        if (!(event instanceof ListEvent.Item<T> item)) {
            return null; // an unreadable object proves nothing; the end is checked in proof()
        }
        Versioned<T> there = item.entry();
        Versioned<T> held = known.find(item.key());
        if (held != null && ResourceVersion.isNewer(held.resourceVersion(), saved)) {
            return null; // saved in a later version than the rest: its earlier states are unknown
        }
        boolean contradicts = held != null && held.sameVersion(there)
                ? !SameContent.of(held.object(), there.object())
                : ResourceVersion.isAtMost(there.resourceVersion(), saved); // it existed when the state was saved
        return contradicts ? item.key() + " was saved in another state than the server's at version " + there.resourceVersion() : null;
    }

    private StatusException refusal(String attempted) {
        return StatusException.of(Status.of(410, "Expired", "version " + saved + " is of another history of the server: " + otherHistory),
                attempted + " " + description());
    }

    private Flux<WatchEvent<T>> catchingUp(String goal, Flux<WatchEvent<T>> watch) {
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
    private List<WatchEvent<T>> inOrder(WatchEvent<T> event, String goal, AtomicBoolean opened) {
        if (event instanceof WatchEvent.Opened) {
            return List.of();
        }
        boolean bookmark = event instanceof WatchEvent.Bookmark;
        String version = event.resourceVersion();
        boolean arrived = version != null && !ResourceVersion.isNewer(goal, version) && opened.compareAndSet(false, true);
        if (arrived) {
            return bookmark ? List.of(opening(), event) : List.of(event, opening());
        }
        return bookmark && !opened.get() ? List.of() : List.of(event);
    }

    private WatchEvent<T> opening() {
        caughtUp = true;
        return new WatchEvent.Opened<>();
    }
}
