package io.reactiveinformer.codec;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.ValueDeserializer;

/** Lists and maps as {@link ReadOnlyCollections} has them. */
final class CollectionShapes {

    private CollectionShapes() {}

    static TreeShape list(ValueDeserializer<?> jackson, Shape ofElements) {
        return new ListShape(jackson, ofElements);
    }

    /** @param ofValues where the keys are strings */
    static TreeShape map(ValueDeserializer<?> jackson, Shape ofValues) {
        return new MapShape(jackson, ofValues);
    }

    private static final class ListShape extends TreeShape {

        private final Shape ofElements;

        ListShape(ValueDeserializer<?> jackson, Shape ofElements) {
            super(jackson);
            this.ofElements = ofElements;
        }

        @Override
        char opening() {
            return '[';
        }

        @Override
        Object bind(ShapeReader in) {
            int count = in.elementCount();
            if (in.enter(']')) {
                do {
                    in.add(ofElements.read(in));
                } while (in.next(']'));
            }
            return List.of(in.take(count));
        }
    }

    private static final class MapShape extends TreeShape {

        private final Shape ofValues;

        MapShape(ValueDeserializer<?> jackson, Shape ofValues) {
            super(jackson);
            this.ofValues = ofValues;
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
                in.add(in.sharedName());
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
}
