package io.reactiveinformer.reflector;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.delta.Known;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.internal.SameContent;
import io.reactiveinformer.resource.ForbiddenException;
import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceVersionExpiredException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.source.ListerWatcher;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Verifies, by one small request after a broken connection, that the server still has the history that the cached objects come from.
 *
 * <p>A server that was put back to an older state, and has passed our version again since, accepts a watch from that version and does not
 * report what is different. The witness is the object that changed last: it is the least likely to be in a restored state. It is requested
 * exactly as it was at our version, so that changes since then do not matter. If the last change was a deletion, the deleted object is a
 * witness, too: it is requested as it was just before, where it existed, and at our version, where it does not. If there was no object at
 * all, any is requested.
 */
final class Proof<T> {

    /** A server waits 3 s for a version that it does not know. */
    private static final Duration LONGEST = Duration.ofSeconds(15);

    private final ListerWatcher<T> source;
    private final ReflectorOptions options;
    private final Position<T> position;
    private final String reached;
    private final boolean beforeList;
    private final boolean lastTry;
    private boolean lacking;

    /**
     * @param beforeList whether a list follows, so that an object that has not changed since can prove what the server no longer remembers
     * @param lastTry whether a server that refuses or cannot answer is not to be asked again
     */
    Proof(ListerWatcher<T> source, ReflectorOptions options, Position<T> position, boolean beforeList, boolean lastTry) {
        this.source = source;
        this.options = options;
        this.position = position;
        this.reached = Objects.requireNonNull(position.reached(), "there is a past to prove only after a list");
        this.beforeList = beforeList;
        this.lastTry = lastTry;
    }

    /**
     * The reason why the history is another one; empty if nothing shows that. A server that cannot answer shows nothing; any other failure
     * is the failure of this request.
     */
    Mono<String> contradiction() {
        return Mono.using(
                options.group()::proofLine,
                turn -> turn.comes(options.timer()).then(Mono.defer(this::asked)),
                ReflectorGroup.Turn::end,
                false);
    }

    /**
     * Whether nothing shows that the history is the same: what was received last was deleted, and the server has forgotten the state before;
     * or it has changed since the server's memory begins.
     */
    boolean isLacking() {
        return lacking;
    }

    private Mono<String> asked() {
        Position.Witness<T> witness = witness();
        Position.Gone gone = position.gone();
        if (gone == null || witness != null && !ResourceVersion.isNewer(gone.version(), witness.entry().resourceVersion())) {
            return witness == null ? askedOfNone() : askedOf(witness);
        }
        lacking = witness == null && position.known().heard(source.part()) != null;
        Mono<String> before = Mono.defer(() -> ask(gone.key(), gone.before(), ListOptions.Match.EXACT))
                .mapNotNull(events -> ofExisting(events, gone))
                .onErrorResume(ResourceVersionExpiredException.class, forgotten -> Mono.empty());
        Mono<String> now = Mono.defer(() -> ask(gone.key())).mapNotNull(events -> ofDeleted(events, gone));
        return (witness == null ? Mono.<String>empty() : askedOf(witness)).switchIfEmpty(before).switchIfEmpty(now);
    }

    private Mono<String> askedOf(Position.Witness<T> witness) {
        return ask(witness.key()).mapNotNull(events -> ofWitness(events, witness))
                .onErrorResume(failure -> beforeList && failure instanceof ResourceVersionExpiredException,
                        forgotten -> ask(witness.key(), reached, ListOptions.Match.NOT_OLDER_THAN)
                                .mapNotNull(events -> ofWitnessNow(events, witness)));
    }

    private Mono<String> askedOfNone() {
        if (position.isEmpty()) {
            return ask(null).mapNotNull(this::ofNothing);
        }
        lacking = position.known().heard(source.part()) != null;
        return Mono.empty();
    }

    private Mono<List<ListEvent<T>>> ask(@Nullable ObjectKey key) {
        return ask(key, reached, ListOptions.Match.EXACT);
    }

    private Mono<List<ListEvent<T>>> ask(@Nullable ObjectKey key, String version, ListOptions.Match match) {
        return Flux.defer(() -> source.one(key, version, match, Known.none()))
                .transform(Silence.fails(() -> LONGEST, options.timer(), source.description()))
                .onErrorResume(this::isNoAnswer, failure -> Flux.empty())
                .collectList();
    }

    /** Whether what is cached is what this reflector has received, so that what is not cached does not exist. */
    private boolean isCacheComplete() {
        return ResourceVersion.isAtMost(reached, position.known().heard(source.part()));
    }

    /** The object that changed last, of those received or else of those cached; null if there is none, or the cache lags. */
    private Position.@Nullable Witness<T> witness() {
        Position.Witness<T> received = position.newest();
        if (received != null || !isCacheComplete()) {
            return received;
        }
        Known<T> known = position.known();
        var newest = new Object() {
            Position.@Nullable Witness<T> cached;
        };
        known.forEachKey(source.part(), key -> {
            Versioned<T> entry = known.find(key);
            String version = entry == null ? null : entry.resourceVersion();
            boolean newer = newest.cached == null || ResourceVersion.isNewer(version, newest.cached.entry().resourceVersion());
            if (entry != null && newer && ResourceVersion.isAtMost(version, reached)) {
                newest.cached = new Position.Witness<>(key, entry);
            }
        });
        return newest.cached;
    }

    private @Nullable String ofWitness(Iterable<ListEvent<T>> events, Position.Witness<T> witness) {
        ObjectKey key = witness.key();
        String instead = "does not exist";
        for (ListEvent<T> event : events) {
            if (event instanceof ListEvent.Unreadable<T> there && there.key().equals(key)) {
                if (isSameOrUnknown(there.uid(), witness.entry().uid())
                        && isSameOrUnknown(there.resourceVersion(), witness.entry().resourceVersion())) {
                    return null;
                }
                instead = "is another state, of " + there.resourceVersion();
            }
            if (event instanceof ListEvent.Item<T> item && item.key().equals(key)) {
                if (isSame(witness.entry(), item.entry()) || ResourceVersion.isNewer(item.entry().resourceVersion(), reached)) {
                    return null; // newer if the server does not answer exactly
                }
                instead = "is another state, of " + item.entry().resourceVersion();
            }
            if (event instanceof ListEvent.End<T> end && reached.equals(end.resourceVersion())) {
                return key + " was at " + witness.entry().resourceVersion() + ", and " + instead + " in the server's state at " + reached;
            }
        }
        return null;
    }

    /** Only an object that is still the same proves anything. */
    private @Nullable String ofWitnessNow(Iterable<ListEvent<T>> events, Position.Witness<T> witness) {
        lacking = true;
        for (ListEvent<T> event : events) {
            if (event instanceof ListEvent.Item<T> item && item.key().equals(witness.key())) {
                lacking = !isSame(witness.entry(), item.entry());
                if (lacking && ResourceVersion.isAtMost(item.entry().resourceVersion(), reached)) {
                    return item.key() + " was at " + witness.entry().resourceVersion() + ", and is another state, of "
                            + item.entry().resourceVersion();
                }
            }
        }
        return null;
    }

    private static boolean isSameOrUnknown(@Nullable String there, @Nullable String cached) {
        return there == null || there.equals(cached);
    }

    private boolean isSame(Versioned<T> cached, Versioned<T> there) {
        return cached.sameVersion(there) && (source.redefinable() || SameContent.of(cached.object(), there.object()));
    }

    /** Before its deletion the object existed, in its last state. */
    private @Nullable String ofExisting(Iterable<ListEvent<T>> events, Position.Gone deletion) {
        for (ListEvent<T> event : events) {
            boolean there = event instanceof ListEvent.Item<T> item
                    && isLastState(deletion, item.key(), item.entry().uid(), item.entry().resourceVersion())
                    || event instanceof ListEvent.Unreadable<T> unreadable
                    && isLastState(deletion, unreadable.key(), unreadable.uid(), unreadable.resourceVersion());
            if (there) {
                lacking = false;
                return null;
            }
            if (event instanceof ListEvent.End<T> end && deletion.before().equals(end.resourceVersion())) {
                return deletion.key() + " was deleted at " + deletion.version()
                        + ", and did not exist in that state at " + deletion.before();
            }
        }
        return null;
    }

    private static boolean isLastState(Position.Gone deletion, ObjectKey key, @Nullable String uid, @Nullable String version) {
        return key.equals(deletion.key())
                && (deletion.uid() == null || isSameOrUnknown(uid, deletion.uid()))
                && (deletion.state() == null || isSameOrUnknown(version, deletion.state()));
    }

    private @Nullable String ofDeleted(Iterable<ListEvent<T>> events, Position.Gone deletion) {
        boolean exists = false;
        for (ListEvent<T> event : events) {
            exists |= deletion.key().equals(keyOf(event));
            if (event instanceof ListEvent.End<T> end && exists && reached.equals(end.resourceVersion())) {
                return deletion.key() + " was deleted at " + deletion.version() + ", and exists in the server's state at " + reached;
            }
        }
        return null;
    }

    /** The contradiction where no object existed. */
    private @Nullable String ofNothing(Iterable<ListEvent<T>> events) {
        for (ListEvent<T> event : events) {
            String version = event instanceof ListEvent.Item<T> item ? item.entry().resourceVersion()
                    : event instanceof ListEvent.Unreadable<T> item ? item.resourceVersion() : null;
            if (version != null && ResourceVersion.isAtMost(version, reached)) {
                return keyOf(event) + " exists since " + version + " without having been received before " + reached;
            }
        }
        return null;
    }

    /** The key of an object that the server has, also if it cannot be read; null for the end of the answer. */
    private static @Nullable ObjectKey keyOf(ListEvent<?> event) {
        return event instanceof ListEvent.Item<?> item ? item.key() : event instanceof ListEvent.Unreadable<?> item ? item.key() : null;
    }

    /** Whether the server cannot answer. One that has just started may refuse what it does not know yet: it is asked again. */
    private boolean isNoAnswer(Throwable failure) {
        return failure instanceof InvalidRequestException
                || lastTry && (failure instanceof ForbiddenException || failure instanceof NotFoundException);
    }
}
