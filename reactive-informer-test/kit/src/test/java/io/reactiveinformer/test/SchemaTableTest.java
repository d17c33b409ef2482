package io.reactiveinformer.test;

import io.reactiveinformer.transport.HttpRequest.Headers;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** What a schema makes of what is sent, case by case: the schema of {@code spec}, what is sent as that, and what becomes of it. */
class SchemaTableTest {

    private static final String WIDGETS = "/apis/example.com/v1/widgets";

    private static FakeApiServer server(String schema) {
        return FakeApiServer.builder().with(Widgets.definition("Cluster", Widgets.version("v1", true, schema))).build();
    }

    private static String widget(String spec) {
        return "{\"metadata\":{\"name\":\"w\"},\"spec\":" + spec + "}";
    }

    private static String outcome(Requests.Answered answer) {
        JsonNode body = answer.json();
        return answer.status() < 300
                ? body.path("spec").toString()
                : body.path("details").path("causes").valueStream()
                        .map(cause -> cause.path("field").asString() + " " + cause.path("reason").asString().replace("FieldValue", ""))
                        .collect(Collectors.joining(", "));
    }

    /** A schema without a type is refused, unless it takes anything. */
    private static String anything(String schema) {
        return schema.replaceAll("\\b([a-z]): \\{}", "$1: {x-kubernetes-preserve-unknown-fields: true}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            # schema of spec | sent | stored, or why it is refused
            # what it does not name
            {type: object, properties: {a: {type: object}}}                                        | {"a":{"x":1},"b":2}            | {"a":{}}
            {type: array, items: {type: array, items: {type: object, properties: {a: {}}}}}        | [[{"a":1,"b":2}],[{"b":3}]]    | [[{"a":1}],[{}]]
            {type: object, additionalProperties: {type: object, properties: {a: {}}}}              | {"x":{"a":1,"b":2}}            | {"x":{"a":1}}
            {type: object, additionalProperties: true}                                             | {"x":1,"y":{"b":2},"z":[{"c":3},4]} | {"x":1,"y":{},"z":[{},4]}
            # what it keeps
            {type: object, x-kubernetes-preserve-unknown-fields: true}                             | {"x":{"y":[{"z":1}]}}          | {"x":{"y":[{"z":1}]}}
            {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object, properties: {b: {}}}}} | {"a":{"b":1,"c":2},"d":{"e":3}} | {"a":{"b":1},"d":{"e":3}}
            {x-kubernetes-preserve-unknown-fields: true}                                           | [{"a":[{"b":1}]}]              | [{"a":[{"b":1}]}]
            {type: array, x-kubernetes-preserve-unknown-fields: true, items: {type: object, properties: {a: {type: object}}}} | [{"a":{"b":1},"c":{"d":2}}] | [{"a":{},"c":{"d":2}}]
            {type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object}}} | {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","foo":1},"spec":{"x":1},"y":2} | {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{}}
            # defaults
            {type: object, properties: {a: {type: integer, default: 1}}}                           | {}                             | {"a":1}
            {type: object, properties: {a: {type: integer, default: 1}}}                           | {"a":2}                        | {"a":2}
            {type: object, properties: {a: {type: integer, default: 1}}}                           | {"a":null}                     | {"a":1}
            {type: object, properties: {a: {type: integer, default: 1, nullable: true}}}           | {"a":null}                     | {"a":null}
            {type: object, properties: {a: {type: object, properties: {b: {type: integer, default: 1}}}}} | {}                      | {}
            {type: object, properties: {a: {type: object, default: {}, properties: {b: {type: integer, default: 1}}}}} | {}         | {"a":{"b":1}}
            {type: array, items: {type: object, properties: {a: {type: integer, default: 1}}}}     | [{},{"a":2}]                   | [{"a":1},{"a":2}]
            {type: array, items: {type: array, items: {type: object, properties: {a: {type: integer, default: 1}}}}} | [[{}],[]]    | [[{"a":1}],[]]
            {type: object, additionalProperties: {type: object, properties: {a: {type: integer, default: 1}}}} | {"x":{}}           | {"x":{"a":1}}
            {type: object, properties: {a: {type: string, default: x, enum: [y]}}}                 | {}                             | spec.a NotSupported
            # required
            {type: object, required: [a], properties: {a: {type: integer}}}                        | {}                             | spec.a Required
            {type: object, required: [a], properties: {a: {type: integer}}}                        | {"a":null}                     | spec.a Required
            {type: object, required: [a], properties: {a: {type: integer, nullable: true}}}        | {"a":null}                     | {"a":null}
            {type: object, required: [a], properties: {a: {type: integer, default: 1}}}            | {}                             | {"a":1}
            {type: array, items: {type: object, required: [a, b], properties: {a: {}, b: {}}}}     | [{"a":1,"b":1},{"b":1},{}]     | spec[1].a Required, spec[2].a Required, spec[2].b Required
            # nulls
            {type: object, properties: {a: {type: string}}}                                        | {"a":null}                     | {}
            {type: array, items: {type: string}}                                                   | ["a",null]                     | spec[1] TypeInvalid
            {type: array, items: {type: string, nullable: true}}                                   | ["a",null]                     | ["a",null]
            {type: object, x-kubernetes-preserve-unknown-fields: true}                             | {"a":null}                     | {"a":null}
            # enum
            {type: object, properties: {a: {type: string, enum: [x, y]}}}                          | {"a":"x"}                      | {"a":"x"}
            {type: object, properties: {a: {type: string, enum: [x, y]}}}                          | {"a":"z"}                      | spec.a NotSupported
            {type: object, properties: {a: {type: integer, enum: [1, 2]}}}                         | {"a":2}                        | {"a":2}
            {type: array, items: {type: string, enum: [x]}}                                        | ["x","y"]                      | spec[1] NotSupported
            # int-or-string
            {type: object, properties: {a: {x-kubernetes-int-or-string: true}}}                    | {"a":80}                       | {"a":80}
            {type: object, properties: {a: {x-kubernetes-int-or-string: true}}}                    | {"a":"80%"}                    | {"a":"80%"}
            {type: object, properties: {a: {x-kubernetes-int-or-string: true}}}                    | {"a":1.5}                      | spec.a TypeInvalid
            {type: object, properties: {a: {x-kubernetes-int-or-string: true}}}                    | {"a":{}}                       | spec.a TypeInvalid
            # types
            {type: array, items: {type: array, items: {type: integer}}}                            | [[1],[2,"x"]]                  | spec[1][1] TypeInvalid
            {type: object, additionalProperties: {type: integer}}                                  | {"x":1,"y":"z"}                | spec.y TypeInvalid
            {type: object, properties: {a: {type: number}}}                                        | {"a":1}                        | {"a":1}
            {type: object, properties: {a: {type: integer}}}                                       | {"a":1.0}                      | {"a":1}
            {type: object, properties: {a: {type: integer}}}                                       | {"a":1.5}                      | spec.a TypeInvalid
            {type: object, properties: {a: {type: boolean}}}                                       | {"a":"true"}                   | spec.a TypeInvalid
            """)
    void aCreation(String schema, String sent, String becomes) {
        try (FakeApiServer server = server(anything(schema))) {
            assertThat(outcome(new Requests(server.transport()).post(WIDGETS, widget(sent)))).isEqualTo(becomes);
        }
    }

    /** A schema that has become strict after an object was created: it may go on as it was, value by value. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            # schema of spec | what is there | merge patch | stored, or why it is refused
            {type: object, properties: {a: {type: integer, maximum: 5}, b: {type: integer}}}       | {"a":9}            | {"b":1}               | {"a":9,"b":1}
            {type: object, properties: {a: {type: integer, maximum: 5}, b: {type: integer}}}       | {"a":9}            | {"a":8}               | spec.a Invalid
            {type: object, properties: {a: {type: integer, maximum: 5}, b: {type: integer, maximum: 5}}} | {"a":9}      | {"b":9}               | spec.b Invalid
            {type: object, properties: {a: {type: string, enum: [x]}, b: {}}}                      | {"a":"y"}          | {"b":1}               | {"a":"y","b":1}
            {type: object, properties: {a: {type: integer}, b: {}}}                                | {"a":"y"}          | {"b":1}               | {"a":"y","b":1}
            {type: object, required: [c], properties: {a: {}, b: {}, c: {}}}                       | {"a":1}            | {"b":1}               | spec.c Required
            {type: object, properties: {a: {type: object, required: [c], properties: {c: {}, d: {}}}, b: {}}} | {"a":{"d":1}} | {"b":1}          | {"a":{"d":1},"b":1}
            {type: object, properties: {a: {type: object, required: [c], properties: {c: {}, d: {}}}, b: {}}} | {"a":{"d":1}} | {"a":{"d":2}}    | spec.a.c Required
            {type: object, additionalProperties: {type: integer, maximum: 5}}                      | {"a":9}            | {"b":1}               | {"a":9,"b":1}
            # lists: by place, by key, or as a whole
            {type: object, properties: {a: {type: array, items: {type: integer, maximum: 5}}}}     | {"a":[9,1]}        | {"a":[9,2,3]}         | {"a":[9,2,3]}
            {type: object, properties: {a: {type: array, items: {type: integer, maximum: 5}}}}     | {"a":[9,1]}        | {"a":[1,9]}           | spec.a[1] Invalid
            {type: object, properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, properties: {k: {type: string}, v: {type: integer, maximum: 5}, w: {}}}}}} | {"a":[{"k":"x","v":9},{"k":"y"}]} | {"a":[{"k":"y"},{"k":"x","v":9,"w":1}]} | {"a":[{"k":"y"},{"k":"x","v":9,"w":1}]}
            {type: object, properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, properties: {k: {type: string}, v: {type: integer, maximum: 5}, w: {}}}}}} | {"a":[{"k":"x","v":9},{"k":"y"}]} | {"a":[{"k":"z","v":9}]} | spec.a[0].v Invalid
            {type: object, properties: {a: {type: array, x-kubernetes-list-type: set, items: {type: integer, maximum: 5}}, b: {}}} | {"a":[9,1]} | {"b":1} | {"a":[9,1],"b":1}
            {type: object, properties: {a: {type: array, x-kubernetes-list-type: set, items: {type: integer, maximum: 5}}}} | {"a":[9,1]} | {"a":[9,2]}    | spec.a[0] Invalid
            {type: object, properties: {a: {type: array, x-kubernetes-list-type: atomic, items: {type: integer, maximum: 5}}}} | {"a":[9,1]} | {"a":[9]}   | spec.a[0] Invalid
            """)
    void anUpdateOfWhatWouldNotBeTakenToday(String schema, String former, String patch, String becomes) {
        try (FakeApiServer server = server("{x-kubernetes-preserve-unknown-fields: true}")) {
            server.objects().create("{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: " + former + "}");
            server.objects().update(Widgets.definition("Cluster", Widgets.version("v1", true, anything(schema))));
            var merge = Headers.of("Content-Type", "application/merge-patch+json");
            assertThat(outcome(new Requests(server.transport()).send("PATCH", WIDGETS + "/w", merge, "{\"spec\":" + patch + "}")))
                    .isEqualTo(becomes);
        }
    }
}
