package io.reactiveinformer.apiserver;

/** Definitions of custom types for tests. */
final class Definitions {

    /** Widgets in v1, which are stored and have {@code spec.size}, and v2; %s is the conversion. */
    static final String WIDGETS = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: widgets.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: widgets, kind: Widget}
              conversion: %s
              versions:
                - name: v1
                  served: true
                  storage: true
                  schema: &schema
                    openAPIV3Schema:
                      type: object
                      properties:
                        spec:
                          type: object
                          required: [size]
                          properties: {size: {type: integer}, inches: {type: integer}}
                - {name: v2, served: true, storage: false, schema: *schema}
            """;

    private Definitions() {}
}
