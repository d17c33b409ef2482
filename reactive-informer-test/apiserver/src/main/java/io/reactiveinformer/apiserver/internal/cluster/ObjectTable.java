package io.reactiveinformer.apiserver.internal.cluster;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The objects of one type, their recent events, and the readers that wait for more. Guarded by the cluster's lock. */
final class ObjectTable {

    private final TreeMap<String, StoredObject> objects = new TreeMap<>();
    private final EventLog log;
    private final Set<Runnable> waiting = new LinkedHashSet<>();
    private ResourceDefinition type;
    private int readersEnded;

    ObjectTable(ResourceDefinition type, int history) {
        this.type = type;
        this.log = new EventLog(history);
    }

    ResourceDefinition type() {
        return type;
    }

    void redefine(ResourceDefinition changed) {
        type = changed;
    }

    /** Adapts the present objects to the changed type. */
    void redefineObjects() {
        objects.replaceAll((key, object) -> ObjectForm.redefined(type, object));
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
        log.append(new ObjectEvent(before == null ? ObjectEvent.Type.ADDED : ObjectEvent.Type.MODIFIED, before, object));
    }

    /** @param last the last state, at the version of the deletion */
    void remove(StoredObject last) {
        StoredObject before = objects.remove(last.key());
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
        List<StoredObject> selected = new ArrayList<>();
        if (type.namespaced() && selection.namespace() != null) {
            String first = selection.namespace() + "/";
            part = part.subMap(start == null || start.compareTo(first) < 0 ? first : start, true, selection.namespace() + "0", false);
        }
        for (StoredObject object : part.values()) {
            if (selection.matches(object)) {
                selected.add(object);
            }
        }
        return selected;
    }

    void await(Runnable wake) {
        waiting.add(wake);
    }

    /** Ends all present readers, after the events that are in the log. */
    void endReaders() {
        readersEnded++;
    }

    int readersEnded() {
        return readersEnded;
    }

    void leave(Runnable wake) {
        waiting.remove(wake);
    }

    List<Runnable> waiting() {
        return List.copyOf(waiting);
    }
}
