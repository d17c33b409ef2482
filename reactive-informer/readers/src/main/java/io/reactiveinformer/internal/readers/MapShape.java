package io.reactiveinformer.internal.readers;

import io.reactiveinformer.internal.codec.AbsentCollections;
import io.reactiveinformer.internal.codec.ReadOnlyCollections;
import io.reactiveinformer.internal.codec.SmallMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An immutable map of strings to values, as {@link ReadOnlyCollections} makes them. */
final class MapShape extends TreeShape {

    private final Shape ofValues;

    MapShape(Shape ofValues) {
        this.ofValues = ofValues;
    }

    @Override
    public Object ofNull(ShapeReader in) {
        return AbsentCollections.MAP;
    }

    @Override
    char opening() {
        return '{';
    }

    @Override
    Object bind(ShapeReader in, @Nullable Object before) {
        if (!in.enter('}')) {
            return Map.of();
        }
        SmallMap<?, ?> held = before instanceof SmallMap<?, ?> small ? small : SmallMap.EMPTY;
        boolean same = true;
        int first = in.elementCount();
        do {
            int index = (in.elementCount() - first) / 2;
            boolean isHeld = index < held.size();
            Object keyBefore = isHeld ? held.key(index) : null;
            Object valueBefore = isHeld ? held.value(index) : null;
            Object key = in.key(keyBefore);
            in.add(key);
            Object value = ofValues.read(in, valueBefore);
            in.add(value);
            same &= key == keyBefore && value == valueBefore;
        } while (in.next('}'));
        return take(in, first, same ? held : null);
    }

    /** The map of the keys and values that were added since there were {@code first}; {@code held} if it has as many, the same ones. */
    static Map<?, ?> take(Elements in, int first, @Nullable SmallMap<?, ?> held) {
        if (held != null && in.elementCount() - first == 2 * held.size()) {
            in.drop(first);
            return held;
        }
        Object[] keysAndValues = in.take(first);
        return keysAndValues.length <= 2 * SmallMap.LARGEST && !hasKeyTwice(keysAndValues)
                ? new SmallMap<>(keysAndValues) : hashed(keysAndValues);
    }

    private static boolean hasKeyTwice(Object[] keysAndValues) {
        for (int i = 2; i < keysAndValues.length; i += 2) {
            for (int j = 0; j < i; j += 2) {
                if (keysAndValues[i].equals(keysAndValues[j])) {
                    return true;
                }
            }
        }
        return false;
    }

    private static Map<?, ?> hashed(Object[] keysAndValues) {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return map.size() <= SmallMap.LARGEST ? new SmallMap<>(map) : Collections.unmodifiableMap(map);
    }
}
