package io.reactiveinformer.internal.informer;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares the content of two objects, also if they have arrays or inherit {@code equals} from {@code Object}. Null and an empty collection
 * or map are the same, as they are to readers of cached objects.
 */
public final class SameContent {

    /** No data is nested so deeply, except data that refers to itself. */
    private static final int DEEPEST = 500;

    /** The pairs that have been compared, or are being compared further up: data that refers to itself is visited more than once. */
    private final IdentityHashMap<Object, Set<Object>> seen = new IdentityHashMap<>();

    private SameContent() {}

    /**
     * Whether no difference can be found. If {@code equals} of a part throws, its fields decide. Parts that cannot be inspected and have no
     * {@code equals} of their own count as equal; so does what is nested more than 500 levels deep. Both may be null.
     */
    public static boolean of(@Nullable Object one, @Nullable Object other) {
        return new SameContent().same(one, other, 0);
    }

    private boolean same(@Nullable Object one, @Nullable Object other, int depth) {
        if (one == other || depth > DEEPEST) {
            return true;
        }
        if (one == null || other == null) {
            return isEmpty(one) && isEmpty(other);
        }
        if (one instanceof Map<?, ?> map && other instanceof Map<?, ?> another) {
            return map.size() == another.size() && sameValues(map, another, depth);
        }
        if (one instanceof List<?> list && other instanceof List<?> another) {
            return sameInOrder(list, another, depth);
        }
        if (one instanceof Collection<?> collection && other instanceof Collection<?> another) {
            return equal(collection, another) || sameInOrder(collection, another, depth);
        }
        if (one.getClass().isArray() && other.getClass().isArray()) {
            return sameInOrder(elements(one), elements(other), depth);
        }
        return equal(one, other) || one.getClass() == other.getClass()
                && (!isFirst(one, other) || sameFields(one, other, depth));
    }

    private boolean isFirst(Object one, Object other) {
        return seen.computeIfAbsent(one, first -> Collections.newSetFromMap(new IdentityHashMap<>(1))).add(other);
    }

    private static boolean isEmpty(@Nullable Object value) {
        return value == null || value instanceof Collection<?> collection && collection.isEmpty()
                || value instanceof Map<?, ?> map && map.isEmpty();
    }

    // Loops, not streams: streams use the stack of a reading thread eight times as fast.

    private boolean sameValues(Map<?, ?> ones, Map<?, ?> others, int depth) {
        for (Map.Entry<?, ?> one : ones.entrySet()) {
            if (!others.containsKey(one.getKey()) || !same(one.getValue(), others.get(one.getKey()), depth + 1)) {
                return false;
            }
        }
        return true;
    }

    private boolean sameInOrder(Collection<?> ones, Collection<?> others, int depth) {
        if (ones.size() != others.size()) {
            return false;
        }
        Iterator<?> another = others.iterator();
        for (Object one : ones) {
            if (!same(one, another.next(), depth + 1)) {
                return false;
            }
        }
        return true;
    }

    private static List<?> elements(Object array) {
        Object[] elements = new Object[Array.getLength(array)];
        Arrays.setAll(elements, index -> Array.get(array, index));
        return Arrays.asList(elements);
    }

    /** False if {@code equals} throws: the fields then decide. */
    private static boolean equal(Object one, Object other) {
        try {
            return one.equals(other);
        } catch (Throwable failure) { // of an equals of the user
            return false;
        }
    }

    private boolean sameFields(Object one, Object other, int depth) {
        if (isOfThePlatform(one.getClass())) {
            return !hasEquals(one.getClass());
        }
        for (Class<?> type = one.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
            Field[] fields = Arrays.stream(type.getDeclaredFields())
                    .filter(field -> !Modifier.isTransient(field.getModifiers()))
                    .toArray(Field[]::new);
            try {
                AccessibleObject.setAccessible(fields, true);
                for (Field field : fields) {
                    if (!same(field.get(one), field.get(other), depth + 1)) {
                        return false;
                    }
                }
            } catch (InaccessibleObjectException | IllegalAccessException closed) {
                return !hasEquals(one.getClass());
            }
        }
        return true;
    }

    private static boolean hasEquals(Class<?> type) {
        try {
            return type.getMethod("equals", Object.class).getDeclaringClass() != Object.class;
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(impossible); // each class has it
        }
    }

    /** Classes of the platform and of Jackson define equality themselves. */
    private static boolean isOfThePlatform(Class<?> type) {
        return type.getName().startsWith("java.") || type.getName().startsWith("tools.jackson.");
    }
}
