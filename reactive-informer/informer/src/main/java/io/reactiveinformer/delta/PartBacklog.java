package io.reactiveinformer.delta;

import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.resource.Namespaces;
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
    private @Nullable Map<ObjectKey, ReflectorEvent<T>> listing;

    private News.@Nullable Replacement<T> replacement;
    private News.@Nullable Live<T> bookmark;
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

        News.@Nullable Live<T> state;
        News.@Nullable Live<T> unreadable;

        Waiting(@Nullable String since) {
            this.since = since;
        }
    }

    /** Adds {@code event}. Returns the entry that it replaces; its own entry if it is old; else null. */
    @Nullable News<T> file(ReflectorEvent<T> event) {
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
            correct(listing, event);
            return null;
        }
        return fileLive(event);
    }

    /** Removes and returns the next entry. There must be one. */
    News<T> poll() {
        if (replacement != null) {
            News<T> next = replacement;
            replacement = null;
            return next;
        }
        if (bookmark != null && (line.isEmpty() || ResourceVersion.isAtMost(bookmark.resourceVersion(), completeTo()))) {
            News<T> next = new News.Live<>(bookmark.event(), completeTo()); // at or beyond it
            bookmark = null;
            return next;
        }
        Iterator<Waiting<T>> places = line.values().iterator();
        Waiting<T> first = places.next();
        News<T> state = first.state;
        first.state = null;
        if (state != null && first.unreadable != null) {
            return state;
        }
        places.remove();
        return state == null ? Objects.requireNonNull(first.unreadable) : state;
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

    private void correct(Map<ObjectKey, ReflectorEvent<T>> listing, ReflectorEvent<T> event) {
        if (event instanceof ReflectorEvent.Listed<T> listed) {
            var upserted = new ReflectorEvent.Upserted<>(listed.part(), listed.key(), listed.entry());
            listing.merge(listed.key(), upserted, PartBacklog::newer); // some servers show an object on two pages
        } else if (event instanceof ReflectorEvent.Upserted<T> upserted) {
            listing.put(upserted.key(), upserted);
        } else if (event instanceof ReflectorEvent.Deleted<T> deleted) {
            listing.remove(deleted.key());
        } else if (event instanceof ReflectorEvent.Unreadable<T> unreadable) {
            if (unreadable.deleted()) {
                listing.remove(unreadable.key());
            } else {
                listing.merge(unreadable.key(), unreadable, PartBacklog::newer);
            }
        }
    }

    private static <T> ReflectorEvent<T> newer(ReflectorEvent<T> before, ReflectorEvent<T> next) {
        return ResourceVersion.isNewer(versionOf(before), versionOf(next)) ? before : next;
    }

    private static @Nullable String versionOf(ReflectorEvent<?> event) {
        return event instanceof ReflectorEvent.Upserted<?> upserted ? upserted.entry().resourceVersion()
                : event instanceof ReflectorEvent.Unreadable<?> unreadable ? unreadable.resourceVersion() : null;
    }

    private @Nullable News<T> fileListing(ReflectorEvent.ListingEnded<T> ended) {
        if (listing == null) {
            throw new IllegalStateException("a listing of " + part + " ended that had not started");
        }
        News.Replacement<T> before = replacement;
        boolean newEpoch = ended.newEpoch() || before != null && before.newEpoch();
        replacement = new News.Replacement<>(part, listing, ended.resourceVersion(), newEpoch);
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
    private static boolean isVoidAfter(ReflectorEvent.ListingEnded<?> ended, News.@Nullable Live<?> live) {
        return live != null && (ended.newEpoch() || !ResourceVersion.isNewer(live.resourceVersion(), ended.resourceVersion()));
    }

    private @Nullable News<T> fileLive(ReflectorEvent<T> event) {
        if (event instanceof ReflectorEvent.Upserted<T> upserted) {
            return fileState(upserted.key(), new News.Live<>(upserted, upserted.entry().resourceVersion()));
        }
        if (event instanceof ReflectorEvent.Deleted<T> deleted) {
            return fileState(deleted.key(), new News.Live<>(deleted, deleted.entry().resourceVersion()));
        }
        if (event instanceof ReflectorEvent.Unreadable<T> unreadable) {
            var news = new News.Live<>(event, unreadable.resourceVersion());
            return unreadable.deleted() ? fileState(unreadable.key(), news) : fileUnreadable(unreadable.key(), news);
        }
        if (event instanceof ReflectorEvent.Bookmark<T> bookmark) {
            return fileBookmark(new News.Live<>(bookmark, bookmark.resourceVersion()));
        }
        if (event instanceof ReflectorEvent.Watching<T> watching) {
            return fileBookmark(new News.Live<>(watching, watching.resourceVersion()));
        }
        return null; // Disrupted is about the status, not about objects
    }

    /** Adds a readable state, or the deletion of the object; it also replaces a note of an unreadable state. */
    private @Nullable News<T> fileState(ObjectKey key, News.Live<T> news) {
        if (isOld(news)) {
            return news;
        }
        Waiting<T> waiting = place(key, news);
        News<T> replaced = waiting.state == null ? waiting.unreadable : waiting.state;
        waiting.state = news;
        waiting.unreadable = null;
        return replaced;
    }

    private @Nullable News<T> fileUnreadable(ObjectKey key, News.Live<T> news) {
        if (isOld(news)) {
            return news;
        }
        Waiting<T> waiting = place(key, news);
        News<T> replaced = waiting.unreadable;
        waiting.unreadable = news;
        return replaced;
    }

    private @Nullable News<T> fileBookmark(News.Live<T> news) {
        if (ResourceVersion.isNewer(received, news.resourceVersion())) {
            return news; // not one in the version of the last event: it is the first to say that nothing before is missing
        }
        received = news.resourceVersion();
        News<T> replaced = bookmark;
        bookmark = news;
        return replaced;
    }

    private boolean isOld(News.Live<T> news) {
        return ResourceVersion.isAtMost(news.resourceVersion(), received);
    }

    /** The place of {@code key} in the queue: the present one, or a new one at the end. Also advances {@link #received}. */
    private Waiting<T> place(ObjectKey key, News.Live<T> news) {
        String before = received;
        if (news.resourceVersion() != null) {
            received = news.resourceVersion();
        }
        return line.computeIfAbsent(key, first -> new Waiting<>(before));
    }
}
