package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.Backup;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * A custom type of two versions with schemas of their own, and no webhook between them: what is sent is read by the schema of the version
 * that it is sent to, and stored by that of the other. The first version served is not the one that is stored.
 */
class CustomVersionsTest {

    private static final String OLD = "/apis/example.com/v1beta1/widgets";
    private static final String NEW = "/apis/example.com/v1/widgets";
    private static final String OLD_SPEC = "{type: object, properties: {size: {type: integer, maximum: 5}, legacy: {type: string}}}";
    private static final String NEW_SPEC =
            "{type: object, properties: {size: {type: integer, maximum: 50}, color: {type: string}, pace: {type: integer, default: 3}}}";
    private static final Headers MERGE = Headers.of("Content-Type", "application/merge-patch+json");
    private static final Headers JSON = Headers.of("Content-Type", "application/json");

    private final FakeApiServer server = FakeApiServer.builder()
            .with(Widgets.definition("Cluster", Widgets.version("v1beta1", false, OLD_SPEC), Widgets.version("v1", true, NEW_SPEC)))
            .build();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    private static String widget(String version, String spec) {
        return "{\"apiVersion\":\"example.com/" + version + "\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\"},\"spec\":" + spec + "}";
    }

    private String spec(String uri) {
        return requests.get(uri + "/w").json().path("spec").toString();
    }

    static Stream<Arguments> updates() {
        String applied = widget("v1", "{\"size\":7,\"color\":\"red\"}");
        return Stream.of(
                arguments("PUT", JSON, applied),
                arguments("PATCH", MERGE, "{\"spec\":{\"size\":7,\"color\":\"red\"}}"),
                arguments("PATCH", Headers.of("Content-Type", "application/json-patch+json"),
                        "[{\"op\":\"replace\",\"path\":\"/spec\",\"value\":{\"size\":7,\"color\":\"red\"}}]"),
                arguments("PATCH", Headers.of("Content-Type", "application/apply-patch+yaml"), applied));
    }

    @ParameterizedTest
    @MethodSource("updates")
    void anUpdateIsReadByTheSchemaOfItsVersion(String method, Headers headers, String body) {
        String version = requests.post(NEW, widget("v1", "{\"size\":6}")).json().at("/metadata/resourceVersion").asString();
        String sent = method.equals("PUT") ? body.replace("\"metadata\":{", "\"metadata\":{\"resourceVersion\":\"" + version + "\",")
                : body;
        Requests.Answered changed = requests.send(method, NEW + "/w?fieldManager=me&force=true", headers, sent);
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.json().path("apiVersion").asString()).isEqualTo("example.com/v1");
        assertThat(changed.json().path("spec")).hasToString("{\"color\":\"red\",\"pace\":3,\"size\":7}");
        assertThat(changed.json().at("/metadata/managedFields").valueStream().map(entry -> entry.path("apiVersion").asString()))
                .containsOnly("example.com/v1");
    }

    @Test
    void anUpdateOfTheStatusLeavesTheSpecificationAlone() {
        requests.post(NEW, widget("v1", "{\"size\":6,\"color\":\"red\"}"));
        JsonNode changed = requests.send("PATCH", NEW + "/w/status", MERGE, "{\"status\":{\"ready\":true}}").json();
        assertThat(changed.path("spec")).hasToString("{\"color\":\"red\",\"pace\":3,\"size\":6}");
        assertThat(changed.path("status")).hasToString("{\"ready\":true}");
    }

    @Test
    void eachVersionHasItsOwnBounds() {
        requests.post(NEW, widget("v1", "{\"size\":6}"));
        assertThat(requests.send("PATCH", NEW + "/w", MERGE, "{\"spec\":{\"size\":49}}").status()).isEqualTo(200);
        Requests.Answered refused = requests.send("PATCH", OLD + "/w", MERGE, "{\"spec\":{\"size\":8}}");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.json().path("message").asString()).contains("spec.size in body should be less than or equal to 5");
    }

    @Test
    void aVersionShowsWhatItKnowsOfWhatTheStoredOneKnows() {
        requests.post(NEW, widget("v1", "{\"size\":5,\"color\":\"red\"}"));
        assertThat(spec(OLD)).isEqualTo("{\"size\":5}");
        assertThat(spec(NEW)).isEqualTo("{\"color\":\"red\",\"pace\":3,\"size\":5}");
        assertThat(requests.get(OLD).json().at("/items/0/spec")).hasToString("{\"size\":5}");
        assertThat(requests.watch(OLD + "?watch=true&resourceVersion=0").blockFirst()).contains("\"spec\":{\"size\":5}");
    }

    @Test
    void whatTheStoredVersionDoesNotKnowIsLost() {
        JsonNode created = requests.post(OLD, widget("v1beta1", "{\"size\":5,\"legacy\":\"yes\"}")).json();
        assertThat(created.path("apiVersion").asString()).isEqualTo("example.com/v1beta1");
        assertThat(created.path("spec")).hasToString("{\"size\":5}");
        requests.send("PATCH", NEW + "/w", MERGE, "{\"spec\":{\"color\":\"red\"}}");
        requests.send("PATCH", OLD + "/w", MERGE, "{\"spec\":{\"size\":4}}");
        assertThat(spec(NEW)).as("who writes in the old version does not send the color").isEqualTo("{\"pace\":3,\"size\":4}");
    }

    @Test
    void theTestsOwnHandWritesInTheVersionThatItNames() {
        server.objects().create(widget("v1", "{\"size\":6}"));
        server.objects().update(widget("v1", "{\"size\":7,\"color\":\"red\"}"));
        ResourceType<JsonNode> widgets = ResourceType.dynamic("example.com", "v1", "widgets");
        ObjectKey key = ObjectKey.of(null, "w");
        JsonNode edited = server.objects().edit(widgets, key, tree -> {
            tree.withObject("/spec").put("size", 8);
            return tree;
        });
        assertThat(edited.path("apiVersion").asString()).isEqualTo("example.com/v1");
        assertThat(edited.path("spec")).hasToString("{\"color\":\"red\",\"pace\":3,\"size\":8}");
        assertThat(server.objects().get(widgets, key)).contains((ObjectNode) edited);
    }

    @Test
    void aBackupKeepsWhatOnlyTheStoredVersionKnows() {
        requests.post(NEW, widget("v1", "{\"size\":6,\"color\":\"red\"}"));
        server.restore(Backup.parse(server.backup().text()));
        assertThat(spec(NEW)).isEqualTo("{\"color\":\"red\",\"pace\":3,\"size\":6}");
    }

    @Test
    void aNewDefinitionIsThatOfObjectsThatAreThereToo() {
        requests.post(NEW, widget("v1", "{\"size\":6,\"color\":\"red\"}"));
        server.objects()
                .update(Widgets.definition("Cluster",
                Widgets.version("v1", true, "{type: object, properties: {size: {type: integer}, shape: {type: string, default: round}}}")));
        assertThat(spec(NEW)).isEqualTo("{\"shape\":\"round\",\"size\":6}");
        server.objects().update(Widgets.definition("Cluster", Widgets.version("v1", true, NEW_SPEC)));
        assertThat(spec(NEW)).as("what is not shown is still stored").isEqualTo("{\"color\":\"red\",\"pace\":3,\"size\":6}");
    }

    private void redefine() {
        requests.post(NEW, widget("v1", "{\"size\":6,\"color\":\"red\"}"));
        server.objects()
                .update(Widgets.definition("Cluster",
                Widgets.version("v1", true, "{type: object, properties: {size: {type: integer}, shape: {type: string, default: round}}}")));
    }

    @Test
    void aBackupsTextShowsObjectsByTheDefinitionInForce() {
        redefine();
        server.restore(Backup.parse(server.backup().text()));
        assertThat(spec(NEW)).isEqualTo("{\"shape\":\"round\",\"size\":6}");
    }

    @Test
    void aDeletionShowsTheObjectByTheDefinitionInForce() {
        redefine();
        requests.send("PATCH", NEW + "/w", MERGE, "{\"metadata\":{\"finalizers\":[\"example.com/f\"]}}");
        server.objects()
                .update(Widgets.definition("Cluster", Widgets.version("v1", true, "{type: object, properties: {shape: {type: string}}}")));
        assertThat(requests.send("DELETE", NEW + "/w", JSON, null).json().path("spec")).hasToString("{\"shape\":\"round\"}");
    }
}
