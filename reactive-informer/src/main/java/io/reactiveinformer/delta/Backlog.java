package io.reactiveinformer.delta;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceVersion;
import io.reactiveinformer.resource.Scope;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a stage has heard and not delivered: listings under way, out of sight, and what waits in line. Holds at most one state and one note
 * of an unreadable state a key, and one replacement and one bookmark a scope. Not thread-safe.
 */
final class Backlog<T> {

    private final Map<Scope, Map<ObjectKey, ReflectorEvent<T>>> listings = new HashMap<>();
    private final LinkedHashMap<Slot, News<T>> waiting = new LinkedHashMap<>();

    /** How far each scope has been told of here: what comes from before that must not take the place of what waits. */
    private final Map<Scope, String> reached = new HashMap<>();

    /** A place in line; what is filed into a taken one replaces what was there, at the end of the line. */
    private record Slot(Object of, Use use) {}

    private enum Use {
        STATE, UNREADABLE, BOOKMARK, REPLACEMENT
    }

    /** Takes note of {@code event}. Returns what it replaced in line, if anything; itself where it is old. */
    @Nullable News<T> file(ReflectorEvent<T> event) {
        if (event instanceof ReflectorEvent.ListingStarted<T> started) {
            listings.put(started.scope(), new LinkedHashMap<>());
            return null;
        }
        if (event instanceof ReflectorEvent.ListingEnded<T> ended) {
            return fileListing(ended);
        }
        Map<ObjectKey, ReflectorEvent<T>> listing = listings.get(event.scope());
        if (listing != null) {
            correct(listing, event);
            return null;
        }
        return fileLive(event);
    }

    /** The next in line, which is then no longer held; null if nothing waits. */
    @Nullable News<T> poll() {
        Iterator<News<T>> first = waiting.values().iterator();
        if (!first.hasNext()) {
            return null;
        }
        News<T> next = first.next();
        first.remove();
        return next;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    int size() {
        return waiting.size();
    }

    private void correct(Map<ObjectKey, ReflectorEvent<T>> listing, ReflectorEvent<T> event) {
        if (event instanceof ReflectorEvent.Listed<T> listed) {
            listing.put(listed.key(), new ReflectorEvent.Upserted<>(listed.scope(), listed.key(), listed.entry()));
        } else if (event instanceof ReflectorEvent.Upserted<T> upserted) {
            listing.put(upserted.key(), upserted);
        } else if (event instanceof ReflectorEvent.Deleted<T> deleted) {
            listing.remove(deleted.key());
        } else if (event instanceof ReflectorEvent.Unreadable<T> unreadable) {
            if (unreadable.deleted()) {
                listing.remove(unreadable.key());
            } else {
                listing.put(unreadable.key(), unreadable);
            }
        }
    }

    private @Nullable News<T> fileListing(ReflectorEvent.ListingEnded<T> ended) {
        Map<ObjectKey, ReflectorEvent<T>> listing = listings.remove(ended.scope());
        if (listing == null) {
            throw new IllegalStateException("a listing of " + ended.scope() + " ended that had not started");
        }
        waiting.values().removeIf(news -> isVoidAfter(ended, news));
        var slot = new Slot(ended.scope(), Use.REPLACEMENT);
        News<T> before = waiting.remove(slot);
        boolean newEpoch = ended.newEpoch() || before instanceof News.Replacement<T> replacement && replacement.newEpoch();
        waiting.put(slot, new News.Replacement<>(ended.scope(), listing, ended.resourceVersion(), newEpoch));
        if (ended.newEpoch() || !ResourceVersion.isAtMost(ended.resourceVersion(), reached.get(ended.scope()))) {
            reached.put(ended.scope(), ended.resourceVersion());
        }
        return before;
    }

    /** What the listing knows better. */
    private static <T> boolean isVoidAfter(ReflectorEvent.ListingEnded<T> ended, News<T> news) {
        return news instanceof News.Live<T> live
                && live.event().scope().equals(ended.scope())
                && (ended.newEpoch() || !ResourceVersion.isNewer(live.resourceVersion(), ended.resourceVersion()));
    }

    private @Nullable News<T> fileLive(ReflectorEvent<T> event) {
        if (event instanceof ReflectorEvent.Upserted<T> upserted) {
            return fileLive(new Slot(upserted.key(), Use.STATE), upserted, upserted.entry().resourceVersion());
        }
        if (event instanceof ReflectorEvent.Deleted<T> deleted) {
            return fileLive(new Slot(deleted.key(), Use.STATE), deleted, deleted.entry().resourceVersion());
        }
        if (event instanceof ReflectorEvent.Unreadable<T> unreadable) {
            return fileLive(new Slot(unreadable.key(), unreadable.deleted() ? Use.STATE : Use.UNREADABLE), unreadable, unreadable.resourceVersion());
        }
        if (event instanceof ReflectorEvent.Bookmark<T> bookmark) {
            return fileLive(new Slot(bookmark.scope(), Use.BOOKMARK), bookmark, bookmark.resourceVersion());
        }
        if (event instanceof ReflectorEvent.Watching<T> watching) {
            return fileLive(new Slot(watching.scope(), Use.BOOKMARK), watching, watching.resourceVersion());
        }
        return null; // Disrupted tells how things stand, not what there is
    }

    private @Nullable News<T> fileLive(Slot slot, ReflectorEvent<T> event, @Nullable String version) {
        var news = new News.Live<>(event, version);
        String before = reached.get(event.scope());
        if (slot.use == Use.BOOKMARK ? ResourceVersion.isNewer(before, version) : ResourceVersion.isAtMost(version, before)) {
            return news; // but a bookmark in the version of the last event is the first to say that nothing before is missing
        }
        if (version != null) {
            reached.put(event.scope(), version);
        }
        // A state that could be read, or the end of the object, makes up for one that could not be read.
        News<T> unread = slot.use == Use.STATE ? waiting.remove(new Slot(slot.of, Use.UNREADABLE)) : null;
        News<T> replaced = move(slot, news);
        if (slot.use != Use.BOOKMARK) {
            postponeBookmark(unread, news);
            postponeBookmark(replaced, news);
        }
        return replaced;
    }

    /** A bookmark says that all before it has been told. Where {@code later} takes the place of something of that, it is true after {@code later}. */
    private void postponeBookmark(@Nullable News<T> before, News.Live<T> later) {
        var slot = new Slot(later.event().scope(), Use.BOOKMARK);
        if (before instanceof News.Live<T> told
                && waiting.get(slot) instanceof News.Live<T> bookmark
                && !ResourceVersion.isNewer(told.resourceVersion(), bookmark.resourceVersion())) {
            move(slot, new News.Live<>(bookmark.event(), ResourceVersion.newest(bookmark.resourceVersion(), later.resourceVersion())));
        }
    }

    private @Nullable News<T> move(Slot slot, News<T> news) {
        News<T> before = waiting.remove(slot);
        waiting.put(slot, news);
        return before;
    }
}
