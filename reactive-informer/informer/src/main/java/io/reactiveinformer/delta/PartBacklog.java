package io.reactiveinformer.delta;

import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The events that a stage has received of one part and not delivered. A key that changes again keeps its place in the queue. A replacement
 * is delivered before all queued entries, since those that it does not include are newer; a bookmark as soon as nothing older is queued.
 * Not thread-safe.
 */
final class PartBacklog<T> {

    private final Namespaces part;

    /** The objects of the listing in progress, not visible yet; null while there is none. */
    private @Nullable Map<ObjectKey, ObjectEvent<T>> listing;

    /** The end of a complete listing, with its objects, of which each is applied or unreadable. */
    private ReflectorEvent.@Nullable ListingEnded<T> replacement;
    private Map<ObjectKey, ObjectEvent<T>> replacing = Map.of();

    private @Nullable ReflectorEvent<T> bookmark;
    private final LinkedHashMap<ObjectKey, Waiting<T>> line = new LinkedHashMap<>();

    /** The newest version received of the part: an event at or before it must not replace a queued one. */
    private @Nullable String received;

    PartBacklog(Namespaces part) {
        this.part = part;
    }

    /** The queued entries of one object: a readable state or its deletion, a note of a later unreadable state, or both. */
    private static final class Waiting<T> {

        /**
         * The newest version of the part before the first event that is conflated here: without this entry, the part is complete only up
         * to it.
         */
        final @Nullable String since;

        ReflectorEvent.@Nullable Received<T> state;
        ReflectorEvent.@Nullable Received<T> unreadable;

        Waiting(@Nullable String since) {
            this.since = since;
        }
    }

    /** Adds {@code event}. Returns the entry that it replaces; its own entry if it is old; else null. */
    @Nullable ReflectorEvent<T> file(ReflectorEvent<T> event) {
        if (event instanceof ReflectorEvent.ListingStarted<T>) {
            listing = new LinkedHashMap<>();
            return null;
        }
        if (event instanceof ReflectorEvent.ListingEnded<T> ended) {
            return fileListing(ended);
        }
        if (listing != null && event instanceof ReflectorEvent.Disrupted<T>) {
            listing = new LinkedHashMap<>(); // another one starts after the delay, and this one may have filled the heap
            return null;
        }
        if (listing != null) {
            if (event instanceof ReflectorEvent.Received<T> received) {
                correct(listing, received.event());
            }
            return null;
        }
        return fileLive(event);
    }

    /** Removes and returns the next entry. There must be one. */
    ReflectorEvent<T> poll() {
        if (replacement != null) {
            ReflectorEvent<T> next = replacement;
            replacement = null;
            return next;
        }
        if (bookmark != null && (line.isEmpty() || ResourceVersion.isAtMost(bookmark.resourceVersion(), completeTo()))) {
            ReflectorEvent<T> next = new ReflectorEvent.Watching<>(part, Objects.requireNonNull(completeTo())); // at or beyond it
            bookmark = null;
            return next;
        }
        Iterator<Waiting<T>> places = line.values().iterator();
        Waiting<T> first = places.next();
        ReflectorEvent<T> state = first.state;
        first.state = null;
        if (state != null && first.unreadable != null) {
            return state;
        }
        places.remove();
        return state == null ? Objects.requireNonNull(first.unreadable) : state;
    }

    /** Removes and returns the objects of the listing whose end was polled. */
    Map<ObjectKey, ObjectEvent<T>> takeListing() {
        Map<ObjectKey, ObjectEvent<T>> objects = replacing;
        replacing = Map.of();
        return objects;
    }

    /** The version up to which nothing is missing if the queued entries stay undelivered. */
    @Nullable String completeTo() {
        return line.isEmpty() ? received : line.values().iterator().next().since;
    }

    boolean isEmpty() {
        return replacement == null && bookmark == null && line.isEmpty();
    }

    int size() {
        int size = (replacement == null ? 0 : 1) + (bookmark == null ? 0 : 1);
        for (Waiting<T> waiting : line.values()) {
            size += (waiting.state == null ? 0 : 1) + (waiting.unreadable == null ? 0 : 1);
        }
        return size;
    }

    private static <T> void correct(Map<ObjectKey, ObjectEvent<T>> listing, ObjectEvent<T> event) {
        ObjectKey key = event.key();
        if (key == null) {
            return;
        }
        if (event.deleted()) {
            listing.remove(key);
        } else if (event instanceof ObjectEvent.Applied<T> applied && applied.modified()) {
            listing.put(key, event);
        } else {
            listing.merge(key, event, PartBacklog::newer); // some servers show an object on two pages
        }
    }

    private static <T> ObjectEvent<T> newer(ObjectEvent<T> before, ObjectEvent<T> next) {
        return ResourceVersion.isNewer(before.resourceVersion(), next.resourceVersion()) ? before : next;
    }

    private @Nullable ReflectorEvent<T> fileListing(ReflectorEvent.ListingEnded<T> ended) {
        if (listing == null) {
            throw new IllegalStateException("a listing of " + part + " ended that had not started");
        }
        ReflectorEvent.ListingEnded<T> before = replacement;
        boolean newEpoch = ended.newEpoch() || before != null && before.newEpoch();
        replacement = new ReflectorEvent.ListingEnded<>(part, ended.resourceVersion(), newEpoch);
        replacing = listing;
        listing = null;
        line.values().removeIf(waiting -> {
            waiting.state = isVoidAfter(ended, waiting.state) ? null : waiting.state;
            waiting.unreadable = isVoidAfter(ended, waiting.unreadable) ? null : waiting.unreadable;
            return waiting.state == null && waiting.unreadable == null;
        });
        if (ended.newEpoch() || !ResourceVersion.isAtMost(ended.resourceVersion(), received)) {
            received = ended.resourceVersion();
        }
        return before;
    }

    /** Whether the listing overrides {@code live}: the listing begins a new epoch, or {@code live} is not known to be newer. */
    private static boolean isVoidAfter(ReflectorEvent.ListingEnded<?> ended, @Nullable ReflectorEvent<?> live) {
        return live != null && (ended.newEpoch() || !ResourceVersion.isNewer(live.resourceVersion(), ended.resourceVersion()));
    }

    private @Nullable ReflectorEvent<T> fileLive(ReflectorEvent<T> event) {
        if (event instanceof ReflectorEvent.Watching) {
            return fileBookmark(event);
        }
        if (!(event instanceof ReflectorEvent.Received<T> received)) {
            return null; // Disrupted is about the status, not about objects
        }
        ObjectKey key = received.event().key();
        return key == null ? fileBookmark(event) : fileChange(key, received);
    }

    /**
     * Adds a readable state, or the deletion of the object, which also replaces a note of an unreadable state; or such a note.
     */
    private @Nullable ReflectorEvent<T> fileChange(ObjectKey key, ReflectorEvent.Received<T> change) {
        if (ResourceVersion.isAtMost(change.resourceVersion(), received)) {
            return change; // old
        }
        Waiting<T> waiting = place(key, change.resourceVersion());
        ReflectorEvent<T> replaced = waiting.unreadable;
        if (change.event() instanceof ObjectEvent.Unreadable<T> unreadable && !unreadable.deleted()) {
            waiting.unreadable = change;
            return replaced;
        }
        replaced = waiting.state == null ? replaced : waiting.state;
        waiting.state = change;
        waiting.unreadable = null;
        return replaced;
    }

    private @Nullable ReflectorEvent<T> fileBookmark(ReflectorEvent<T> next) {
        if (ResourceVersion.isNewer(received, next.resourceVersion())) {
            return next; // not one in the version of the last event: it is the first to say that nothing before is missing
        }
        received = next.resourceVersion();
        ReflectorEvent<T> replaced = bookmark;
        bookmark = next;
        return replaced;
    }

    /** The place of {@code key} in the queue: the present one, or a new one at the end. Also advances {@link #received}. */
    private Waiting<T> place(ObjectKey key, @Nullable String version) {
        String before = received;
        if (version != null) {
            received = version;
        }
        return line.computeIfAbsent(key, first -> new Waiting<>(before));
    }
}
