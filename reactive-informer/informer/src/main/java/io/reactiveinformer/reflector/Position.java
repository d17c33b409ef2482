package io.reactiveinformer.reflector;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.internal.informer.SameContent;
import io.reactiveinformer.reflector.Cursor.DoubtException;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.resource.WatchEvent;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What each event of the server means, where one reflector has come in the server's history: see {@link Cursor}. Throws
 * {@link DoubtException} for events that cannot be all that happened. Not thread-safe.
 */
final class Position<T> {

    private final Namespaces namespaces;
    private final Known<T> known;
    private final Cursor cursor;
    private boolean comparing;
    private boolean otherHistory;
    private boolean replaced;
    private boolean found;
    private @Nullable Gone gone;
    private @Nullable Witness<T> newest;
    private @Nullable Witness<T> newestListed;
    private boolean listedAny;
    private boolean empty;
    private boolean redefined;
    private final @Nullable String begun;
    private boolean unverified;
    private @Nullable Replay<T> replay;

    /** @param reached the version up to which {@code known} is complete; null if it is not */
    Position(Namespaces namespaces, Known<T> known, @Nullable String reached) {
        this.namespaces = namespaces;
        this.known = known;
        this.cursor = new Cursor(reached);
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
        otherHistory = false;
        newestListed = null;
        listedAny = false;
        comparing = freshness == Phase.Freshness.MOST_RECENT && reached() != null;
        return comparing || redefined || replaced ? Known.none() : known;
    }

    /** The server's history is another one: the next complete listing begins a new epoch, whatever it shows. */
    void replaced() {
        replaced = true;
    }

    /** Until the next complete listing, the server may present an object in another form in the same version. */
    void redefined() {
        redefined = true;
    }

    /** The deletion that was received last; null before the first. */
    @Nullable Gone gone() {
        return gone;
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
        return newest;
    }

    /** Whether the last complete listing was empty, and nothing has come since. */
    boolean isEmpty() {
        return empty;
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
    }

    /** Whether the latest complete listing was the first to show that the server's history is another one. */
    boolean foundOtherHistory() {
        return found;
    }

    /** Handles an event of a watch that continues from {@link #reached}. */
    List<ReflectorEvent<T>> live(WatchEvent<T> event) {
        if (event instanceof WatchEvent.Opened) {
            return List.of(new ReflectorEvent.Watching<>(namespaces, cursor.toString()));
        }
        if (replay != null && replay.repeats(event)) {
            return List.of();
        }
        replay = null;
        if (event instanceof WatchEvent.Added<T> added) {
            return moves(added.key(), added.entry(), new ReflectorEvent.Upserted<>(namespaces, added.key(), added.entry()));
        }
        if (event instanceof WatchEvent.Modified<T> modified) {
            return moves(modified.key(), modified.entry(), new ReflectorEvent.Upserted<>(namespaces, modified.key(), modified.entry()));
        }
        if (event instanceof WatchEvent.Deleted<T> deleted) {
            return moves(deleted.key(), deleted.entry(), new ReflectorEvent.Deleted<>(namespaces, deleted.key(), deleted.entry()));
        }
        if (event instanceof WatchEvent.Unreadable<T> unreadable) {
            ObjectKey key = unreadable.key();
            if (key == null) {
                throw new DoubtException("an event of an unknown object came after " + cursor);
            }
            return moves(key, unreadable.resourceVersion(), unreadable(key, unreadable));
        }
        return bookmark((WatchEvent.Bookmark<T>) event);
    }

    /** Handles an event of a streaming list before its end, where objects come in no order of versions. */
    List<ReflectorEvent<T>> initial(WatchEvent<T> event) {
        listedAny |= !(event instanceof WatchEvent.Opened || event instanceof WatchEvent.Bookmark);
        if (event instanceof WatchEvent.Added<T> added) {
            sees(added.key(), added.entry());
            return List.of(new ReflectorEvent.Listed<>(namespaces, added.key(), heldIfSame(added.key(), added.entry())));
        }
        if (event instanceof WatchEvent.Modified<T> modified) {
            newestListed = newer(newestListed, Witness.of(modified.key(), modified.entry()));
            return List.of(new ReflectorEvent.Upserted<>(namespaces, modified.key(), modified.entry()));
        }
        if (event instanceof WatchEvent.Deleted<T> deleted) {
            newestListed = without(newestListed, deleted.key());
            return List.of(new ReflectorEvent.Deleted<>(namespaces, deleted.key(), deleted.entry()));
        }
        if (event instanceof WatchEvent.Unreadable<T> unreadable) {
            ObjectKey key = unreadable.key();
            if (key == null) {
                throw new DoubtException("a streaming list sent an event of an unknown object");
            }
            newestListed = unreadable.deleted() ? without(newestListed, key)
                    : newer(newestListed, new Witness<>(key, unreadable.uid(), unreadable.resourceVersion(), null));
            return List.of(unreadable(key, unreadable));
        }
        return List.of();
    }

    /** An item of a page; nothing for the end of the page. */
    List<ReflectorEvent<T>> listed(ListEvent<T> event) {
        listedAny |= !(event instanceof ListEvent.End);
        if (event instanceof ListEvent.Item<T> item) {
            sees(item.key(), item.entry());
            return List.of(new ReflectorEvent.Listed<>(namespaces, item.key(), heldIfSame(item.key(), item.entry())));
        }
        if (event instanceof ListEvent.Unreadable<T> item) {
            newestListed = newer(newestListed, new Witness<>(item.key(), item.uid(), item.resourceVersion(), null));
            return List.of(new ReflectorEvent.Unreadable<>(namespaces, item.key(), item.uid(),
                    item.resourceVersion(), false, item.failure()));
        }
        return List.of();
    }

    /**
     * A listing is complete up to {@code resourceVersion}. If a server's most recent state is older than what was received from it, the
     * server was restored or replaced.
     */
    ReflectorEvent<T> listingEnded(String resourceVersion, Phase.Freshness freshness) {
        if (!ResourceVersion.isSent(resourceVersion)) {
            throw new DoubtException("a list came without a resourceVersion");
        }
        boolean older = ResourceVersion.isNewer(reached(), resourceVersion);
        if (older && freshness != Phase.Freshness.MOST_RECENT) {
            throw new DoubtException("a list is of " + resourceVersion + ", older than the "
                    + cursor + " that it was not to be older than");
        }
        boolean newEpoch = older || otherHistory || replaced;
        found = newEpoch && !replaced;
        redefined = false;
        replaced = false;
        unverified = false;
        replay = null;
        gone = null;
        newest = newestListed;
        empty = !listedAny;
        cursor.listed(resourceVersion);
        return new ReflectorEvent.ListingEnded<>(namespaces, resourceVersion, newEpoch);
    }

    private void sees(ObjectKey key, Versioned<T> entry) {
        newestListed = newer(newestListed, Witness.of(key, entry));
        compare(key, entry);
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
    private void compare(ObjectKey key, Versioned<T> entry) {
        Versioned<T> held = comparing && !otherHistory ? known.find(key) : null;
        if (held != null && Objects.equals(held.uid(), entry.uid())) {
            boolean differs = held.sameVersion(entry) && !SameContent.of(held.object(), entry.object());
            boolean missed = ResourceVersion.isNewer(entry.resourceVersion(), held.resourceVersion())
                    && ResourceVersion.isAtMost(entry.resourceVersion(), reached());
            otherHistory |= differs || missed || ResourceVersion.isNewer(held.resourceVersion(), entry.resourceVersion());
        }
    }

    /** The cached entry if the server still presents it in the same form, so that the one that was decoded again is released at once. */
    private Versioned<T> heldIfSame(ObjectKey key, Versioned<T> entry) {
        Versioned<T> held = redefined ? known.find(key) : null;
        return held != null && held.sameVersion(entry) && SameContent.of(held.object(), entry.object()) ? held : entry;
    }

    ReflectorEvent<T> watching() {
        return new ReflectorEvent.Watching<>(namespaces, cursor.toString());
    }

    private List<ReflectorEvent<T>> moves(ObjectKey key, Versioned<T> entry, ReflectorEvent<T> event) {
        return moves(key, entry.resourceVersion(), event);
    }

    /**
     * Versions only grow on a watch, or something is wrong with it; a repeated event does no harm. A deletion in the cached version, as
     * servers without a history of deletions send it, is not a repetition. A late event is not applied, even if it is newer than the cached
     * state of its object: at or below what its part has reached, none is, since others may be later still. The list that follows includes
     * it.
     */
    private List<ReflectorEvent<T>> moves(ObjectKey key, @Nullable String version, ReflectorEvent<T> event) {
        String before = cursor.toString();
        if (!cursor.advances(key, version)) {
            Versioned<T> held = known.find(key);
            if (held != null && ResourceVersion.isAtMost(version, held.resourceVersion())
                    && !(isDeletion(event) && Objects.equals(version, held.resourceVersion()))) {
                return List.of();
            }
            throw cursor.late(key, version);
        }
        empty = false;
        if (isDeletion(event)) {
            gone = new Gone(key, Objects.requireNonNull(version), before, uidOf(event), newest != null && newest.key().equals(key)
                    ? newest.version() : null);
            newest = without(newest, key);
        } else {
            newest = event instanceof ReflectorEvent.Upserted<T> upserted ? Witness.of(key, upserted.entry())
                    : new Witness<>(key, uidOf(event), version, null);
        }
        return List.of(event);
    }

    private static @Nullable String uidOf(ReflectorEvent<?> event) {
        return event instanceof ReflectorEvent.Deleted<?> deleted ? deleted.entry().uid()
                : event instanceof ReflectorEvent.Unreadable<?> unreadable ? unreadable.uid() : null;
    }

    private static boolean isDeletion(ReflectorEvent<?> event) {
        return event instanceof ReflectorEvent.Deleted || event instanceof ReflectorEvent.Unreadable<?> unreadable && unreadable.deleted();
    }

    private List<ReflectorEvent<T>> bookmark(WatchEvent.Bookmark<T> bookmark) {
        String version = bookmark.resourceVersion();
        if (!ResourceVersion.isSent(version)) {
            return List.of();
        }
        cursor.bookmark(version);
        return List.of(new ReflectorEvent.Bookmark<>(namespaces, version));
    }

    private ReflectorEvent<T> unreadable(ObjectKey key, WatchEvent.Unreadable<T> event) {
        return new ReflectorEvent.Unreadable<>(
                namespaces, key, event.uid(), event.resourceVersion(), event.deleted(), event.failure());
    }
}
