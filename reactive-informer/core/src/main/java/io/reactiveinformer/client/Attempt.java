package io.reactiveinformer.client;

/**
 * What a request does, as in "cannot list pods.v1 in all namespaces".
 *
 * @param verb such as {@code list}
 * @param resource the type, {@code pods.v1} or {@code pods.v1/status}; or a path
 * @param where which object or part of the cluster; empty if that says nothing
 */
record Attempt(String verb, String resource, String where) {

    @Override
    public String toString() {
        return verb + " " + resource + (where.isEmpty() ? "" : " " + where);
    }
}
