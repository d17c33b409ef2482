package io.reactiveinformer.client;

/**
 * A change to an object, as opposed to its complete new state. A patch that sets {@code metadata.resourceVersion} is applied only to that
 * version.
 *
 * @param kind how the server interprets {@code body}
 * @param body written as JSON: a map or list, a tree, or an object: its nulls are left out, and the empty collections of models
 * @see <a href="https://kubernetes.io/docs/reference/using-api/api-concepts/#patch-and-apply">Kubernetes API concepts: patch and apply</a>
 */
public record Patch(Kind kind, Object body) {

    /** How the server interprets the body. */
    public enum Kind {
        /** A list of operations, RFC 6902. */
        JSON("application/json-patch+json"),
        /** A field that is present replaces, null removes, lists are replaced as a whole, RFC 7396. */
        MERGE("application/merge-patch+json"),
        /** As {@link #MERGE}, but lists are merged by their keys; for built-in types only. */
        STRATEGIC("application/strategic-merge-patch+json");

        private final String contentType;

        Kind(String contentType) {
            this.contentType = contentType;
        }

        String contentType() {
            return contentType;
        }
    }

    /**
     * A {@link Kind#JSON} patch.
     *
     * @param operations a list of operations, each with {@code op} and {@code path}
     */
    public static Patch json(Object operations) {
        return new Patch(Kind.JSON, operations);
    }

    /** A {@link Kind#MERGE} patch: {@code body} has the fields that change. */
    public static Patch merge(Object body) {
        return new Patch(Kind.MERGE, body);
    }

    /** A {@link Kind#STRATEGIC} patch: {@code body} has the fields that change. */
    public static Patch strategic(Object body) {
        return new Patch(Kind.STRATEGIC, body);
    }
}
