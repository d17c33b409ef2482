package io.reactiveinformer.delta;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Versioned;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The plainest store that could be: a map, and how far each scope has come. */
final class Held implements Known<String> {

    final Map<ObjectKey, Versioned<String>> objects = new TreeMap<>();
    final Map<Scope, String> reached = new HashMap<>();

    @Override
    public Versioned<String> find(ObjectKey key) {
        return objects.get(key);
    }

    @Override
    public void forEachKey(Scope scope, Consumer<ObjectKey> action) {
        List.copyOf(objects.keySet()).stream().filter(scope::covers).forEach(action);
    }

    @Override
    public String reached(Scope part) {
        return reached.get(part);
    }

    void apply(Delta<String> delta) {
        if (delta instanceof Delta.Upserted<String> upserted) {
            objects.put(upserted.key(), upserted.entry());
            reached.put(delta.scope(), upserted.entry().resourceVersion());
        } else if (delta instanceof Delta.Deleted<String> deleted) {
            objects.remove(deleted.key());
            if (deleted.cause() == DeletionCause.OBSERVED) {
                reached.put(delta.scope(), deleted.last().resourceVersion());
            }
        } else if (delta instanceof Delta.Unreadable<String> unreadable) {
            reached.put(delta.scope(), unreadable.resourceVersion());
        } else if (delta instanceof Delta.Progressed<String> progressed) {
            reached.put(delta.scope(), progressed.resourceVersion());
        } else if (delta instanceof Delta.Replaced<String> replaced) {
            replaced.differences().forEach(this::apply);
            reached.put(delta.scope(), replaced.resourceVersion());
        }
    }
}
