package io.reactiveinformer.codec;

import io.kubernetes.client.common.KubernetesListObject;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationFeature;

/** Writes objects as {@link ObjectCodec#write} does, amid other JSON. For any number of threads. */
public final class ObjectWriter {

    private final tools.jackson.databind.ObjectWriter writer = Mappers.own().writer().without(SerializationFeature.FLUSH_AFTER_WRITE_VALUE);

    /**
     * Whether {@code type} has a form of Kubernetes' own in JSON: its objects, lists and all that they are made of, quantities and ports among them, and what
     * comes from the same generator. Not a class of the application's that merely has Gson's annotations.
     */
    public static boolean knows(Class<?> type) {
        return KubernetesObject.class.isAssignableFrom(type)
                || KubernetesListObject.class.isAssignableFrom(type)
                || Quantity.class == type
                || IntOrString.class == type
                || isGenerated(type);
    }

    /** The generator writes a constant for the name of each property. */
    private static boolean isGenerated(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields()).anyMatch(field -> Modifier.isStatic(field.getModifiers()) && field.getName().startsWith("SERIALIZED_NAME_"));
    }

    /** Writes {@code object} where {@code generator} is, and does not flush it. */
    public void write(Object object, JsonGenerator generator) {
        writer.writeValue(generator, object);
    }
}
