package io.reactiveinformer.informer;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Executable;
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
import java.util.function.Function;
import java.util.stream.Stream;

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
        try {
            var shape = new Shape();
            shape.add(type);
            while (!shape.open.isEmpty()) {
                shape.describe(shape.open.remove());
            }
            return shape.fields.toString();
        } catch (LinkageError missing) {
            throw new IllegalStateException("cannot tell what " + type.getName() + " holds: " + missing, missing);
        }
    }

    private void describe(Class<?> type) {
        var text = new StringBuilder(annotations(type));
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
        Stream.of(constants(type), components(type), members(type)).flatMap(Function.identity()).sorted().forEach(text::append);
        fields.put(type.getName(), text.toString());
    }

    private String describe(Field field) {
        add(field.getGenericType());
        return field.getName() + ":" + field.getGenericType().getTypeName() + annotations(field) + ";";
    }

    /** A value that could not be mapped before can be when there is a constant for it. */
    private static Stream<String> constants(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields()).filter(Field::isEnumConstant).map(one -> one.getName() + annotations(one) + ";");
    }

    /** Their annotations are on the component alone where they are for nothing else. */
    private static Stream<String> components(Class<?> type) {
        return type.isRecord() ? Arrays.stream(type.getRecordComponents()).map(one -> one.getName() + annotations(one) + ";") : Stream.of();
    }

    /** Getters, setters and creators, where an annotation says how they are used. */
    private static Stream<String> members(Class<?> type) {
        return Stream.<Executable>concat(Arrays.stream(type.getDeclaredMethods()), Arrays.stream(type.getDeclaredConstructors()))
                .map(one -> one.getName() + Arrays.toString(one.getParameterTypes()) + annotations(one) + Arrays.deepToString(one.getParameterAnnotations()) + ";")
                .filter(text -> text.contains("@"));
    }

    private static String annotations(AnnotatedElement element) {
        return Arrays.toString(element.getDeclaredAnnotations());
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
