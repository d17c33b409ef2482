package io.reactiveinformer.internal.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.std.ContainerDeserializerBase;
import tools.jackson.databind.deser.std.DelegatingDeserializer;
import tools.jackson.databind.exc.InvalidTypeIdException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Refuses a class that Jackson can make no objects of, or that has a property of such a class: otherwise each object would be unreadable,
 * and its informer live without rows. Most classes have constructors without arguments and are not shown to Jackson, which takes long.
 */
final class ClassCheck {

    private final JsonMapper mapper;
    private final Set<JavaType> seen = new HashSet<>();

    private ClassCheck(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /**
     * @param mapper called only if {@code type} is not obviously usable
     * @throws IllegalArgumentException with Jackson's reason, the place, and what helps
     */
    static void of(Class<?> type, Supplier<JsonMapper> mapper) {
        if (!isUsable(type, new HashSet<>())) {
            new ClassCheck(mapper.get()).check(type);
        }
    }

    private static boolean isUsable(@Nullable Type type, Set<Type> seen) {
        if (type == null || !seen.add(type)) {
            return true;
        }
        if (type instanceof ParameterizedType generic) {
            return isUsable(generic.getRawType(), seen) && areUsable(Arrays.stream(generic.getActualTypeArguments()), seen);
        }
        if (type instanceof WildcardType wildcard) {
            return areUsable(Arrays.stream(wildcard.getUpperBounds()), seen);
        }
        if (type instanceof GenericArrayType array) {
            return isUsable(array.getGenericComponentType(), seen);
        }
        if (!(type instanceof Class<?> known) || isProvided(known)) {
            return true;
        }
        if (known.isArray()) {
            return isUsable(known.getComponentType(), seen);
        }
        return (known.isRecord() || !Modifier.isAbstract(known.getModifiers()) && hasNoArgumentConstructor(known))
                && areUsable(Arrays.stream(known.getDeclaredFields()).filter(field -> !Modifier.isStatic(field.getModifiers()))
                        .map(Field::getGenericType), seen)
                && isUsable(known.getSuperclass(), seen);
    }

    private static boolean areUsable(Stream<Type> types, Set<Type> seen) {
        return types.allMatch(type -> isUsable(type, seen));
    }

    private static boolean hasNoArgumentConstructor(Class<?> type) {
        return Arrays.stream(type.getDeclaredConstructors()).anyMatch(constructor -> constructor.getParameterCount() == 0);
    }

    /** Whether it is read by Jackson's own means, or ours. */
    private static boolean isProvided(Class<?> type) {
        return type.isPrimitive() || type.isEnum() || JsonNode.class.isAssignableFrom(type) || type.getName().startsWith("java.")
                || type.getName().startsWith("io.kubernetes.client.") || type.getPackageName().equals("io.reactiveinformer.resource");
    }

    private void check(Class<?> type) {
        try {
            JavaType root = mapper.constructType(type);
            check(root, "", mapper._deserializationContext().findRootValueDeserializer(root));
        } catch (JacksonException | TypeNotPresentException | LinkageError impossible) {
            throw refusal(type, "", impossible, "");
        }
    }

    /** @param place of the property, with a dot before each name */
    private void check(JavaType type, String place, @Nullable ValueDeserializer<?> reader) {
        if (reader instanceof DelegatingDeserializer wrapper) {
            check(type, place, wrapper.getDelegatee());
        } else if (reader instanceof BeanDeserializerBase bean) {
            if (seen.add(bean.getValueType())) {
                requireMade(bean.getValueType(), place,
                        place.isEmpty() ? canMake(bean.getValueInstantiator()) : bean.getValueInstantiator().canInstantiate());
                bean.properties().forEachRemaining(property -> {
                    if (!property.hasValueTypeDeserializer() && property.getAnnotation(JsonTypeInfo.class) == null) {
                        check(property.getType(), place + "." + property.getName(), property.getValueDeserializer());
                    }
                });
            }
        } else if (reader instanceof AbstractDeserializer) {
            requireMade(type, place, isProvided(type.getRawClass()));
        } else if (reader instanceof ContainerDeserializerBase<?> container && type.getContentType() != null) {
            check(type.getContentType(), place, container.getContentDeserializer());
        } else if (reader instanceof ProjectionDeserializer projection) {
            for (int i = 0; i < projection.components(); i++) {
                check(projection.type(i), place, projection.reader(i));
            }
        }
    }

    /** From a JSON object, as each at the root is; a value of a property may be a string or a number, too. */
    private static boolean canMake(ValueInstantiator maker) {
        return maker.canCreateUsingDefault() || maker.canCreateFromObjectWith() || maker.canCreateUsingDelegate()
                || maker.canCreateUsingArrayDelegate();
    }

    private void requireMade(JavaType type, String place, boolean made) {
        if (!made) {
            Class<?> raw = type.getRawClass();
            try {
                mapper.readerFor(type).readValue("{}");
            } catch (InvalidTypeIdException named) {
                // each object names its class
            } catch (JacksonException reason) {
                throw refusal(raw, place, reason, remedy(raw));
            }
        }
    }

    private static String remedy(Class<?> type) {
        if (Modifier.isAbstract(type.getModifiers())) {
            return ". Use a class of which there can be objects, or name one by @JsonDeserialize(as = …) or @JsonTypeInfo";
        }
        if (type.isMemberClass() && !Modifier.isStatic(type.getModifiers())) {
            return ". Make the class static";
        }
        return ". Add a constructor without arguments, or annotate one with @JsonCreator and its parameters with @JsonProperty; or, if it "
                + "is public, compile the class with -parameters (Kotlin: -java-parameters), so that Jackson knows its parameters' names";
    }

    private static IllegalArgumentException refusal(Class<?> type, String place, Throwable reason, String remedy) {
        String why = reason instanceof JacksonException known ? known.getOriginalMessage() : String.valueOf(reason);
        String at = place.isEmpty() ? "" : ", at " + place.substring(1);
        return new IllegalArgumentException("cannot make objects of " + type.getName() + at + ", from JSON: " + why + remedy, reason);
    }
}
