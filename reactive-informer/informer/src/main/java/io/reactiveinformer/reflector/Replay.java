package io.reactiveinformer.reflector;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a watch repeats if it starts at one of the newest cached objects, and not at the version up to which the cache is complete. A server
 * that was restored to a state between the two does not remember so far, and refuses. One that remembers repeats, in the history that the
 * cache comes from, only changes to states that are cached, and of objects that do not exist any more. Anything else is a change of another
 * history, of which a watch from the later version would say nothing. Not thread-safe.
 */
final class Replay<T> {

    private final Known<T> known;
    private final String from;
    private final String to;
    private final Set<ObjectKey> alive = new TreeSet<>();

    /**
     * @param from the version of a cached object
     * @param to the version up to which the cache is complete
     */
    Replay(Known<T> known, String from, String to) {
        this.known = known;
        this.from = from;
        this.to = to;
    }

    /** The version to watch from. A watch that is requested again starts over. */
    String from() {
        alive.clear();
        return from;
    }

    /**
     * Whether {@code event} is repeated, so that it is not applied; false at the end of the repetition.
     *
     * @throws Outcome.Thrown if this cannot be the history of the cache
     */
    boolean repeats(ObjectEvent<T> event) {
        String version = event.resourceVersion();
        boolean bookmark = event instanceof ObjectEvent.Bookmark;
        if (version == null || !ResourceVersion.isAtMost(version, to) || bookmark && version.equals(to)) {
            end();
            return false;
        }
        ObjectKey key = event.key();
        if (key != null && !ResourceVersion.isAtMost(version, from)) {
            changed(key, version, event.deleted());
        }
        return bookmark || key != null;
    }

    private void changed(ObjectKey key, String version, boolean deleted) {
        Versioned<T> cached = known.find(key);
        if (cached != null && !ResourceVersion.isAtMost(version, cached.resourceVersion())) {
            throw Outcome.OtherHistory.thrown(
                    key + " changed at " + version + ", and is cached in its state of " + cached.resourceVersion());
        }
        if (deleted) {
            alive.remove(key);
        } else if (cached == null) {
            alive.add(key);
        }
    }

    private void end() {
        if (!alive.isEmpty()) {
            throw Outcome.OtherHistory.thrown(alive.iterator().next() + " is not cached, and exists in the server's state at " + to);
        }
    }
}
