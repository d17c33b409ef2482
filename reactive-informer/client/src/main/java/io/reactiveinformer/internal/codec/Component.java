package io.reactiveinformer.internal.codec;

import io.reactiveinformer.resource.FieldPath;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a projection is made of: the components of a record, or the fields that the constructor of another class takes, as in a data class
 * of Kotlin. Its compiler annotates the parameter of the constructor, and names no parameters.
 *
 * @param name the property at the top of the object, if there is no path
 * @param field the field with the value
 * @param accessor the method that returns the value; null if only the field has it
 * @param path null if there is none
 */
record Component(String name, Field field, @Nullable Method accessor, @Nullable FieldPath path) {

    Type type() {
        return field.getGenericType();
    }

    /** To be called before {@link #of(Object)}. */
    void open() {
        (accessor == null ? field : accessor).setAccessible(true);
    }

    /** The value in {@code owner}. */
    @Nullable Object of(Object owner) {
        try {
            return accessor == null ? field.get(owner) : accessor.invoke(owner);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException("cannot read " + field, failure);
        }
    }

    /** Whether a component of {@code type} has a path of its own. */
    static boolean haveAPath(Class<?> type) {
        if (type.isRecord()) {
            Stream<AnnotatedElement> parameters = Arrays.stream(canonical(type).getParameters());
            return Stream.of(Arrays.stream(type.getRecordComponents()), parameters, fields(type).stream())
                    .flatMap(each -> each).anyMatch(Component::isAnnotated);
        }
        return !type.isInterface() && !type.isEnum() && !type.isArray()
                && (fields(type).stream().anyMatch(Component::isAnnotated) || constructors(type).anyMatch(Component::takesAPath));
    }

    /** @throws IllegalArgumentException if it is not clear which field a parameter of the constructor is for */
    static List<Component> of(Class<?> type) {
        Parameter[] parameters = constructor(type).getParameters();
        RecordComponent[] components = type.isRecord() ? type.getRecordComponents() : new RecordComponent[0];
        List<Field> fields = fields(type);
        List<Component> all = new ArrayList<>();
        for (int i = 0; i < parameters.length; i++) {
            Field field = field(type, i, parameters[i], fields);
            FieldPath path = path(parameters[i]);
            path = path == null ? path(field) : path;
            path = path == null && type.isRecord() ? path(components[i]) : path;
            all.add(new Component(field.getName(), field, type.isRecord() ? components[i].getAccessor() : null, path));
        }
        return all;
    }

    /** The constructor that takes a value for each component, in their order. */
    static Constructor<?> constructor(Class<?> type) {
        if (type.isRecord()) {
            return canonical(type);
        }
        List<Constructor<?>> taking = constructors(type).filter(Component::takesAPath).toList();
        List<Constructor<?>> some = !taking.isEmpty() ? taking : constructors(type)
                .filter(each -> Arrays.equals(each.getParameterTypes(), fields(type).stream().map(Field::getType).toArray())).toList();
        if (some.size() != 1) {
            throw new IllegalArgumentException(type.getName() + " has @FieldPath, but "
                    + (some.isEmpty() ? "no constructor that takes its fields in their order" : "on more than one constructor")
                    + "; use a record, or a data class of Kotlin");
        }
        return some.get(0);
    }

    private static Constructor<?> canonical(Class<?> type) {
        try {
            return type.getDeclaredConstructor(
                    Arrays.stream(type.getRecordComponents()).map(RecordComponent::getType).toArray(Class<?>[]::new));
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The field for a parameter: the one with its name, or else the one at its place, as the compiler of Kotlin declares them. */
    private static Field field(Class<?> type, int place, Parameter parameter, List<Field> fields) {
        return fields.stream().filter(field -> parameter.isNamePresent() && field.getName().equals(parameter.getName())).findFirst()
                .or(() -> fields.stream().skip(place).findFirst())
                .filter(field -> field.getType() == parameter.getType())
                .orElseThrow(() -> new IllegalArgumentException("parameter " + (place + 1) + " of the constructor of " + type.getName()
                        + " is for no field of its type " + parameter.getType().getSimpleName()
                        + "; use a record, or a data class of Kotlin"));
    }

    /** The fields of an object, in the order of their declaration. */
    private static List<Field> fields(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()).toList();
    }

    private static Stream<Constructor<?>> constructors(Class<?> type) {
        return Arrays.stream(type.getDeclaredConstructors()).filter(each -> !each.isSynthetic());
    }

    private static boolean takesAPath(Constructor<?> constructor) {
        return Arrays.stream(constructor.getParameters()).anyMatch(Component::isAnnotated);
    }

    private static boolean isAnnotated(AnnotatedElement element) {
        return path(element) != null;
    }

    private static @Nullable FieldPath path(AnnotatedElement element) {
        return element.getAnnotation(FieldPath.class);
    }
}
