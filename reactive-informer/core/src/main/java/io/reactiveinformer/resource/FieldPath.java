package io.reactiveinformer.resource;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Where in an object the value of a projection's record component stands, as in a pod's {@code fieldRef}: {@code spec.nodeName},
 * {@code metadata.labels['app.kubernetes.io/name']}. A component without it stands at the top, under its own name.
 * What no component leads to is passed by, and need not be well-formed.
 *
 * @see ResourceType#as
 */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface FieldPath {

    String value();
}
