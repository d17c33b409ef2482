package io.reactiveinformer.internal.codec;

import io.kubernetes.client.common.KubernetesListObject;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationFeature;

/** Writes objects as {@link ObjectCodec#write} does, within other JSON. Any thread may call. */
public final class ObjectWriter {

    private final tools.jackson.databind.ObjectWriter writer = Mappers.own().writer().without(SerializationFeature.FLUSH_AFTER_WRITE_VALUE);

    /**
     * Whether {@code type} has a JSON form defined by Kubernetes: its objects, lists and the classes of their properties, including
     * quantities and ports, and classes from the same generator. False for a class of the application that merely has Gson's annotations.
     */
    public static boolean knows(Class<?> type) {
        return KubernetesObject.class.isAssignableFrom(type)
                || KubernetesListObject.class.isAssignableFrom(type)
                || Quantity.class == type
                || IntOrString.class == type
                || isGenerated(type);
    }

    /** The generator of the model classes writes a constant for the name of each property. */
    private static boolean isGenerated(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields())
                .anyMatch(field -> Modifier.isStatic(field.getModifiers()) && field.getName().startsWith("SERIALIZED_NAME_"));
    }

    /**
     * Writes {@code object} as one value at the current position of {@code generator}, and does not flush it. Throws what Jackson throws.
     */
    public void write(Object object, JsonGenerator generator) {
        writer.writeValue(generator, object);
    }
}
