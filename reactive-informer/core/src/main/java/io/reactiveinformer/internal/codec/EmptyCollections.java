package io.reactiveinformer.internal.codec;

import java.lang.invoke.VarHandle;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Shares the empty collections that the bytes do not mention: a new object of a model class has an empty one of its own for each, which is
 * a third of a pod's memory.
 */
final class EmptyCollections {

    private final VarHandle[] lists;
    private final VarHandle[] maps;

    /** @param fields of a class; those that are lists or maps are filled */
    EmptyCollections(Collection<VarHandle> fields) {
        lists = fields.stream().filter(field -> field.varType() == List.class).toArray(VarHandle[]::new);
        maps = fields.stream().filter(field -> field.varType() == Map.class).toArray(VarHandle[]::new);
    }

    void fill(Object made) {
        for (VarHandle list : lists) {
            list.set(made, List.of());
        }
        for (VarHandle map : maps) {
            map.set(made, Map.of());
        }
    }
}
