package io.reactiveinformer.test;

import io.reactiveinformer.transport.HttpRequest.Headers;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What becomes of fields that nobody knows or that are there twice, by every way to write; recordings 20 and 23 are the judge of the words.
 */
class FieldValidationTest {

    private static final String WIDGETS = "/apis/example.com/v1/widgets";
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final Headers JSON = Headers.of("Content-Type", "application/json");
    private static final Headers MERGE = Headers.of("Content-Type", "application/merge-patch+json");
    private static final Headers JSON_PATCH = Headers.of("Content-Type", "application/json-patch+json");
    private static final Headers STRATEGIC = Headers.of("Content-Type", "application/strategic-merge-patch+json");
    private static final Headers APPLY = Headers.of("Content-Type", "application/apply-patch+yaml");

    private final FakeApiServer server = FakeApiServer.builder()
            .with(Widgets.definition("Cluster", Widgets.version("v1", true, "{type: object, properties: {size: {type: integer}}}")))
            .build();
    private final Requests requests = new Requests(server.transport());

    private String widgetsVersion = "";

    @BeforeEach
    void create() {
        widgetsVersion = requests.post(WIDGETS, "{\"metadata\":{\"name\":\"w\"},\"spec\":{\"size\":1}}")
                .json().at("/metadata/resourceVersion").asString();
        requests.post(CONFIG_MAPS, "{\"metadata\":{\"name\":\"c\"},\"data\":{\"k\":\"1\"}}");
        requests.post(PODS, "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}");
    }

    /** A widget is only replaced from a version. */
    private String from(String body) {
        return body.replace("\"name\":\"w\"", "\"name\":\"w\",\"resourceVersion\":\"" + widgetsVersion + "\"");
    }

    @AfterEach
    void close() {
        server.close();
    }

    static Stream<Arguments> changes() {
        return Stream.of(
                arguments("PUT", WIDGETS + "/w", JSON, "{\"metadata\":{\"name\":\"w\",\"bar\":1},\"spec\":{\"size\":2,\"foo\":1}}",
                        "metadata.bar, spec.foo"),
                arguments("PATCH", WIDGETS + "/w", MERGE, "{\"metadata\":{\"bar\":1},\"spec\":{\"foo\":1}}", "metadata.bar, spec.foo"),
                arguments("PATCH", WIDGETS + "/w", JSON_PATCH, "[{\"op\":\"add\",\"path\":\"/spec/foo\",\"value\":{\"a\":1}}]", "spec.foo"),
                arguments("PUT", WIDGETS + "/w/status", JSON, "{\"metadata\":{\"name\":\"w\"},\"foo\":1,\"status\":{\"x\":1}}", "foo"),
                arguments("PATCH", WIDGETS + "/w/status", MERGE, "{\"foo\":1,\"status\":{\"x\":1}}", "foo"),
                arguments("PUT", CONFIG_MAPS + "/c", JSON, "{\"metadata\":{\"name\":\"c\"},\"foo\":1}", "foo"),
                arguments("PATCH", CONFIG_MAPS + "/c", MERGE, "{\"metadata\":{\"bar\":1}}", "metadata.bar"),
                arguments("PATCH", CONFIG_MAPS + "/c", JSON_PATCH, "[{\"op\":\"add\",\"path\":\"/foo\",\"value\":1}]", "foo"),
                arguments("PATCH", PODS + "/p", STRATEGIC, "{\"spec\":{\"containers\":[{\"name\":\"c\",\"imagePulPolicy\":\"Always\"}]}}",
                        "spec.containers[0].imagePulPolicy"),
                arguments("PUT", PODS + "/p/status", JSON, "{\"metadata\":{\"name\":\"p\"},\"status\":{\"fase\":\"Running\"}}",
                        "status.fase"),
                arguments("PATCH", PODS + "/p/status", STRATEGIC, "{\"status\":{\"fase\":\"Running\"}}", "status.fase"));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void whatNobodyKnowsIsDroppedAndReported(String method, String uri, Headers headers, String body, String unknown) {
        Requests.Answered warned = requests.send(method, uri, headers, from(body));
        assertThat(warned.status()).isEqualTo(200);
        List<String> paths = List.of(unknown.split(", ", -1));
        assertThat(warned.headers().all("Warning")).containsExactlyElementsOf(
                paths.stream().map(path -> "299 - \"unknown field \\\"" + path + "\\\"\"").toList());
        JsonNode stored = requests.get(uri.replace("/status", "")).json();
        assertThat(paths).allSatisfy(path -> assertThat(stored.at("/" + path.replaceAll("[.\\[]", "/").replace("]", "")).isMissingNode())
                .as(path).isTrue());
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aRequestThatIgnoresUnknownFieldsIsNotWarned(String method, String uri, Headers headers, String body) {
        Requests.Answered ignoring = requests.send(method, uri + "?fieldValidation=Ignore", headers, from(body));
        assertThat(ignoring.status()).isEqualTo(200);
        assertThat(ignoring.headers().all("Warning")).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("changes")
    void whoIsStrictIsRefused(String method, String uri, Headers headers, String body, String unknown) {
        String before = server.resourceVersion();
        Requests.Answered refused = requests.send(method, uri + "?fieldValidation=Strict", headers, body);
        assertThat(refused.status()).isEqualTo(method.equals("PUT") ? 400 : 422);
        String fields = "strict decoding error: unknown field \"" + unknown.replace(", ", "\", unknown field \"") + "\"";
        assertThat(refused.json().path("message").asString()).endsWith(fields);
        assertThat(server.resourceVersion()).isEqualTo(before);
    }

    @Test
    void emptyFieldsAreOmittedAsByAServer() {
        String empty = "\"env\":[{\"name\":\"A\",\"value\":\"\"}],\"command\":[],\"tty\":false,\"resources\":{}";
        String spec = "{\"containers\":[{\"name\":\"c\",\"image\":\"i\"," + empty + "}]}";
        requests.post(PODS, "{\"metadata\":{\"name\":\"e\",\"labels\":{}},\"spec\":" + spec + "}");
        requests.post(PODS, "{\"metadata\":{\"name\":\"q\"},\"spec\":" + spec.replace("false", "true") + "}");
        assertThat(requests.send("PATCH", PODS + "/q", STRATEGIC, "{\"spec\":" + spec.replace("false", "true") + "}").status())
                .isEqualTo(200);
        for (String name : List.of("e", "q")) {
            JsonNode pod = requests.get(PODS + "/" + name).json();
            assertThat(pod.path("metadata").has("labels")).isFalse();
            JsonNode container = pod.at("/spec/containers/0");
            assertThat(container.path("env").toString()).isEqualTo("[{\"name\":\"A\"}]");
            assertThat(container.has("command")).isFalse();
            assertThat(container.has("tty")).isEqualTo(name.equals("q"));
            assertThat(container.path("resources").toString()).as("a struct").isEqualTo("{}");
        }
    }

    /** kubectl knows by the missing kind that it is the request that is invalid. */
    @Test
    void aPatchIsShownAsItWasSentOrAsWhatItMade() {
        JsonNode merged = requests.send("PATCH", CONFIG_MAPS + "/c?fieldValidation=Strict", MERGE, "{\"foo\":1}").json();
        assertThat(merged.path("message").asString())
                .startsWith(" \"\" is invalid: patch: Invalid value: \"{\\\"kind\\\":\\\"ConfigMap\\\",");
        assertThat(merged.path("details").propertyNames()).containsExactly("causes");
        JsonNode strategic = requests.send("PATCH", CONFIG_MAPS + "/c?fieldValidation=Strict", STRATEGIC, "{\"foo\":{\"b\":1,\"a\":null}}")
                .json();
        assertThat(strategic.path("message").asString())
                .isEqualTo(" \"\" is invalid: patch: Invalid value: \"map[foo:map[a:<nil> b:1]]\": strict decoding error: unknown field "
                        + "\"foo\"");
    }

    @Test
    void whatIsAppliedHasToBeKnown() {
        String widget =
                "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\"},\"spec\":{\"size\":1,\"foo\":1}}";
        Requests.Answered refused = requests.send("PATCH", WIDGETS + "/w?fieldManager=me&fieldValidation=Ignore", APPLY, widget);
        assertThat(refused.status()).isEqualTo(500);
        assertThat(refused.json().path("message").asString())
                .isEqualTo("failed to create typed patch object (/w; example.com/v1, Kind=Widget): .spec.foo: field not declared in "
                        + "schema");
        String configMap =
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"n\",\"namespace\":\"default\"},\"foo\":1,"
                + "\"bar\":2}";
        assertThat(requests.send("PATCH", CONFIG_MAPS + "/n?fieldManager=me", APPLY, configMap).json().path("message").asString())
                .isEqualTo(
                "failed to create typed patch object (default/n; /v1, Kind=ConfigMap): errors:\n  .foo: field not declared in schema\n  "
                        + ".bar: field not declared in schema");
        assertThat(requests.get(CONFIG_MAPS + "/n").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "{\"apiVersion\":\"apps/v9\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"n\"}}",
                "{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"n\"}}",
        "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"n\"}}",
                "{\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"n\"}}",
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"other\"}}", "[]"
    })
    void whatIsAppliedHasToBeTheObjectOfThePath(String body) {
        Requests.Answered refused = requests.send("PATCH", CONFIG_MAPS + "/n?fieldManager=me", APPLY, body);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().path("reason").asString()).isEqualTo("BadRequest");
        if (body.contains("v9")) {
            assertThat(refused.json().path("message").asString())
                    .isEqualTo("Incorrect version specified in apply patch. Specified patch version: apps/v9, expected: v1");
        }
        assertThat(requests.get(CONFIG_MAPS + "/n").status()).isEqualTo(404);
    }

    static Stream<Arguments> patchesThatMakeSomethingElse() {
        return Stream.of(
                arguments(CONFIG_MAPS + "/c", MERGE, "{\"kind\":\"Secret\"}", 422),
                arguments(CONFIG_MAPS + "/c", STRATEGIC, "{\"apiVersion\":\"v2\"}", 200), // which changes nothing
                arguments(CONFIG_MAPS + "/c", JSON_PATCH, "[{\"op\":\"remove\",\"path\":\"/kind\"}]", 422),
                arguments(WIDGETS + "/w", MERGE, "{\"apiVersion\":\"example.com/v9\"}", 422),
                arguments(CONFIG_MAPS + "/c", MERGE, "{\"metadata\":{\"name\":\"other\"}}", 400));
    }

    @ParameterizedTest
    @MethodSource("patchesThatMakeSomethingElse")
    void aPatchLeavesTheObjectWhatItIs(String uri, Headers headers, String body, int status) {
        String before = server.resourceVersion();
        assertThat(requests.send("PATCH", uri, headers, body).status()).isEqualTo(status);
        assertThat(server.resourceVersion()).isEqualTo(before);
    }

    @Test
    void anAppliedStatusIsItsManagersAndNothingElse() {
        String status =
                "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\"},\"spec\":{\"size\":7},"
                + "\"status\":{\"ready\":true}}";
        JsonNode applied = requests.send("PATCH", WIDGETS + "/w/status?fieldManager=me", APPLY, status).json();
        assertThat(applied.path("spec")).hasToString("{\"size\":1}");
        assertThat(applied.path("status")).hasToString("{\"ready\":true}");
        JsonNode entry = applied.at("/metadata/managedFields").valueStream().filter(each -> each.path("manager").asString().equals("me"))
                .findFirst().orElseThrow();
        assertThat(entry.path("subresource").asString()).isEqualTo("status");
        assertThat(entry.path("fieldsV1")).hasToString("{\"f:status\":{\"f:ready\":{}}}");
        assertThat(requests.send("PATCH", WIDGETS + "/none/status?fieldManager=me", APPLY, status.replace("\"w\"", "\"none\"")).status())
                .isEqualTo(404);
    }

    @Test
    void duplicatesInAPatchAreReportedToo() {
        Requests.Answered merged = requests.send("PATCH", CONFIG_MAPS + "/c", MERGE, "{\"data\":{\"k\":\"2\",\"k\":\"3\"}}");
        assertThat(merged.headers().all("Warning")).containsExactly("299 - \"duplicate field \\\"data.k\\\"\"");
        Requests.Answered listed = requests.send("PATCH", CONFIG_MAPS + "/c", JSON_PATCH,
                "[{\"op\":\"add\",\"op\":\"replace\",\"path\":\"/data/k\",\"value\":\"4\"}]");
        assertThat(listed.headers().all("Warning")).containsExactly("299 - \"json patch duplicate field \\\"[0].op\\\"\"");
    }

    /** So that a test whose fixture has a typing error does not log it again and again. */
    @Test
    void aPatchIsNotBlamedForWhatTheTestsOwnHandHasWritten() {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: f}, foo: 1}");
        Requests.Answered patched = requests.send("PATCH", CONFIG_MAPS + "/f?fieldValidation=Strict", MERGE, "{\"data\":{\"k\":\"2\"}}");
        assertThat(patched.status()).isEqualTo(200);
    }

    @Test
    void saysAsMuchOfUnknownAndDoubleFieldsAsTheRequestWants() {
        String body = "{\"metadata\":{\"name\":\"c%d\"},\"data\":{\"k\":\"1\",\"k\":\"2\"},\"foo\":1}";
        String uri = "/api/v1/namespaces/default/configmaps";
        Requests.Answered warned = requests.post(uri, body.formatted(1));
        assertThat(warned.headers().all("Warning"))
                .containsExactly("299 - \"duplicate field \\\"data.k\\\"\"", "299 - \"unknown field \\\"foo\\\"\"");
        assertThat(warned.json().has("foo")).isFalse();
        Requests.Answered strict = requests.post(uri + "?fieldValidation=Strict", body.formatted(2));
        assertThat(strict.status()).isEqualTo(400);
        assertThat(strict.json().path("message").asString())
                .isEqualTo("ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: duplicate field "
                        + "\"data.k\", unknown field \"foo\"");
        assertThat(requests.post(uri + "?fieldValidation=Ignore", body.formatted(3)).headers().all("Warning")).isEmpty();
        String pod = "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\","
                + "\"imagePulPolicy\":\"Always\"}]}}";
        assertThat(requests.post("/api/v1/namespaces/default/pods?fieldValidation=Strict", pod).json().path("message").asString())
                .endsWith("unknown field \"spec.containers[0].imagePulPolicy\"");
    }
}
