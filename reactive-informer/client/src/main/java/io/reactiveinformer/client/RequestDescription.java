package io.reactiveinformer.client;

/**
 * What a request does, for messages such as "cannot list pods.v1 in all namespaces".
 *
 * @param verb such as {@code list}
 * @param resource the type, {@code pods.v1} or {@code pods.v1/status}; or a path
 * @param where the object, or the part of the cluster; empty if {@code resource} says enough
 */
record RequestDescription(String verb, String resource, String where) {

    @Override
    public String toString() {
        return verb + " " + resource + (where.isEmpty() ? "" : " " + where);
    }
}
