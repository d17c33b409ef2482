package io.reactiveinformer.codec;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.ResourceType;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class ShapesTest {

    /** Each of these leads to every method of its class. */
    private static final String FOUND_OUT = "tools.jackson.databind.deser.bean.BeanDeserializer";

    /** Which costs memory as long as it is held, and a second in which it is found out. */
    @Test
    void jacksonIsNotAskedAboutModelClasses() throws IllegalAccessException {
        var readers = new Readers(new SharedStrings());
        readers.shared(ResourceType.of(V1Pod.class));
        readers.shared(ResourceType.metadata("", "v1", "pods"));
        assertThat(PlainClasses.has(PartialObjectMetadata.class)).isTrue();
        assertThat(classesWithin(readers)).contains(PropertyTable.Property.class.getName(), ObjectShape.OfComponents.class.getName()).doesNotContain(FOUND_OUT);
    }

    /** Those of this library and of Jackson that can be reached, but not by a reference that lets go. */
    private static Set<String> classesWithin(Object root) throws IllegalAccessException {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<String> classes = new TreeSet<>();
        Deque<Object> left = new ArrayDeque<>();
        left.add(root);
        while (!left.isEmpty()) {
            Object next = left.remove();
            if (seen.add(next)) {
                classes.add(next.getClass().getName());
                follow(next, left);
            }
        }
        return classes;
    }

    private static void follow(Object from, Deque<Object> found) throws IllegalAccessException {
        if (from instanceof Map<?, ?> map) {
            map.keySet().forEach(key -> add(key, found));
            map.values().forEach(value -> add(value, found));
        } else if (from instanceof Collection<?> all) {
            all.forEach(one -> add(one, found));
        } else if (from instanceof Object[] array) {
            for (int i = 0; i < array.length; i++) {
                add(Array.get(array, i), found);
            }
        } else {
            for (Class<?> type = from.getClass(); type != null && isOurs(type); type = type.getSuperclass()) {
                for (Field field : type.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                        field.setAccessible(true);
                        add(field.get(from), found);
                    }
                }
            }
        }
    }

    private static boolean isOurs(Class<?> type) {
        return type.getName().startsWith("io.reactiveinformer.") || type.getName().startsWith("tools.jackson.");
    }

    private static void add(@Nullable Object one, Deque<Object> found) {
        if (one != null) {
            found.add(one);
        }
    }
}
