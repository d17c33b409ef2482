package io.reactiveinformer.resource;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The methods with which a user's class returns the type and the metadata of an object. */
final class OwnClass {

    /** One instance for each class, kept as long as the class. */
    private static final ClassValue<OwnClass> KNOWN = new ClassValue<>() {
        @Override
        protected OwnClass computeValue(Class<?> type) {
            return new OwnClass(type);
        }
    };

    private final Class<?> type;
    private final @Nullable Method metadata;
    private final @Nullable Method apiVersion;
    private final @Nullable Method kind;

    private OwnClass(Class<?> type) {
        this.type = type;
        this.metadata = method(type, "metadata", V1ObjectMeta.class, JsonNode.class);
        this.apiVersion = method(type, "apiVersion", String.class);
        this.kind = method(type, "kind", String.class);
    }

    static OwnClass of(Class<?> type) {
        return KNOWN.get(type);
    }

    PartialObjectMetadata read(Object object) {
        if (metadata == null) {
            throw new IllegalArgumentException("a " + type.getName() + " has no metadata: give it a component or a getter"
                    + " \"metadata\" of type V1ObjectMeta or JsonNode, or use what needs no metadata: a predicate, an index, a route or a "
                    + "filter of your own, a selector for the server");
        }
        return new PartialObjectMetadata((String) call(apiVersion, object), (String) call(kind, object), meta(call(metadata, object)));
    }

    private static V1ObjectMeta meta(@Nullable Object metadata) {
        return metadata instanceof JsonNode tree ? TreeMetadata.of(tree) : PartialObjectMetadata.orEmpty((V1ObjectMeta) metadata);
    }

    private @Nullable Object call(@Nullable Method method, Object object) {
        try {
            return method == null ? null : method.invoke(object);
        } catch (InvocationTargetException failed) {
            throw new IllegalArgumentException(type.getName() + "." + method.getName() + "() failed: " + failed.getCause(),
                    failed.getCause());
        } catch (IllegalAccessException unreachable) {
            throw new IllegalArgumentException(
                    "cannot call " + type.getName() + "." + method.getName() + "(): open its package to io.reactiveinformer.client",
                    unreachable);
        }
    }

    /** The accessor of a record or the getter of a bean, inherited ones included, that returns one of {@code results}. */
    private static @Nullable Method method(Class<?> type, String property, Class<?>... results) {
        String getter = "get" + Character.toUpperCase(property.charAt(0)) + property.substring(1);
        for (String name : new String[] {property, getter}) {
            Stream<Method> declared = Stream.<Class<?>>iterate(type, Objects::nonNull, Class::getSuperclass)
                    .flatMap(at -> Arrays.stream(at.getDeclaredMethods()));
            Optional<Method> found = Stream.concat(declared, Arrays.stream(type.getMethods())) // the latter also of interfaces
                    .filter(method -> method.getName().equals(name) && method.getParameterCount() == 0 && returns(method, results))
                    .findFirst();
            if (found.isPresent()) {
                open(found.get());
                return found.get();
            }
        }
        return null;
    }

    private static boolean returns(Method method, Class<?>... results) {
        for (Class<?> result : results) {
            if (result.isAssignableFrom(method.getReturnType())) {
                return true;
            }
        }
        return false;
    }

    /** Makes a method of a class that is not public accessible. If that is impossible, {@link #call} reports it. */
    private static void open(Method method) {
        try {
            method.setAccessible(true);
        } catch (InaccessibleObjectException closed) {
            // a public method of a public class in an exported package can be called anyway
        }
    }
}
