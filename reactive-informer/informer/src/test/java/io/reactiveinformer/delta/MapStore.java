package io.reactiveinformer.delta;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The plainest store that could be: a map, and how far each part has come. */
final class MapStore implements Known<String> {

    final Map<ObjectKey, Versioned<String>> objects = new TreeMap<>();
    final Map<Namespaces, String> reached = new HashMap<>();
    private final Map<Namespaces, String> received = new HashMap<>();

    @Override
    public Versioned<String> find(ObjectKey key) {
        return objects.get(key);
    }

    @Override
    public void forEachKey(Namespaces part, Consumer<ObjectKey> action) {
        List.copyOf(objects.keySet()).stream().filter(part::covers).forEach(action);
    }

    @Override
    public String reached(Namespaces part) {
        return reached.get(part);
    }

    @Override
    public String received(Namespaces part) {
        return received.get(part);
    }

    void apply(Delta<String> delta) {
        String version = delta.completeTo();
        if (delta instanceof Delta.Upserted<String> upserted) {
            objects.put(upserted.key(), upserted.entry());
            version = upserted.entry().resourceVersion();
        } else if (delta instanceof Delta.Deleted<String> deleted) {
            objects.remove(deleted.key());
            version = deleted.last().resourceVersion();
        } else if (delta instanceof Delta.Replaced<String> replaced) {
            replaced.differences().forEach(this::apply);
            if (replaced.newEpoch()) {
                replaced.differences().stream().filter(difference -> difference.kind() == Delta.Kind.UNREADABLE)
                        .forEach(left -> objects.computeIfPresent(left.key(), (key, kept) ->
                                new Versioned<>(kept.uid(), null, kept.object())));
            }
            received.remove(delta.part());
        }
        if (version != null) {
            received.merge(delta.part(), version, ResourceVersion::newest);
        }
        if (delta.completeTo() != null) {
            reached.put(delta.part(), delta.completeTo());
        }
    }
}
