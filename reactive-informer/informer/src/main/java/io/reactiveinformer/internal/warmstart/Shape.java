package io.reactiveinformer.internal.warmstart;

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
 * The structure of a class and of the classes of its fields, as a text. It changes when a field is added or removed, or gets another type
 * or other annotations: a program with more fields must not use objects that a program with fewer fields has saved.
 */
final class Shape {

    private final Map<String, String> fields = new TreeMap<>();
    private final Deque<Class<?>> open = new ArrayDeque<>();

    private Shape() {}

    /** Computes the text. May load hundreds of classes. */
    static String of(Class<?> type) {
        try {
            var shape = new Shape();
            shape.add(type);
            while (!shape.open.isEmpty()) {
                shape.describe(shape.open.remove());
            }
            return shape.fields.toString();
        } catch (LinkageError missing) {
            throw new IllegalStateException("the fields of " + type.getName() + " cannot be read: " + missing, missing);
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

    /** The enum constants: a new constant makes values readable that were not before. */
    private static Stream<String> constants(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields()).filter(Field::isEnumConstant).map(one -> one.getName() + annotations(one) + ";");
    }

    /** The record components: an annotation whose only target is a component appears nowhere else. */
    private static Stream<String> components(Class<?> type) {
        return type.isRecord() ? Arrays.stream(type.getRecordComponents()).map(one -> one.getName() + annotations(one) + ";") : Stream.of();
    }

    /** The getters, setters and creators that have annotations. */
    private static Stream<String> members(Class<?> type) {
        return Stream.<Executable>concat(Arrays.stream(type.getDeclaredMethods()), Arrays.stream(type.getDeclaredConstructors()))
                .map(one -> one.getName() + Arrays.toString(one.getParameterTypes()) + annotations(one)
                        + Arrays.deepToString(one.getParameterAnnotations()) + ";")
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

    /** Whether {@code type} is described by its name only, without its fields. */
    private static boolean isOfThePlatform(Class<?> type) {
        return type.getName().startsWith("java.") || type.getName().startsWith("tools.jackson.");
    }
}
