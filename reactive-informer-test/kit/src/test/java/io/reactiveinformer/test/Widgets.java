package io.reactiveinformer.test;

/** A custom type for tests: {@code widgets.example.com}. */
final class Widgets {

    /** The only version, v1, of objects with any fields. */
    static final String ANY = "- {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object,"
            + " x-kubernetes-preserve-unknown-fields: true}}}";

    /** Of the cluster, with any fields. */
    static final String DEFINITION = definition("Cluster", ANY);

    private Widgets() {}

    /** @param versions as YAML: one element of a list each */
    static String definition(String namespaces, String... versions) {
        return """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: widgets.example.com}
                spec:
                  group: example.com
                  names: {plural: widgets, kind: Widget}
                  scope: %s
                  versions:
                """.formatted(namespaces)
                + String.join("\n", versions).stripTrailing().indent(2);
    }

    /** A version that is served, and whose objects have this {@code spec}. */
    static String version(String name, boolean storage, String spec) {
        return "- {name: " + name + ", served: true, storage: " + storage
                + ", subresources: {status: {}}, schema: {openAPIV3Schema: {type: object, properties: {spec: "
                + spec + ", status: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}}";
    }
}
