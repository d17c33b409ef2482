package io.reactiveinformer.reflector;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.internal.ListWaits;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.internal.informer.SameContent;
import io.reactiveinformer.resource.ForbiddenException;
import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceVersionExpiredException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.source.ListerWatcher.Past;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Verifies, by a small request after a broken connection, that the server still has the history that the cached objects come from.
 *
 * <p>A server that was put back to an older state, and has passed our version again since, accepts a watch from that version and does not
 * report what is different. A small cache is compared as a whole with the server's state at exactly our version, so that changes since
 * then do not matter. Of a larger one, of one that lags, and where the server would have to search for the objects, a witness is requested:
 * the object that changed last, which is the least likely to be in a restored state. If the last change was a deletion, the deleted object
 * is a witness, too: it is requested as it was just before, where it existed, and at our version, where it does not. If there was no object
 * at all, any is requested.
 */
final class HistoryCheck<T> {

    /** A server waits 3 s for a version that it does not know. */
    private static final Duration LONGEST = Duration.ofSeconds(15);

    /** A cache of at most this many objects is compared as a whole. */
    static final int FEW = 100;

    private final ListerWatcher<T> source;
    private final ReflectorOptions options;
    private final EventTranslator<T> position;
    private final String reached;
    private final boolean beforeList;
    private final boolean lastTry;
    private final boolean atStart;
    private final int few;
    private boolean unproven;
    private @Nullable String repeatFrom;

    /**
     * @param beforeList whether a list follows, so that an object that has not changed since can prove what the server no longer remembers
     * @param lastTry whether a server that refuses or cannot answer is not to be asked again
     */
    HistoryCheck(ListerWatcher<T> source, ReflectorOptions options, EventTranslator<T> position, boolean beforeList, boolean lastTry) {
        this.source = source;
        this.options = options;
        this.position = position;
        this.reached = Objects.requireNonNull(position.reached(), "there is a past to prove only after a list");
        this.beforeList = beforeList;
        this.lastTry = lastTry;
        this.atStart = position.isUnverified();
        this.few = atStart ? Math.max(FEW, options.pageSize()) : FEW;
    }

    /**
     * The reason why the history is another one; empty if nothing shows that. A server that cannot answer shows nothing; any other failure
     * is the failure of this request.
     */
    Mono<String> contradiction() {
        return Mono.defer(this::asked);
    }

    /**
     * Whether the history must be proven again later. Nothing has shown that it is the same: what was received last was deleted, and the
     * server has forgotten the state before; or it has changed since the server's memory begins. Or only a witness was asked for because a
     * small cache lags behind what was received: another history may have the witness, too, at the same version. Or the server has refused
     * to answer about a state that was saved by another process.
     */
    boolean isUnproven() {
        return unproven;
    }

    /**
     * Where a watch must start that proves the rest, if only the newest object of a saved cache was compared; null if everything was. At
     * the object before the newest: no restored server remembers what was before its restored state, and all that is cached is from there.
     */
    @Nullable String repeatFrom() {
        return repeatFrom;
    }

    private Mono<String> asked() {
        Set<ObjectKey> cached = new HashSet<>();
        eachKey(key -> {
            if (cached.size() <= few) {
                cached.add(key);
            }
        });
        boolean small = cached.size() <= few;
        if (small && isCacheComplete()) {
            return askedOfAll(cached);
        }
        boolean lags = small && position.cachedTo() != null;
        return askedOfSome().doOnSuccess(contradiction -> unproven |= lags); // all of it is compared when the cache has caught up
    }

    /** Calls {@code action} with the key of each object that exists as far as is known, whether it can be read or not. */
    private void eachKey(Consumer<ObjectKey> action) {
        position.known().forEachKey(source.identity().part(), action);
        position.known().stale().keySet().stream().filter(source.identity().part()::covers).forEach(action);
    }

    private Mono<String> askedOfAll(Set<ObjectKey> cached) {
        return answer(Past.ALL, at(reached, ListOptions.Match.EXACT).withLimit(few))
                .onErrorResume(this::isNoAnswer, failure -> Mono.fromRunnable(this::unclear))
                .flatMap(events -> events.isEmpty() ? askedOfSome() : Mono.justOrEmpty(ofAll(events, cached)))
                .onErrorResume(failure -> beforeList && failure instanceof ResourceVersionExpiredException, forgotten -> askedOfNow());
    }

    private Mono<String> askedOfNow() {
        EventTranslator.Witness<T> witness = witness();
        if (witness == null) {
            unproven = true;
            return Mono.empty();
        }
        return ask(witness.key(), reached, ListOptions.Match.NOT_OLDER_THAN).mapNotNull(events -> ofWitnessNow(events, witness));
    }

    private Mono<String> askedOfSome() {
        EventTranslator.Witness<T> witness = witness();
        EventTranslator.Gone gone = position.gone();
        if (gone == null || witness != null && !ResourceVersion.isNewer(gone.version(), witness.version())) {
            return witness == null ? askedOfNone() : askedOf(witness);
        }
        unproven = witness == null && position.cachedTo() != null;
        Mono<String> before = Mono.defer(() -> ask(gone.key(), gone.before(), ListOptions.Match.EXACT))
                .mapNotNull(events -> ofExisting(events, gone))
                .onErrorResume(ResourceVersionExpiredException.class, forgotten -> Mono.empty());
        Mono<String> now = Mono.defer(() -> ask(gone.key())).mapNotNull(events -> ofDeleted(events, gone));
        return (witness == null ? Mono.<String>empty() : askedOf(witness)).switchIfEmpty(before).switchIfEmpty(now);
    }

    private Mono<String> askedOf(EventTranslator.Witness<T> witness) {
        return ask(witness.key()).mapNotNull(events -> ofWitness(events, witness))
                .onErrorResume(failure -> beforeList && failure instanceof ResourceVersionExpiredException, forgotten -> askedOfNow());
    }

    private Mono<String> askedOfNone() {
        if (position.isEmpty() || atStart && isCacheComplete() && isNothingCached()) {
            return ask(null).mapNotNull(this::ofNothing);
        }
        unproven = position.cachedTo() != null;
        return Mono.empty();
    }

    private boolean isNothingCached() {
        var nothing = new AtomicBoolean(true);
        eachKey(key -> nothing.set(false));
        return nothing.get();
    }

    private Mono<List<ObjectEvent<T>>> ask(@Nullable ObjectKey key) {
        return ask(key, reached, ListOptions.Match.EXACT);
    }

    private Mono<List<ObjectEvent<T>>> ask(@Nullable ObjectKey key, String version, ListOptions.Match match) {
        return answer(Past.ONE, at(version, match).withKey(key).withLimit(1))
                .onErrorResume(this::isNoAnswer, failure -> Mono.<List<ObjectEvent<T>>>fromRunnable(this::unclear)
                        .defaultIfEmpty(List.of()));
    }

    private static ListOptions at(String version, ListOptions.Match match) {
        return ListOptions.defaults().withResourceVersion(version, match);
    }

    /** @param past what the source must list to be asked; otherwise the answer is empty */
    private Mono<List<ObjectEvent<T>>> answer(Past past, ListOptions options) {
        ListerWatcher.Identity asked = source.identity();
        return asked.past().compareTo(past) < 0 ? Mono.just(List.of())
                : ListWaits.urgent(Flux.defer(() -> source.list(options, Reading.anew())))
                .transform(IdleTimeout.after(() -> LONGEST, this.options.timer(), asked.description()))
                .collectList();
    }

    /** Whether what is cached is what this reflector has received, so that what is not cached does not exist. */
    private boolean isCacheComplete() {
        return ResourceVersion.isAtMost(reached, position.cachedTo());
    }

    /** The object that changed last, of those received or else of those cached; null if there is none, or the cache lags. */
    private EventTranslator.@Nullable Witness<T> witness() {
        EventTranslator.Witness<T> received = position.newest();
        return received != null || !isCacheComplete() ? received : newestCached(null);
    }

    /** The object that changed last, of those cached but {@code except}; null if there is none. */
    private EventTranslator.@Nullable Witness<T> newestCached(@Nullable ObjectKey except) {
        var newest = new AtomicReference<EventTranslator.@Nullable Witness<T>>();
        eachKey(key -> {
            EventTranslator.Witness<T> object = cached(key);
            EventTranslator.Witness<T> known = newest.get();
            boolean newer = known == null || ResourceVersion.isNewer(object.version(), known.version());
            if (newer && !key.equals(except) && ResourceVersion.isAtMost(object.version(), reached)) {
                newest.set(object);
            }
        });
        return newest.get();
    }

    /** The newest known state, which could not be read if the object is stale. */
    private EventTranslator.Witness<T> cached(ObjectKey key) {
        Known.Stale stale = position.known().stale().get(key);
        Versioned<T> entry = position.known().find(key);
        return stale == null && entry != null ? EventTranslator.Witness.of(key, entry)
                : new EventTranslator.Witness<>(key, null, stale == null ? null : stale.resourceVersion(), null);
    }

    /** The first difference between the server's state at our version and all that is cached. */
    private @Nullable String ofAll(List<ObjectEvent<T>> events, Set<ObjectKey> cached) {
        Set<ObjectKey> missing = new TreeSet<>(cached);
        String difference = null;
        for (ObjectEvent<T> event : events) {
            if (event instanceof ObjectEvent.PageEnd<T> end) {
                missing.removeIf(key -> ResourceVersion.isNewer(cached(key).version(), reached));
                boolean last = Objects.requireNonNullElse(end.continueToken(), "").isEmpty();
                String more = last ? null : "there are more objects than are cached";
                String absent = missing.isEmpty() ? null : missing.iterator().next() + " is cached, and does not exist";
                String found = difference != null ? difference : more != null ? more : absent;
                if (!reached.equals(end.resourceVersion())) {
                    return unclear();
                }
                return found == null ? null : found + " in the server's state at " + reached;
            }
            ObjectKey key = Objects.requireNonNull(event.key());
            if (ResourceVersion.isNewer(event.resourceVersion(), reached)) {
                return unclear(); // the server does not answer exactly
            }
            boolean known = missing.remove(key);
            difference = difference != null ? difference : known ? differs(event, cached(key)) : key + " is not cached, and exists";
        }
        return null;
    }

    private @Nullable String differs(ObjectEvent<T> event, EventTranslator.Witness<T> cached) {
        boolean comparable = cached.version() != null && !ResourceVersion.isNewer(cached.version(), reached);
        return !comparable || isWitness(event, cached) ? null
                : cached.key() + " was at " + cached.version() + ", and is another state, of " + event.resourceVersion();
    }

    /** Whether an object is in the state of the witness, as far as both can be read. */
    private boolean isWitness(ObjectEvent<T> there, EventTranslator.Witness<T> witness) {
        Versioned<T> entry = witness.entry();
        Versioned<T> found = there.entry();
        return found != null && entry != null ? isSame(entry, found)
                : isSameOrUnknown(there.uid(), witness.uid()) && isSameOrUnknown(there.resourceVersion(), witness.version());
    }

    private @Nullable String ofWitness(Iterable<ObjectEvent<T>> events, EventTranslator.Witness<T> witness) {
        ObjectKey key = witness.key();
        String instead = "does not exist";
        for (ObjectEvent<T> event : events) {
            if (key.equals(event.key())) {
                if (isWitness(event, witness)) {
                    EventTranslator.Witness<T> before = atStart ? newestCached(witness.key()) : null;
                    repeatFrom = before == null ? null : before.version();
                    return atStart && repeatFrom == null ? unclear() : null;
                }
                if (ResourceVersion.isNewer(event.resourceVersion(), reached)) {
                    return unclear(); // the server does not answer exactly
                }
                instead = "is another state, of " + event.resourceVersion();
            }
            if (event instanceof ObjectEvent.PageEnd<T> end) {
                return reached.equals(end.resourceVersion())
                        ? key + " was at " + witness.version() + ", and " + instead + " in the server's state at " + reached : unclear();
            }
        }
        return null;
    }

    /** Only an object that is still the same proves anything. */
    private @Nullable String ofWitnessNow(Iterable<ObjectEvent<T>> events, EventTranslator.Witness<T> witness) {
        unproven = true;
        for (ObjectEvent<T> event : events) {
            if (event instanceof ObjectEvent.Applied<T> item && item.key().equals(witness.key())) {
                unproven = !isWitness(item, witness);
                if (unproven && ResourceVersion.isAtMost(item.resourceVersion(), reached)) {
                    return item.key() + " was at " + witness.version() + ", and is another state, of " + item.resourceVersion();
                }
            }
        }
        return null;
    }

    private static boolean isSameOrUnknown(@Nullable String there, @Nullable String cached) {
        return there == null || cached == null || there.equals(cached);
    }

    private boolean isSame(Versioned<T> cached, Versioned<T> there) {
        return cached.sameVersion(there)
                && (!atStart && source.identity().redefinable() || SameContent.of(cached.object(), there.object()));
    }

    /** Before its deletion the object existed, in its last state. */
    private @Nullable String ofExisting(Iterable<ObjectEvent<T>> events, EventTranslator.Gone deletion) {
        for (ObjectEvent<T> event : events) {
            ObjectKey key = event.key();
            if (key != null && isLastState(deletion, key, event.uid(), event.resourceVersion())) {
                unproven = false;
                return null;
            }
            if (event instanceof ObjectEvent.PageEnd<T> end && deletion.before().equals(end.resourceVersion())) {
                return deletion.key() + " was deleted at " + deletion.version()
                        + ", and did not exist in that state at " + deletion.before();
            }
        }
        return null;
    }

    private static boolean isLastState(EventTranslator.Gone deletion, ObjectKey key, @Nullable String uid, @Nullable String version) {
        return key.equals(deletion.key())
                && isSameOrUnknown(uid, deletion.uid())
                && isSameOrUnknown(version, deletion.state());
    }

    private @Nullable String ofDeleted(Iterable<ObjectEvent<T>> events, EventTranslator.Gone deletion) {
        boolean exists = false;
        for (ObjectEvent<T> event : events) {
            exists |= deletion.key().equals(event.key());
            if (event instanceof ObjectEvent.PageEnd<T> end && exists && reached.equals(end.resourceVersion())) {
                return deletion.key() + " was deleted at " + deletion.version() + ", and exists in the server's state at " + reached;
            }
        }
        return null;
    }

    /** The contradiction where no object existed. */
    private @Nullable String ofNothing(Iterable<ObjectEvent<T>> events) {
        for (ObjectEvent<T> event : events) {
            String version = event.resourceVersion();
            if (event instanceof ObjectEvent.PageEnd) {
                return reached.equals(version) ? null : unclear();
            }
            if (version != null && ResourceVersion.isAtMost(version, reached)) {
                return event.key() + " exists since " + version + " without having been received before " + reached;
            }
        }
        return null;
    }

    /** The answer shows nothing. That is enough after a break of this process's own watch, but not for what another process has saved. */
    private @Nullable String unclear() {
        unproven |= atStart;
        return null;
    }

    /** Whether the server cannot answer. One that has just started may refuse what it does not know yet: it is asked again. */
    private boolean isNoAnswer(Throwable failure) {
        return failure instanceof InvalidRequestException
                || lastTry && (failure instanceof ForbiddenException || failure instanceof NotFoundException);
    }
}
