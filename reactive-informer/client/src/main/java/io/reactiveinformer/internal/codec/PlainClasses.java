package io.reactiveinformer.internal.codec;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.resource.PartialObjectMetadata;
import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;

/**
 * Decides which classes are read from their own bytes alone, independent of their context: those of the generator, made of such classes,
 * without annotations that Jackson heeds. Annotations of a user's class may have effects across trees: identities, merging, creators, types
 * by name.
 */
public final class PlainClasses {

    private static final Set<Class<?>> VALUES = Set.of(String.class, Boolean.class, Integer.class,
            Long.class, Double.class, Float.class, Object.class, byte[].class,
            OffsetDateTime.class, Quantity.class, IntOrString.class);

    private static final ClassValue<Boolean> KNOWN = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return isPlain(type, new HashSet<>());
        }
    };

    private PlainClasses() {}

    public static boolean has(JavaType type) {
        if (type.isCollectionLikeType() || type.isMapLikeType()) {
            return (type.getKeyType() == null || type.getKeyType().hasRawClass(String.class)) && has(type.getContentType());
        }
        return has(type.getRawClass());
    }

    public static boolean has(Class<?> type) {
        return KNOWN.get(type);
    }

    /** Whether {@code type} is plain, and made of properties. */
    public static boolean isObject(Class<?> type) {
        return !isValue(type) && has(type);
    }

    /** @param within the types that are being examined already */
    private static boolean isPlain(Type type, Set<Class<?>> within) {
        if (type instanceof ParameterizedType generic && (generic.getRawType() == List.class
                || generic.getRawType() == Map.class && generic.getActualTypeArguments()[0] == String.class)) {
            return Arrays.stream(generic.getActualTypeArguments()).allMatch(argument -> isPlain(argument, within));
        }
        return type instanceof Class<?> known && (isValue(known) || !within.add(known) || isPlainObject(known, within));
    }

    private static boolean isValue(Class<?> type) {
        return VALUES.contains(type) || type.isPrimitive() || JsonNode.class.isAssignableFrom(type);
    }

    private static boolean isPlainObject(Class<?> type, Set<Class<?>> within) {
        if (type == PartialObjectMetadata.class) {
            return has(V1ObjectMeta.class);
        }
        return SerializedNames.areOn(type) && type.getSuperclass() == Object.class && canBeFilled(type)
                && (isOfTheModels(type) || asksNothingOfJackson(type)
                        && instanceFields(type).map(Field::getGenericType).allMatch(part -> isPlain(part, within)));
    }

    /** Whether it can be made without arguments, and each property then be set by its own field. */
    private static boolean canBeFilled(Class<?> type) {
        if (type.isLocalClass() || type.isAnonymousClass() || Modifier.isAbstract(type.getModifiers())) {
            return false;
        }
        try {
            constructor(type);
            MethodHandles.privateLookupIn(type, MethodHandles.lookup());
        } catch (IllegalArgumentException | IllegalAccessException none) {
            return false;
        }
        List<Field> named = instanceFields(type).filter(field -> field.isAnnotationPresent(SerializedName.class)).toList();
        return named.stream().map(SerializedNames::of).filter(name -> !name.isEmpty()).distinct().count() == named.size()
                && named.stream().noneMatch(field -> (field.getModifiers() & (Modifier.TRANSIENT | Modifier.FINAL)) != 0);
    }

    /** These are known to be plain, without an inspection of thousands of methods. */
    public static boolean isOfTheModels(Class<?> type) {
        return type.getPackage() == V1ObjectMeta.class.getPackage()
                && type.getProtectionDomain() == V1ObjectMeta.class.getProtectionDomain();
    }

    private static Stream<Field> instanceFields(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields()).filter(field -> !Modifier.isStatic(field.getModifiers()));
    }

    /** @throws IllegalArgumentException if there is no such constructor, or it cannot be called */
    public static Constructor<?> constructor(Class<?> type) {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor;
        } catch (NoSuchMethodException | InaccessibleObjectException impossible) {
            throw new IllegalArgumentException("no objects of " + type.getName() + " can be made", impossible);
        }
    }

    /** Also inspects interfaces, since Jackson takes their annotations for the class's own. */
    private static boolean asksNothingOfJackson(Class<?> type) {
        Constructor<?>[] constructors = type.getDeclaredConstructors();
        return Stream.<AnnotatedElement>concat(Stream.of(type),
                Stream.of(type.getDeclaredFields(), type.getDeclaredMethods(), constructors).flatMap(Arrays::stream))
                        .noneMatch(element -> isHeeded(element.getAnnotations()))
                && Arrays.stream(constructors).flatMap(constructor -> Arrays.stream(constructor.getParameterAnnotations()))
                        .noneMatch(PlainClasses::isHeeded)
                && Arrays.stream(type.getInterfaces()).allMatch(PlainClasses::asksNothingOfJackson);
    }

    private static boolean isHeeded(Annotation... annotations) {
        return Arrays.stream(annotations).map(Annotation::annotationType)
                .anyMatch(type -> isOfJackson(type.getPackageName()) || type.isAnnotationPresent(JacksonAnnotationsInside.class));
    }

    private static boolean isOfJackson(String packageName) {
        return packageName.startsWith("com.fasterxml.jackson.") || packageName.startsWith("tools.jackson.")
                || packageName.startsWith("java.beans");
    }
}
