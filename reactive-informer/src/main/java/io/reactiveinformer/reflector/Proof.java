package io.reactiveinformer.reflector;

import io.reactiveinformer.delta.Known;
import io.reactiveinformer.delta.SameContent;
import io.reactiveinformer.resource.ForbiddenException;
import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceVersion;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.source.ListerWatcher;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Whether the server still has the history that the cached objects are from, asked by one small request after a connection that broke.
 *
 * <p>A server that was put back to an older state, and has written its way past our version since, accepts a watch from that version and says
 * nothing of what is different. The witness is the cached object that changed last: it is the least likely to be in a restored state. It is asked
 * for exactly as it was at our version, so that changes since then do not matter. If an object was deleted after that, it is asked for too.
 */
final class Proof<T> {

    /** A server waits 3 s for a version that it does not know. */
    private static final Duration LONGEST = Duration.ofSeconds(15);

    private final ListerWatcher<T> source;
    private final ReflectorOptions<T> options;
    private final String reached;
    private final Position.@Nullable Gone gone;

    /** @param gone the deletion that was received last; null where none was */
    Proof(ListerWatcher<T> source, ReflectorOptions<T> options, String reached, Position.@Nullable Gone gone) {
        this.source = source;
        this.options = options;
        this.reached = reached;
        this.gone = gone;
    }

    /**
     * What shows that the history is another one; empty if nothing does. A server that cannot or may not answer shows nothing; any other failure is
     * the failure of this request.
     */
    Mono<String> contradiction() {
        return Mono.defer(() -> {
            ReflectorGroup.Turn turn = options.group().proofLine();
            return turn.comes(options.timer()).then(Mono.defer(this::asked)).doFinally(signal -> turn.end());
        });
    }

    private Mono<String> asked() {
        ObjectKey witness = witness();
        Versioned<T> cached = witness == null ? null : options.known().find(witness);
        Mono<String> ofCached = witness == null || cached == null
                ? ask(null, options.known()).flatMap(events -> Mono.justOrEmpty(ofNothing(events)))
                : ask(witness, Known.none()).flatMap(events -> Mono.justOrEmpty(ofWitness(events, witness, cached)));
        boolean deletedLater = gone != null && (cached == null || ResourceVersion.isNewer(gone.version(), cached.resourceVersion()));
        return deletedLater ? ofCached.switchIfEmpty(Mono.defer(this::ofDeleted)) : ofCached;
    }

    private Mono<List<ListEvent<T>>> ask(@Nullable ObjectKey key, Known<T> known) {
        return Flux.defer(() -> source.at(key, reached, known))
                .transform(Silence.fails(() -> LONGEST, options.timer(), source.description()))
                .onErrorResume(Proof::isNoAnswer, failure -> Flux.empty())
                .collectList();
    }

    /** The cached object that changed last; null where there is none, or where the cache does not stand where this reflector does. */
    private @Nullable ObjectKey witness() {
        Known<T> known = options.known();
        if (!ResourceVersion.isAtMost(reached, known.heard(source.part()))) {
            return null;
        }
        var newest = new Object() {
            @Nullable ObjectKey key;
            @Nullable String version;
        };
        known.forEachKey(source.part(), key -> {
            Versioned<T> held = known.find(key);
            String version = held == null ? null : held.resourceVersion();
            if (ResourceVersion.isAtMost(version, reached) && (newest.version == null || ResourceVersion.isNewer(version, newest.version))) {
                newest.key = key;
                newest.version = version;
            }
        });
        return newest.key;
    }

    private @Nullable String ofWitness(Iterable<ListEvent<T>> events, ObjectKey witness, Versioned<T> cached) {
        String instead = "does not exist";
        for (ListEvent<T> event : events) {
            if (event instanceof ListEvent.Unreadable<T> unreadable && unreadable.key().equals(witness)) {
                return null;
            }
            if (event instanceof ListEvent.Item<T> item && item.key().equals(witness)) {
                if (isSame(cached, item.entry()) || ResourceVersion.isNewer(item.entry().resourceVersion(), reached)) {
                    return null; // newer where the server does not answer exactly
                }
                instead = "is another state, of " + item.entry().resourceVersion();
            }
            if (event instanceof ListEvent.End<T> end && reached.equals(end.resourceVersion())) {
                return witness + " was at " + cached.resourceVersion() + ", and " + instead + " in the server's state at " + reached;
            }
        }
        return null;
    }

    private boolean isSame(Versioned<T> cached, Versioned<T> there) {
        return cached.sameVersion(there) && (source.redefinable() || SameContent.of(cached.object(), there.object()));
    }

    private Mono<String> ofDeleted() {
        Position.Gone deletion = Objects.requireNonNull(gone);
        return ask(deletion.key(), Known.none()).flatMap(events -> Mono.justOrEmpty(ofDeleted(events, deletion)));
    }

    private @Nullable String ofDeleted(Iterable<ListEvent<T>> events, Position.Gone deletion) {
        boolean exists = false;
        for (ListEvent<T> event : events) {
            exists |= event instanceof ListEvent.Item<T> item && item.key().equals(deletion.key());
            if (event instanceof ListEvent.End<T> end && exists && reached.equals(end.resourceVersion())) {
                return deletion.key() + " was deleted at " + deletion.version() + ", and exists in the server's state at " + reached;
            }
        }
        return null;
    }

    /** Nothing is cached, or its versions have no order. */
    private @Nullable String ofNothing(Iterable<ListEvent<T>> events) {
        boolean compared = ResourceVersion.isAtMost(reached, options.known().heard(source.part()));
        for (ListEvent<T> event : events) {
            if (compared && event instanceof ListEvent.Item<T> item && ResourceVersion.isAtMost(item.entry().resourceVersion(), reached)) {
                return item.key() + " exists since " + item.entry().resourceVersion() + " without having been received before " + reached;
            }
        }
        return null;
    }

    private static boolean isNoAnswer(Throwable failure) {
        return failure instanceof ForbiddenException || failure instanceof InvalidRequestException || failure instanceof NotFoundException;
    }
}
