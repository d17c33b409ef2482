package io.reactiveinformer.apiserver.internal.validation;

/**
 * Why the server refuses a value.
 *
 * @param reason such as {@code FieldValueInvalid}
 * @param message without the field
 * @param field its path, such as {@code spec.containers[0].name}
 */
public record Problem(String reason, String message, String field) {}
