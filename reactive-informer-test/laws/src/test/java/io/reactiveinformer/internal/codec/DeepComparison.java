package io.reactiveinformer.internal.codec;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Compares objects of model classes field by field: millions of them, which takes AssertJ's recursive comparison hours. */
final class DeepComparison {

    private static final ClassValue<Field[]> FIELDS = new ClassValue<>() {
        @Override
        protected Field[] computeValue(Class<?> type) {
            Field[] fields =
                    Stream.of(type.getDeclaredFields()).filter(field -> !Modifier.isStatic(field.getModifiers())).toArray(Field[]::new);
            Stream.of(fields).forEach(field -> field.setAccessible(true));
            return fields;
        }
    };

    private DeepComparison() {}

    /** Where two objects differ, such as {@code .spec.containers[0].image: a, b}; null if they do not. */
    static @Nullable String difference(@Nullable Object one, @Nullable Object other) {
        if (one == other) {
            return null;
        }
        if (one instanceof List<?> elements && other instanceof List<?> others) {
            return elements.size() == others.size() ? ofElements(elements, others) : ".size: " + elements.size() + ", " + others.size();
        }
        if (one instanceof Map<?, ?> entries && other instanceof Map<?, ?> others) {
            return List.copyOf(entries.keySet()).equals(List.copyOf(others.keySet())) // in this order
                    ? ofEntries(entries, others) : ".keys: " + entries.keySet() + ", " + others.keySet();
        }
        if (one == null || other == null || one.getClass() != other.getClass()) {
            return ": " + one + ", " + other;
        }
        if (one instanceof byte[] bytes) {
            return Arrays.equals(bytes, (byte[]) other) ? null : ": " + Arrays.toString(bytes) + ", " + Arrays.toString((byte[]) other);
        }
        return one.getClass().getName().startsWith("io.") && !one.getClass().isEnum() ? ofFields(one, other)
                : one.equals(other) ? null : ": " + one + ", " + other;
    }

    private static @Nullable String ofElements(List<?> one, List<?> other) {
        Iterator<?> others = other.iterator();
        int at = 0;
        for (Object element : one) {
            String difference = difference(element, others.next());
            if (difference != null) {
                return "[" + at + "]" + difference;
            }
            at++;
        }
        return null;
    }

    private static @Nullable String ofEntries(Map<?, ?> one, Map<?, ?> other) {
        for (Map.Entry<?, ?> entry : one.entrySet()) {
            String difference = difference(entry.getValue(), other.get(entry.getKey()));
            if (difference != null) {
                return "[" + entry.getKey() + "]" + difference;
            }
        }
        return null;
    }

    private static @Nullable String ofFields(Object one, Object other) {
        for (Field field : FIELDS.get(one.getClass())) {
            try {
                String difference = difference(field.get(one), field.get(other));
                if (difference != null) {
                    return "." + field.getName() + difference;
                }
            } catch (IllegalAccessException failure) {
                throw new IllegalStateException(failure);
            }
        }
        return null;
    }
}
