package io.reactiveinformer.apiserver.internal.cluster;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** A field selector such as {@code status.phase!=Failed,spec.nodeName=n1}, of the few fields that the server supports for each type. */
public record FieldSelector(List<Term> terms) {

    public static final FieldSelector ANY = new FieldSelector(List.of());

    record Term(String field, String value, boolean equal) {}

    /**
     * Parses the text of a field selector; empty text selects everything.
     *
     * @throws ApiFailure with the server's message, if it cannot be parsed or names a field that is not selectable in the type
     */
    public static FieldSelector parse(String text, ResourceDefinition type) {
        return new FieldSelector(Stream.of(text.split(",", -1)).filter(part -> !part.isEmpty())
                .map(part -> term(part, text, type)).toList());
    }

    private static Term term(String part, String whole, ResourceDefinition type) {
        for (String operator : List.of("!=", "==", "=")) {
            int at = part.indexOf(operator);
            if (at >= 0) {
                String field = part.substring(0, at);
                if (!known(field, type)) {
                    throw ApiFailure.badRequest(
                            type.selectableFields().isEmpty() && !type.isCustom()
                                    ? "\"" + field + "\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
                                    : "field label not supported: " + field);
                }
                return new Term(EventForms.isLater(type) ? EventForms.coreField(field) : field,
                        part.substring(at + operator.length()), !operator.equals("!="));
            }
        }
        throw ApiFailure.badRequest("invalid selector: '" + whole + "'; can't understand '" + part + "'");
    }

    private static boolean known(String field, ResourceDefinition type) {
        return field.equals("metadata.name") || field.equals("metadata.namespace") || type.selectableFields().contains(field);
    }

    boolean isAny() {
        return terms.isEmpty();
    }

    boolean matches(StoredObject object) {
        return terms.stream().allMatch(term -> value(object, term.field()).equals(term.value()) == term.equal());
    }

    private static String value(StoredObject object, String field) {
        return switch (field) {
            case "metadata.name" -> object.name();
            case "metadata.namespace" -> Objects.requireNonNullElse(object.namespace(), "");
            default -> object.fields().getOrDefault(field, "");
        };
    }
}
