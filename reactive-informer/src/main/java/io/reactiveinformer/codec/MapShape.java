package io.reactiveinformer.codec;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** A map of strings to values that nobody can change, as {@link ReadOnlyCollections} has them. */
final class MapShape extends TreeShape {

    private final Shape ofValues;

    MapShape(Shape ofValues) {
        this.ofValues = ofValues;
    }

    @Override
    public Object ofNull(ShapeReader in) {
        return Map.of();
    }

    @Override
    char opening() {
        return '{';
    }

    @Override
    Object bind(ShapeReader in) {
        int count = in.elementCount();
        if (!in.enter('}')) {
            return Map.of();
        }
        do {
            in.name();
            in.add(in.sharedText());
            in.add(ofValues.read(in));
        } while (in.next('}'));
        Object[] keysAndValues = in.take(count);
        return keysAndValues.length <= 2 * SmallMap.LARGEST && !hasKeyTwice(keysAndValues) ? new SmallMap<>(keysAndValues) : hashed(keysAndValues);
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
