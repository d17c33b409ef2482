package io.reactiveinformer.internal.codec;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Reads the names of the model classes as their generator intended: from their fields, which carry Gson's names. A user's classes from the
 * same generator are read alike. Independent of Jackson, which need not be initialized for it.
 */
public final class SerializedNames {

    private static final Set<String> IDENTITY = Set.of("name", "namespace", "uid", "resourceVersion");

    private SerializedNames() {}

    /** Whether {@code type} comes from the generator. */
    static boolean areOn(Class<?> type) {
        for (Field field : type.getDeclaredFields()) {
            if (field.isAnnotationPresent(SerializedName.class)) {
                return true;
            }
        }
        return false;
    }

    /** The name that {@code field} carries, which it must. */
    public static String of(Field field) {
        return field.getAnnotation(SerializedName.class).value();
    }

    /** Whether {@link IdentityString} reads it. */
    public static boolean isIdentity(Field field) {
        return field.getDeclaringClass() == V1ObjectMeta.class && isIdentity(field.getName());
    }

    /** Whether the property of this name in the metadata is one of them. */
    public static boolean isIdentity(String name) {
        return IDENTITY.contains(name);
    }

    /** Whether a new object has a value in {@code field}; true if that cannot be found out. */
    static boolean isFilled(Field field) {
        try {
            field.setAccessible(true);
            return field.get(PlainClasses.constructor(field.getDeclaringClass()).newInstance()) != null;
        } catch (ReflectiveOperationException | RuntimeException unknown) {
            return true;
        }
    }

    /** The fields of {@code type} that carry names, except final ones; none if its module denies access to them. */
    public static Map<Field, VarHandle> fields(Class<?> type) {
        Map<Field, VarHandle> fields = new LinkedHashMap<>();
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            for (Field field : type.getDeclaredFields()) {
                if (field.isAnnotationPresent(SerializedName.class) && (field.getModifiers() & (Modifier.STATIC | Modifier.FINAL)) == 0) {
                    fields.put(field, lookup.unreflectVarHandle(field));
                }
            }
        } catch (IllegalAccessException closed) {
            return Map.of();
        }
        return fields;
    }
}
