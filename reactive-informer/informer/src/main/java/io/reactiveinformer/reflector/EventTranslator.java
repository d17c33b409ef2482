package io.reactiveinformer.reflector;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.internal.informer.SameContent;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What each event of the server means, where one reflector has come in the server's history: see {@link ResumePoint}. Throws
 * {@link Outcome.Doubtful} for events that cannot be all that happened. Not thread-safe.
 */
final class EventTranslator<T> {

    private final Namespaces namespaces;
    private final Known<T> known;
    private final ResumePoint cursor;
    private final @Nullable String begun;
    private boolean unverified;
    private @Nullable Replay<T> replay;
    private Reuse reuse = Reuse.OF_VERSIONS;
    private Listed<T> listed = new Listed<>(false, false, null, false);
    private Last<T> last = new Last<>(null, null, false);

    /** What a listing may take from the cache instead of decoding it again. */
    private enum Reuse {
        /** An object in the same version. */
        OF_VERSIONS,
        /** One with the same content, too: the type may have been redefined, and objects have another form in the same version. */
        OF_CONTENTS,
        /** None: the server's history is another one. */
        NONE
    }

    /**
     * The listing in progress, or the last one.
     *
     * @param compared whether what it brings is compared with the cache, for signs of another history
     * @param otherHistory whether there was such a sign
     * @param newest the object of it that changed last; null if that is not known
     * @param any whether it has brought anything
     */
    private record Listed<T>(boolean compared, boolean otherHistory, @Nullable Witness<T> newest, boolean any) {}

    /**
     * What was received last.
     *
     * @param newest the object that changed last; null if that is not known, such as after its deletion
     * @param gone the deletion that was received last; null before the first since the last listing
     * @param nothing whether the last complete listing was empty, and nothing has come since
     */
    private record Last<T>(@Nullable Witness<T> newest, @Nullable Gone gone, boolean nothing) {}

    /** @param reached the version up to which {@code known} is complete; null if it is not */
    EventTranslator(Namespaces namespaces, Known<T> known, @Nullable String reached) {
        this.namespaces = namespaces;
        this.known = known;
        this.cursor = new ResumePoint(reached);
        this.begun = reached;
        this.unverified = reached != null;
    }

    /** The cached states. */
    Known<T> known() {
        return known;
    }

    /** The version up to which nothing is missing; null before the first complete listing. */
    @Nullable String reached() {
        return cursor.resumeFrom();
    }

    /** The newest version of the cached state, at or beyond which it may lag behind {@link #reached}; null if nothing is cached. */
    @Nullable String cachedTo() {
        String received = known.received(namespaces);
        return received == null && holdsAny() ? begun : received;
    }

    private boolean holdsAny() {
        var any = new AtomicBoolean();
        known.forEachKey(namespaces, key -> any.set(true));
        return any.get();
    }

    /** Whether the cached state is still the one that this began with, and nothing has shown that it is of the server's history. */
    boolean isUnverified() {
        return unverified;
    }

    /**
     * The cached state is of the server's history.
     *
     * @param repeatFrom the version from which the server must repeat its changes to prove the rest; null if everything was compared
     */
    void verified(@Nullable String repeatFrom) {
        if (unverified && repeatFrom != null) {
            replay = new Replay<>(known, repeatFrom, cursor.toString());
        }
        unverified = false;
    }

    /** The version to watch from: {@link #reached}, or an earlier one from which the server repeats what must be proven. */
    String watchFrom() {
        return replay == null ? cursor.toString() : replay.from();
    }

    /**
     * The known states that a listing that begins now need not decode again. If the server's history may be another one, an equal version
     * proves nothing: then there are none, and what is received is compared with what is known. The same if the type may have been
     * redefined.
     */
    Known<T> knownFor(Phase.Freshness freshness) {
        listed = new Listed<>(freshness == Phase.Freshness.MOST_RECENT && reached() != null, false, null, false);
        return listed.compared || reuse != Reuse.OF_VERSIONS ? Known.none() : known;
    }

    /** The server's history is another one: the next complete listing begins a new epoch, whatever it shows. */
    void replaced() {
        reuse = Reuse.NONE;
    }

    /** Until the next complete listing, the server may present an object in another form in the same version. */
    void redefined() {
        reuse = reuse == Reuse.NONE ? Reuse.NONE : Reuse.OF_CONTENTS;
    }

    /** The deletion that was received last; null before the first. */
    @Nullable Gone gone() {
        return last.gone;
    }

    /**
     * A deletion that was received.
     *
     * @param version of the deletion
     * @param before the version that had been reached when it came: the object existed there
     * @param uid of the object; null if it is not known
     * @param state the version of the object's last state; null if it is not known
     */
    record Gone(ObjectKey key, String version, String before, @Nullable String uid, @Nullable String state) {}

    /** The object that changed last, as it was received; null if that is not known, such as after its deletion. */
    @Nullable Witness<T> newest() {
        return last.newest;
    }

    /** Whether the last complete listing was empty, and nothing has come since. */
    boolean isEmpty() {
        return last.nothing;
    }

    /**
     * An object as it was received.
     *
     * @param uid null if it is not known
     * @param version the version of this state
     * @param entry null if it could not be read
     */
    record Witness<T>(ObjectKey key, @Nullable String uid, @Nullable String version, @Nullable Versioned<T> entry) {

        static <T> Witness<T> of(ObjectKey key, Versioned<T> entry) {
            return new Witness<>(key, entry.uid(), entry.resourceVersion(), entry);
        }

        static <T> Witness<T> of(ObjectKey key, ObjectEvent<T> event) {
            return new Witness<>(key, event.uid(), event.resourceVersion(), event.entry());
        }
    }

    /** Whether the latest complete listing was the first to show that the server's history is another one. */
    boolean foundOtherHistory() {
        return listed.otherHistory;
    }

    /** Handles an event of a watch that continues from {@link #reached}. */
    List<ReflectorEvent<T>> live(ObjectEvent<T> event) {
        if (event instanceof ObjectEvent.Opened) {
            return List.of(watching());
        }
        if (replay != null && replay.repeats(event)) {
            return List.of();
        }
        replay = null;
        if (event instanceof ObjectEvent.Bookmark<T> bookmark) {
            return bookmark(bookmark);
        }
        ObjectKey key = event.key();
        if (key == null) {
            throw Outcome.Doubtful.thrown("an event of an unknown object came after " + cursor);
        }
        return moves(key, event);
    }

    /** Handles an event of a page, or of a streaming list before its end: objects come in no order of versions. */
    List<ReflectorEvent<T>> listed(ObjectEvent<T> event) {
        ObjectKey key = event.key();
        if (key == null) {
            if (event instanceof ObjectEvent.Unreadable) {
                throw Outcome.Doubtful.thrown("a streaming list sent an event of an unknown object");
            }
            return List.of();
        }
        ObjectEvent.Applied<T> found = event instanceof ObjectEvent.Applied<T> applied && !applied.modified() ? applied : null;
        boolean other = listed.otherHistory || found != null && listed.compared && isOfOtherHistory(key, found.entry());
        Witness<T> newest = event.deleted() ? without(listed.newest, key) : newer(listed.newest, Witness.of(key, event));
        listed = new Listed<>(listed.compared, other, newest, true);
        return List.of(received(found == null ? event : reused(found)));
    }

    /**
     * A listing is complete up to {@code resourceVersion}. If a server's most recent state is older than what was received from it, the
     * server was restored or replaced.
     */
    ReflectorEvent<T> listingEnded(String resourceVersion, Phase.Freshness freshness) {
        if (!ResourceVersion.isSent(resourceVersion)) {
            throw Outcome.Doubtful.thrown("a list came without a resourceVersion");
        }
        boolean older = ResourceVersion.isNewer(reached(), resourceVersion);
        if (older && freshness != Phase.Freshness.MOST_RECENT) {
            throw Outcome.Doubtful.thrown("a list is of " + resourceVersion + ", older than the "
                    + cursor + " that it was not to be older than");
        }
        boolean known = reuse == Reuse.NONE;
        boolean newEpoch = older || listed.otherHistory || known;
        last = new Last<>(listed.newest, null, !listed.any);
        listed = new Listed<>(false, newEpoch && !known, null, false);
        reuse = Reuse.OF_VERSIONS;
        unverified = false;
        replay = null;
        cursor.listed(resourceVersion);
        return new ReflectorEvent.ListingEnded<>(namespaces, resourceVersion, newEpoch);
    }

    private static <T> Witness<T> newer(@Nullable Witness<T> newest, Witness<T> listed) {
        if (newest != null && !newest.key().equals(listed.key()) && !ResourceVersion.isNewer(listed.version(), newest.version())) {
            return newest;
        }
        return listed;
    }

    private static <T> @Nullable Witness<T> without(@Nullable Witness<T> newest, ObjectKey key) {
        return newest != null && newest.key().equals(key) ? null : newest;
    }

    /**
     * Looks for signs of another history: an object with the uid and version of the cached one but other content, even if that history has
     * passed the same version since; an object that has gone back to an older version; and a change that would have been received.
     */
    private boolean isOfOtherHistory(ObjectKey key, Versioned<T> entry) {
        Versioned<T> held = known.find(key);
        if (held == null || !Objects.equals(held.uid(), entry.uid())) {
            return false;
        }
        boolean differs = held.sameVersion(entry) && !SameContent.of(held.object(), entry.object());
        boolean missed = ResourceVersion.isNewer(entry.resourceVersion(), held.resourceVersion())
                && ResourceVersion.isAtMost(entry.resourceVersion(), reached());
        return differs || missed || ResourceVersion.isNewer(held.resourceVersion(), entry.resourceVersion());
    }

    /** With the cached entry if the server still presents it in the same form, so that the one that was decoded again is released. */
    private ObjectEvent<T> reused(ObjectEvent.Applied<T> found) {
        Versioned<T> held = reuse == Reuse.OF_CONTENTS ? known.find(found.key()) : null;
        return held != null && held.sameVersion(found.entry()) && SameContent.of(held.object(), found.entry().object())
                ? new ObjectEvent.Applied<>(found.key(), held) : found;
    }

    ReflectorEvent<T> watching() {
        return new ReflectorEvent.Watching<>(namespaces, cursor.toString());
    }

    private ReflectorEvent<T> received(ObjectEvent<T> event) {
        return new ReflectorEvent.Received<>(namespaces, event);
    }

    /**
     * Versions only grow on a watch, or something is wrong with it; a repeated event does no harm. A deletion in the cached version, as
     * servers without a history of deletions send it, is not a repetition. A late event is not applied, even if it is newer than the cached
     * state of its object: at or below what its part has reached, none is, since others may be later still. The list that follows includes
     * it.
     */
    private List<ReflectorEvent<T>> moves(ObjectKey key, ObjectEvent<T> event) {
        String version = event.resourceVersion();
        String before = cursor.toString();
        if (!cursor.advances(key, version)) {
            Versioned<T> held = known.find(key);
            if (held != null && ResourceVersion.isAtMost(version, held.resourceVersion())
                    && !(event.deleted() && Objects.equals(version, held.resourceVersion()))) {
                return List.of();
            }
            throw cursor.late(key, version);
        }
        Witness<T> newest = last.newest;
        if (event.deleted()) {
            var gone = new Gone(key, Objects.requireNonNull(version), before, event.uid(), newest != null && newest.key().equals(key)
                    ? newest.version() : null);
            last = new Last<>(without(newest, key), gone, false);
        } else {
            last = new Last<>(Witness.of(key, event), last.gone, false);
        }
        return List.of(received(event));
    }

    private List<ReflectorEvent<T>> bookmark(ObjectEvent.Bookmark<T> bookmark) {
        String version = bookmark.resourceVersion();
        if (!ResourceVersion.isSent(version)) {
            return List.of();
        }
        cursor.bookmark(version);
        return List.of(received(bookmark));
    }
}
