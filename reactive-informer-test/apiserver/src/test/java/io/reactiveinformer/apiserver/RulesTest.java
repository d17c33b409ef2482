package io.reactiveinformer.apiserver;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Rules of definitions in CEL: accepted or refused with the words of a real server. See {@link Judge} for how to ask one.
 *
 * <pre>REAL_KUBECONFIG=… ./mvnw -pl reactive-informer-test/apiserver test -Dtest=RulesTest</pre>
 */
class RulesTest {

    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String OBJECTS = "/apis/judged.example.com/v1/judgeds";

    private static ObjectNode definition(String kind) {
        String plural = kind.toLowerCase(java.util.Locale.ROOT) + "s";
        ObjectNode definition = JsonNodeFactory.instance.objectNode();
        definition.put("apiVersion", "apiextensions.k8s.io/v1").put("kind", "CustomResourceDefinition");
        definition.putObject("metadata").put("name", plural + ".judged.example.com");
        ObjectNode spec = definition.putObject("spec").put("group", "judged.example.com").put("scope", "Cluster");
        spec.putObject("names").put("kind", kind).put("plural", plural);
        spec.putArray("versions").addObject().put("name", "v1").put("served", true).put("storage", true)
                .putObject("schema").putObject("openAPIV3Schema").put("type", "object").putObject("properties");
        return definition;
    }

    private static ObjectNode properties(ObjectNode definition) {
        return definition.at("/spec/versions/0/schema/openAPIV3Schema/properties").asObject();
    }

    private static ObjectNode ruled(JsonNode test) {
        ObjectNode schema = test.path("schema").deepCopy().asObject();
        if (!test.path("rules").isEmpty()) {
            schema.set("x-kubernetes-validations", test.path("rules"));
        }
        return schema;
    }

    private static ObjectNode object(String name, String field, JsonNode value) {
        ObjectNode object = JsonNodeFactory.instance.objectNode().put("apiVersion", "judged.example.com/v1").put("kind", "Judged");
        object.putObject("metadata").put("name", name);
        object.set(field, value);
        return object;
    }

    @Test
    void objectsAreJudgedAsByTheRealServer() throws InterruptedException {
        List<JsonNode> tests = Judge.table("rules.yaml");
        try (var judge = new Judge()) {
            ObjectNode definition = definition("Judged");
            for (int i = 0; i < tests.size(); i++) {
                properties(definition).set("f" + i, ruled(tests.get(i)));
            }
            assertThat(judge.send("POST", DEFINITIONS, definition)).isEqualTo("ok");
            while (judge.isReal() && !judge.send("GET", OBJECTS, null).equals("ok")) {
                Thread.sleep(200);
            }
            for (int i = 0; i < tests.size(); i++) {
                int j = 0;
                for (JsonNode value : tests.get(i).path("values")) {
                    String answer = write(judge, "o" + i + "-" + j++, "f" + i, value);
                    judge.answered("f" + i + " " + tests.get(i).path("rules") + " " + value, answer);
                }
            }
            judge.send("DELETE", DEFINITIONS + "/judgeds.judged.example.com", null);
            judge.areThoseOf("rules.txt");
        }
    }

    private static String write(Judge judge, String name, String field, JsonNode value) {
        if (!value.has("from")) {
            return judge.send("POST", OBJECTS, object(name, field, value));
        }
        String created = judge.send("POST", OBJECTS, object(name, field, value.path("from")));
        if (!created.equals("ok")) {
            return created;
        }
        ObjectNode stored = judge.get(OBJECTS + "/" + name).asObject();
        stored.set(field, value.path("to"));
        return judge.send("PUT", OBJECTS + "/" + name, stored);
    }

    @Test
    void brokenRulesAreRefusedAsByTheRealServer() {
        try (var judge = new Judge()) {
            int i = 0;
            for (JsonNode test : Judge.table("broken-rules.yaml")) {
                ObjectNode definition = definition("Broken" + (char) ('a' + i / 26) + (char) ('a' + i++ % 26));
                properties(definition).set("field", ruled(test));
                judge.answered(test.toString(), judge.send("POST", DEFINITIONS, definition));
            }
            judge.areThoseOf("broken-rules.txt");
        }
    }

    /** The real server refuses such a definition already, by an estimate that this one does not make. */
    @Test
    void aRuleThatTakesTooLongEnds() {
        try (ApiServer server = ApiServer.builder().build().start(0)) {
            ObjectNode definition = definition("Judged");
            properties(definition).set("list", Judge.read("{type: array, items: {type: integer}, x-kubernetes-validations: ["
                    + "{rule: 'self.all(a, self.all(b, a + b >= 0))'}, {rule: 'false'}]}"));
            server.objects().create(definition.toString());
            JsonNode many = Judge.read(java.util.stream.IntStream.range(0, 1_000).boxed().toList().toString());
            assertThatThrownBy(() -> server.objects().create(object("long", "list", many).toString()))
                    .hasMessageContaining("list: Invalid value: \"array\": 'operation cancelled: actual cost limit exceeded': no further"
                            + " validation rules will be run due to call cost exceeds limit for rule: self.all(a, self.all(b, a + b >= 0))")
                    .hasMessageNotContaining("failed rule");
        }
    }

    /** The root has the metadata of each object, but of that only the name, and unchanged values may stay as they are. */
    @Test
    void anUnchangedValueMayBreakANewRule() {
        try (ApiServer server = ApiServer.builder().build().start(0)) {
            ObjectNode definition = definition("Judged");
            properties(definition).set("a", Judge.read("{type: integer}"));
            properties(definition).set("b", Judge.read("{type: integer}"));
            properties(definition).set("list", Judge.read("{type: array, items: {type: integer}}"));
            server.objects().create(definition.toString());
            server.objects().create(object("old", "a", Judge.read("1")).toString());
            server.objects().create(object("listed", "list", Judge.read("[1, 2]")).toString());
            properties(definition).set("a", Judge.read("{type: integer, x-kubernetes-validations: [{rule: 'self > 5'}]}"));
            properties(definition).set("list", Judge.read("{type: array, items: {type: integer, x-kubernetes-validations: "
                    + "[{rule: 'self > 5'}]}}"));
            definition.at("/spec/versions/0/schema/openAPIV3Schema").asObject()
                    .set("x-kubernetes-validations", Judge.read("[{rule: \"self.metadata.name != 'bad'\"}]"));
            server.objects().update(definition.toString());
            server.objects().update(object("old", "a", Judge.read("1")).set("b", Judge.read("2")).toString());
            assertThatThrownBy(() -> server.objects().update(object("old", "a", Judge.read("2")).toString()))
                    .hasMessageContaining("is invalid: a: Invalid value: 2: failed rule: self > 5");
            assertThatThrownBy(() -> server.objects().update(object("listed", "list", Judge.read("[1, 2, 6]")).toString()))
                    .hasMessageContaining("[list[0]: Invalid value: 1: failed rule: self > 5, list[1]: Invalid value: 2:");
            assertThatThrownBy(() -> server.objects().create(object("bad", "a", Judge.read("6")).toString()))
                    .hasMessageContaining("is invalid: <nil>: Invalid value: failed rule: self.metadata.name != 'bad'");
        }
    }

    @Test
    void aNewRuleWarnsOfWhatIsUnchanged() throws Exception {
        try (ApiServer server = ApiServer.builder().build().start(0)) {
            var calls = new ApiCalls(server);
            ObjectNode definition = definition("Judged");
            properties(definition).set("spec", Judge.read("{type: object, properties: {a: {type: integer}, b: {type: integer}}}"));
            server.objects().create(definition.toString());
            calls.ok("POST", OBJECTS, object("o", "spec", Judge.read("{a: 1, b: 1}")).toString());
            properties(definition).at("/spec/properties/a").asObject().set("x-kubernetes-validations",
                    Judge.read("[{rule: self > 1, message: too small}]"));
            server.objects().update(definition.toString());
            var answer = calls.send("PATCH", OBJECTS + "/o", "{\"spec\":{\"b\":2}}");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().allValues("Warning")).containsExactly("299 - \"spec.a: Invalid value: 1: too small\"");
            assertThat(calls.refused("PATCH", OBJECTS + "/o", "{\"spec\":{\"a\":0}}")).endsWith("spec.a: Invalid value: 0: too small");
        }
    }
}
