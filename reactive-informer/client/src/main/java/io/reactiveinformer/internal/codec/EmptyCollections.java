package io.reactiveinformer.internal.codec;

import java.lang.invoke.VarHandle;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Shares the empty collections that the bytes do not mention: a new object of a model class has an empty one of its own for each, which is
 * a third of a pod's memory.
 */
public final class EmptyCollections {

    private final List<?> absentList;
    private final Map<?, ?> absentMap;
    private final VarHandle[] lists;
    private final VarHandle[] maps;

    /** @param fields of {@code type}; those that are lists or maps are filled */
    public EmptyCollections(Class<?> type, Collection<VarHandle> fields) {
        boolean model = PlainClasses.isOfTheModels(type); // of which empty collections are not written anyway
        absentList = model ? List.of() : AbsentCollections.LIST;
        absentMap = model ? Map.of() : AbsentCollections.MAP;
        lists = fields.stream().filter(field -> field.varType() == List.class).toArray(VarHandle[]::new);
        maps = fields.stream().filter(field -> field.varType() == Map.class).toArray(VarHandle[]::new);
    }

    public void fill(Object made) {
        for (VarHandle list : lists) {
            list.set(made, absentList);
        }
        for (VarHandle map : maps) {
            map.set(made, absentMap);
        }
    }
}
