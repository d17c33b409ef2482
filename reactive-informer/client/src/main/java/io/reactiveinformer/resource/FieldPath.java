package io.reactiveinformer.resource;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The path of a projection's record component in the object, written as in a pod's {@code fieldRef}: {@code spec.nodeName},
 * {@code metadata.labels['app.kubernetes.io/name']}. A component without this annotation is the top-level property of the same name. Parts
 * of the object that no component names are skipped, and need not be well-formed.
 *
 * <p>Also for a class whose constructor takes its fields, such as a data class of Kotlin: {@code data class
 * Line(@FieldPath("spec.nodeName") val node: String?)}. Properties that an object may lack must be nullable; default values are not used.
 *
 * @see ResourceType#as
 */
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER, ElementType.FIELD})
@Retention(RetentionPolicy.RUNTIME)
public @interface FieldPath {

    /** The path from the object to the property. */
    String value();
}
