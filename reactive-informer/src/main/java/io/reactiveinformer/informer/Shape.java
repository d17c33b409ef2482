package io.reactiveinformer.informer;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a class and those that it is made of can hold, as a text: another one when a field is added, gone, of another type, or annotated otherwise.
 * What was saved by a program with fewer fields must not pass for complete in one with more.
 */
final class Shape {

    private final Map<String, String> fields = new TreeMap<>();
    private final Deque<Class<?>> open = new ArrayDeque<>();

    private Shape() {}

    /** May load hundreds of classes. */
    static String of(Class<?> type) {
        var shape = new Shape();
        shape.add(type);
        while (!shape.open.isEmpty()) {
            shape.describe(shape.open.remove());
        }
        return shape.fields.toString();
    }

    private void describe(Class<?> type) {
        var text = new StringBuilder();
        Class<?> parent = type.getSuperclass();
        if (parent != null) {
            add(parent);
            text.append("extends ").append(parent.getName()).append(' ');
        }
        Arrays.stream(type.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .map(this::describe)
                .sorted()
                .forEach(text::append);
        fields.put(type.getName(), text.toString());
    }

    private String describe(Field field) {
        add(field.getGenericType());
        return field.getName() + ":" + field.getGenericType().getTypeName() + Arrays.toString(field.getAnnotations()) + ";";
    }

    private void add(Type type) {
        if (type instanceof ParameterizedType generic) {
            add(generic.getRawType());
            Arrays.stream(generic.getActualTypeArguments()).forEach(this::add);
        } else if (type instanceof WildcardType wildcard) {
            Arrays.stream(wildcard.getUpperBounds()).forEach(this::add);
        } else if (type instanceof Class<?> known) {
            Class<?> element = known.isArray() ? known.getComponentType() : known;
            if (!element.isPrimitive() && !isOfThePlatform(element) && fields.putIfAbsent(element.getName(), "") == null) {
                open.add(element);
            }
        }
    }

    /** Those are described by their name: what they hold is their own business. */
    private static boolean isOfThePlatform(Class<?> type) {
        return type.getName().startsWith("java.") || type.getName().startsWith("tools.jackson.");
    }
}
