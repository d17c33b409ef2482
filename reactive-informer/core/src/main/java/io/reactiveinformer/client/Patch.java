package io.reactiveinformer.client;

/**
 * A change to an object, instead of a new state of it. A resourceVersion within makes it conditional.
 *
 * @param body written as JSON: a map or list, a tree, or an object whose set fields are meant
 * @see <a href="https://kubernetes.io/docs/reference/using-api/api-concepts/#patch-and-apply">Kubernetes API concepts: patch and apply</a>
 */
public record Patch(Kind kind, Object body) {

    /** How the body is meant. */
    public enum Kind {
        /** A list of operations, RFC 6902. */
        JSON("application/json-patch+json"),
        /** What is there replaces, null removes, lists are replaced whole, RFC 7396. */
        MERGE("application/merge-patch+json"),
        /** As MERGE, but lists are merged by their keys; for built-in types only. */
        STRATEGIC("application/strategic-merge-patch+json");

        private final String contentType;

        Kind(String contentType) {
            this.contentType = contentType;
        }

        String contentType() {
            return contentType;
        }
    }

    public static Patch json(Object operations) {
        return new Patch(Kind.JSON, operations);
    }

    public static Patch merge(Object body) {
        return new Patch(Kind.MERGE, body);
    }

    public static Patch strategic(Object body) {
        return new Patch(Kind.STRATEGIC, body);
    }
}
