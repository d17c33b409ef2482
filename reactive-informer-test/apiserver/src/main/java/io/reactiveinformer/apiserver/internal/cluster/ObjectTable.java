package io.reactiveinformer.apiserver.internal.cluster;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The objects of one type, their recent events, and the readers that wait for more. Guarded by the cluster's lock. */
final class ObjectTable {

    private final TreeMap<String, StoredObject> objects = new TreeMap<>();
    private final EventLog log;
    private final Map<Runnable, Selection> waiting = new LinkedHashMap<>();
    private final Set<@Nullable String> changed = new HashSet<>(); // namespaces, since readers were woken
    private final int mostMissed;
    private ResourceDefinition type;
    private int readersEnded;
    private int missed; // events since all readers were woken

    ObjectTable(ResourceDefinition type, int history) {
        this.type = type;
        this.log = new EventLog(history);
        this.mostMissed = history / 2;
    }

    ResourceDefinition type() {
        return type;
    }

    /** Changes the type, and adapts the present objects to it. */
    void redefine(ResourceDefinition changed) {
        type = changed;
        objects.replaceAll((key, object) -> ObjectForm.stored(type, object.storedTree()));
    }

    EventLog log() {
        return log;
    }

    @Nullable StoredObject get(@Nullable String namespace, String name) {
        return objects.get(type.key(namespace, name));
    }

    int size() {
        return objects.size();
    }

    void put(StoredObject object) {
        StoredObject before = objects.put(object.key(), object);
        changed.add(object.namespace());
        missed++;
        log.append(new ObjectEvent(before == null ? ObjectEvent.Type.ADDED : ObjectEvent.Type.MODIFIED, before, object));
    }

    /** @param last the last state, at the version of the deletion */
    void remove(StoredObject last) {
        StoredObject before = objects.remove(last.key());
        changed.add(last.namespace());
        missed++;
        log.append(new ObjectEvent(ObjectEvent.Type.DELETED, before, last));
    }

    /** Replaces all objects without events, as when the store is replaced. */
    void replace(Iterable<StoredObject> others, long version) {
        objects.clear();
        others.forEach(object -> objects.put(object.key(), object));
        log.clear(version);
    }

    List<StoredObject> all() {
        return new ArrayList<>(objects.values());
    }

    /** The selected objects after the key {@code start}, in key order; all of them if it is null. */
    List<StoredObject> select(Selection selection, @Nullable String start) {
        return selected(objects, selection, start);
    }

    /** The selected objects at {@code version}, which the log must still cover: the present state with the later events undone. */
    List<StoredObject> selectAt(long version, Selection selection, @Nullable String start) {
        long from = log.after(version);
        if (from == log.end()) {
            return select(selection, start);
        }
        var then = new TreeMap<>(objects);
        for (long position = log.end() - 1; position >= from; position--) {
            ObjectEvent event = log.event(position);
            if (event.before() == null) {
                then.remove(event.after().key());
            } else {
                then.put(event.before().key(), event.before());
            }
        }
        return selected(then, selection, start);
    }

    private List<StoredObject> selected(NavigableMap<String, StoredObject> objects, Selection selection, @Nullable String start) {
        var part = start == null ? objects : objects.tailMap(start, true);
        if (type.namespaced() && selection.namespace() != null) {
            String first = selection.namespace() + "/";
            part = part.subMap(start == null || start.compareTo(first) < 0 ? first : start, true, selection.namespace() + "0", false);
        }
        return part.values().stream().filter(selection::matches).toList();
    }

    void await(Runnable wake, Selection selection) {
        waiting.put(wake, selection);
    }

    /** Ends all present readers, after the events that are in the log. */
    void endReaders() {
        readersEnded++;
        missed = mostMissed;
    }

    int readersEnded() {
        return readersEnded;
    }

    void leave(Runnable wake) {
        waiting.remove(wake);
    }

    /** The readers of what has changed since the last call; now and then all, so that none loses its place in the log. */
    List<Runnable> waiting() {
        boolean all = missed >= mostMissed;
        missed = all ? 0 : missed;
        List<Runnable> wakes = waiting.entrySet().stream().filter(each -> all || each.getValue().namespace() == null
                || changed.contains(each.getValue().namespace())).map(Map.Entry::getKey).toList();
        changed.clear();
        return wakes;
    }
}
