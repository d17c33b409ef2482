package io.reactiveinformer.apiserver;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** ValidatingAdmissionPolicies: accepted or refused with the words of a real server. See {@link Judge} for how to ask one. */
class PoliciesTest {

    private static final String API = "/apis/admissionregistration.k8s.io/v1/";
    private static final String POLICIES = API + "validatingadmissionpolicies";
    private static final String BINDINGS = API + "validatingadmissionpolicybindings";
    private static final int UNTIL_THEY_APPLY = 8_000; // milliseconds, of the real server

    private static ObjectNode object(String apiVersion, String kind, String name) {
        ObjectNode object = JsonNodeFactory.instance.objectNode().put("apiVersion", apiVersion).put("kind", kind);
        object.putObject("metadata").put("name", name);
        return object;
    }

    private static ObjectNode policy(String name, JsonNode given) {
        ObjectNode policy = object("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", name);
        ObjectNode spec = policy.putObject("spec").put("failurePolicy", "Fail");
        ObjectNode rule = spec.putObject("matchConstraints").putArray("resourceRules").addObject();
        rule.putArray("apiGroups").add("");
        rule.putArray("apiVersions").add("v1");
        rule.putArray("resources").add("configmaps");
        rule.putArray("operations").add("CREATE").add("UPDATE");
        ObjectNode constraints = spec.path("matchConstraints").deepCopy().asObject();
        spec.setAll(given.deepCopy().asObject());
        spec.set("matchConstraints", constraints.setAll(given.path("matchConstraints").isObject()
                ? given.path("matchConstraints").asObject() : JsonNodeFactory.instance.objectNode()));
        return policy;
    }

    private static ObjectNode binding(String name, JsonNode given) {
        ObjectNode binding = object("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", name);
        ObjectNode spec = binding.putObject("spec").put("policyName", name);
        spec.putArray("validationActions").add("Deny");
        spec.putObject("matchResources").putObject("namespaceSelector").putObject("matchLabels").put("kubernetes.io/metadata.name", name);
        if (given.isObject()) {
            spec.setAll(given.asObject());
        }
        return binding;
    }

    @Test
    void writesAreJudgedAsByTheRealServer() throws InterruptedException {
        List<JsonNode> tests = Judge.table("policies.yaml");
        try (var judge = new Judge()) {
            for (int i = 0; i < tests.size(); i++) {
                assertThat(judge.send("POST", "/api/v1/namespaces", object("v1", "Namespace", "judged-" + i))).isEqualTo("ok");
                assertThat(judge.send("POST", POLICIES, policy("judged-" + i, tests.get(i).path("policy")))).isEqualTo("ok");
                assertThat(judge.send("POST", BINDINGS, binding("judged-" + i, tests.get(i).path("binding")))).isEqualTo("ok");
            }
            Thread.sleep(judge.isReal() ? UNTIL_THEY_APPLY : 0);
            for (int i = 0; i < tests.size(); i++) {
                for (JsonNode write : tests.get(i).path("writes")) {
                    judge.answered("judged-" + i + " " + tests.get(i).path("policy").path("validations") + " " + write,
                            write(judge, "/api/v1/namespaces/judged-" + i + "/configmaps", write));
                }
            }
            for (int i = 0; i < tests.size(); i++) {
                judge.send("DELETE", POLICIES + "/judged-" + i, null);
                judge.send("DELETE", BINDINGS + "/judged-" + i, null);
            }
            for (int i = 0; judge.isReal() && i < tests.size(); i++) {
                Thread.sleep(i == 0 ? UNTIL_THEY_APPLY : 0);
                ObjectNode namespace = object("v1", "Namespace", "judged-" + i);
                namespace.putObject("spec").putArray("finalizers");
                judge.send("DELETE", "/api/v1/namespaces/judged-" + i + "/configmaps", null);
                judge.send("DELETE", "/api/v1/namespaces/judged-" + i, null);
                judge.send("PUT", "/api/v1/namespaces/judged-" + i + "/finalize", namespace); // where no controller does this
            }
            judge.areThoseOf("policies.txt");
        }
    }

    private static String write(Judge judge, String path, JsonNode write) {
        String how = write.propertyNames().iterator().next();
        JsonNode given = write.path(how);
        ObjectNode object = object("v1", "ConfigMap", given.path("name").asString());
        if (given.has("data")) {
            object.set("data", given.path("data"));
        }
        if (given.has("labels")) {
            object.withObjectProperty("metadata").set("labels", given.path("labels"));
        }
        String one = path + "/" + given.path("name").asString();
        return switch (how) {
            case "create" -> judge.send("POST", path, object);
            case "update" -> judge.send("PUT", one, object);
            default -> judge.send("DELETE", one, null);
        };
    }

    @Test
    void brokenPoliciesAreRefusedAsByTheRealServer() {
        try (var judge = new Judge()) {
            int i = 0;
            for (JsonNode test : Judge.table("broken-policies.yaml")) {
                judge.answered(test.toString(), judge.send("POST", POLICIES, policy("broken-" + i++, test)));
            }
            judge.areThoseOf("broken-policies.txt");
        }
    }

    @Test
    void aWarningIsSentWithTheAnswer() throws Exception {
        try (ApiServer server = ApiServer.builder().build().start(0)) {
            server.objects().create(policy("p", Judge.read("{validations: [{expression: 'false', message: 'say \"no\"'}]}")).toString());
            server.objects().create(binding("p", Judge.read("{validationActions: [Warn], matchResources: {}}")).toString());
            HttpResponse<String> answer = HttpClient.newHttpClient().send(HttpRequest.newBuilder(
                    URI.create(server.url() + "/api/v1/namespaces/default/configmaps")).header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(object("v1", "ConfigMap", "c").toString())).build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(201);
            assertThat(answer.headers().allValues("Warning")).containsExactly("299 - \"Validation failed for ValidatingAdmissionPolicy 'p'"
                    + " with binding 'p': say \\\"no\\\"\"");
        }
    }
}
