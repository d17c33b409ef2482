package io.reactiveinformer.view;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a server went through since it was set up, or since it was restored from a backup: the states of its objects at any version. */
final class ServerHistory {

    /** @param state as it is from then on, or as it was when it ended */
    record Event(int version, ObjectKey key, Versioned<String> state, boolean deleted) {}

    private final int number;
    private final Map<ObjectKey, Versioned<String>> first;
    private final List<Event> events = new ArrayList<>();
    private final Map<ObjectKey, Versioned<String>> objects;
    private int version;

    private ServerHistory(int number, int version, Map<ObjectKey, Versioned<String>> first) {
        this.number = number;
        this.version = version;
        this.first = first;
        this.objects = new TreeMap<>(first);
    }

    static ServerHistory begin() {
        return new ServerHistory(1, 10, Map.of());
    }

    /** Goes on from an earlier version, and what happens then has versions that were there before. */
    ServerHistory restored(int back) {
        int then = Math.max(events.isEmpty() ? version : events.get(0).version - 1, version - back);
        return new ServerHistory(number + 1, then, at(then));
    }

    int version() {
        return version;
    }

    void put(ObjectKey key, boolean another) {
        version++;
        Versioned<String> stored = objects.get(key);
        String uid = stored == null || another ? "u" + number + "." + version : stored.uid();
        var state = new Versioned<>(uid, "" + version, key.name() + "@" + version + " of " + number);
        objects.put(key, state);
        events.add(new Event(version, key, state, false));
    }

    void delete(ObjectKey key) {
        Versioned<String> stored = objects.remove(key);
        if (stored != null) {
            version++;
            events.add(new Event(version, key, new Versioned<>(stored.uid(), "" + version, stored.object()), true));
        }
    }

    /** All objects at {@code wanted}. */
    Map<ObjectKey, Versioned<String>> at(int wanted) {
        Map<ObjectKey, Versioned<String>> states = new TreeMap<>(first);
        for (Event event : events) {
            if (event.version <= wanted && event.deleted) {
                states.remove(event.key);
            } else if (event.version <= wanted) {
                states.put(event.key, event.state);
            }
        }
        return states;
    }

    /** The next that happened in {@code namespace} after {@code received}; null if nothing did. */
    @Nullable Event after(int received, String namespace) {
        return events.stream().filter(event -> event.version > received && namespace.equals(event.key.namespace())).findFirst()
                .orElse(null);
    }

    /** What happened in {@code namespace} up to {@code received}. */
    List<Event> upTo(int received, String namespace) {
        return events.stream().filter(event -> event.version <= received && namespace.equals(event.key.namespace())).toList();
    }
}
