package io.reactiveinformer.codec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Status;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.introspect.VisibilityChecker;

import static com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility.NONE;

/**
 * Reads the model classes as their generator meant them: by their fields, which carry Gson's names. Classes of a user's that come from the same
 * generator are read alike; all others as Jackson does.
 */
final class SerializedNames extends JacksonAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    private static final Set<String> IDENTITY = Set.of("name", "namespace", "uid", "resourceVersion");

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
    static String of(Field field) {
        return field.getAnnotation(SerializedName.class).value();
    }

    /** What reads {@code field} and nothing else; null if what reads others of its type reads it, too. */
    static @Nullable ValueDeserializer<?> reader(Field field) {
        Class<?> reader = readerClass(field);
        return reader == IdentityString.class ? new IdentityString() : reader == StringOrNothing.class ? new StringOrNothing() : null;
    }

    private static @Nullable Class<?> readerClass(Field field) {
        return field.getDeclaringClass() == V1ObjectMeta.class && IDENTITY.contains(field.getName()) ? IdentityString.class
                : field.getDeclaringClass() == V1Status.class && field.getName().equals("status") ? StringOrNothing.class : null;
    }

    /** The fields of {@code type} that carry names, but for those that are final; none where its module lets nobody reach them. */
    static Map<Field, VarHandle> fields(Class<?> type) {
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

    @Override
    public @Nullable PropertyName findNameForDeserialization(MapperConfig<?> config, Annotated annotated) {
        SerializedName name = annotated instanceof AnnotatedField ? annotated.getAnnotation(SerializedName.class) : null;
        return name == null ? super.findNameForDeserialization(config, annotated) : PropertyName.construct(name.value());
    }

    @Override
    public @Nullable PropertyName findNameForSerialization(MapperConfig<?> config, Annotated annotated) {
        SerializedName name = annotated instanceof AnnotatedField ? annotated.getAnnotation(SerializedName.class) : null;
        return name == null ? super.findNameForSerialization(config, annotated) : PropertyName.construct(name.value());
    }

    @Override
    public VisibilityChecker findAutoDetectVisibility(MapperConfig<?> config, AnnotatedClass type, VisibilityChecker checker) {
        return areOn(type.getRawType())
                ? checker.withFieldVisibility(NONE).withGetterVisibility(NONE).withIsGetterVisibility(NONE).withSetterVisibility(NONE)
                : super.findAutoDetectVisibility(config, type, checker);
    }

    /** Said of each class, since Jackson otherwise keeps all that a record does not know until the record is made: of a pod's metadata, the pod. */
    @Override
    public JsonIgnoreProperties.Value findPropertyIgnoralByName(MapperConfig<?> config, Annotated annotated) {
        JsonIgnoreProperties.Value said = super.findPropertyIgnoralByName(config, annotated);
        return annotated instanceof AnnotatedClass ? said.withIgnoreUnknown() : said;
    }

    @Override
    public @Nullable Object findDeserializer(MapperConfig<?> config, Annotated annotated) {
        Class<?> reader = annotated instanceof AnnotatedField field ? readerClass(field.getAnnotated()) : null;
        return reader == null ? super.findDeserializer(config, annotated) : reader;
    }
}
