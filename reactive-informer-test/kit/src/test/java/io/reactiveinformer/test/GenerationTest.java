package io.reactiveinformer.test;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** A write without a request counts the generation as the same write with a request does. */
class GenerationTest {

    private static final String WIDGETS = Widgets.definition("Namespaced",
            Widgets.version("v1", true, "{type: object, x-kubernetes-preserve-unknown-fields: true}"),
            Widgets.version("v2", false, "{type: object, x-kubernetes-preserve-unknown-fields: true}"));
    private static final String GADGETS = Widgets.definition("Namespaced", Widgets.ANY)
            .replace("widget", "gadget").replace("Widget", "Gadget");

    private final FakeApiServer server =
            FakeApiServer.builder().scheduler(VirtualTimeScheduler.create()).with(WIDGETS).with(GADGETS).build();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
            "example.com, v1, widgets, Widget, size, 2", "example.com, v1, widgets, Widget, status, 1",
            "example.com, v1, widgets, Widget, labels, 1", "example.com, v2, widgets, Widget, size, 2",
            "example.com, v1, gadgets, Gadget, size, 2", "example.com, v1, gadgets, Gadget, status, 2",
            "apps, v1, replicasets, ReplicaSet, replicas, 2", "apps, v1, replicasets, ReplicaSet, status, 1",
            "'', v1, pods, Pod, labels, 1", "'', v1, pods, Pod, status, 1", "'', v1, pods, Pod, activeDeadlineSeconds, 2",
            "'', v1, persistentvolumeclaims, PersistentVolumeClaim, volumeName, 0", "'', v1, configmaps, ConfigMap, data, 0"})
    void isCountedWithAndWithoutARequest(String group, String version, String plural, String kind, String part, int generation) {
        ResourceType<JsonNode> type = ResourceType.dynamic(group, version, plural);
        String apiVersion = group.isEmpty() ? version : group + "/" + version;
        String collection = (group.isEmpty() ? "/api/" : "/apis/") + apiVersion + "/namespaces/default/" + plural;
        for (String name : new String[] {"edited", "replaced", "requested"}) {
            server.objects().create("{apiVersion: %s, kind: %s, metadata: {name: %s}%s}".formatted(apiVersion, kind, name, spec(kind)));
        }
        UnaryOperator<ObjectNode> change = object -> changed(object, part);
        server.objects().edit(type, key("edited"), change);
        server.objects().update(change.apply(server.objects().get(type, key("replaced")).orElseThrow()));
        ObjectNode wanted = change.apply(server.objects().get(type, key("requested")).orElseThrow());
        String path = collection + "/requested" + (part.equals("status") && !plural.equals("gadgets") ? "/status" : "");
        assertThat(requests.send("PUT", path, Headers.of("Content-Type", "application/json"), wanted.toString()).status()).isEqualTo(200);
        assertThat(generation(type, "requested")).as("requested").isEqualTo(generation);
        assertThat(generation(type, "edited")).as("edited").isEqualTo(generation);
        assertThat(generation(type, "replaced")).as("replaced").isEqualTo(generation);
    }

    /** A number is the same whichever class of the caller's tree holds it. */
    @Test
    void aWriteOfWhatIsThereChangesNothing() {
        ResourceType<JsonNode> type = ResourceType.dynamic("example.com", "v1", "widgets");
        server.objects().create("{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {replicas: 3}}");
        String version = server.resourceVersion();
        UnaryOperator<ObjectNode> change = widget -> {
            widget.withObject("/spec").put("replicas", 3L);
            return widget;
        };
        server.objects().edit(type, key("w"), change);
        server.objects().update(change.apply(server.objects().get(type, key("w")).orElseThrow()));
        assertThat(server.resourceVersion()).isEqualTo(version);
        assertThat(generation(type, "w")).isEqualTo(1);
    }

    private static String spec(String kind) {
        return switch (kind) {
            case "ConfigMap" -> "";
            case "Pod" -> ", spec: {activeDeadlineSeconds: 10, containers: [{name: c, image: i}]}";
            case "ReplicaSet" -> ", spec: {replicas: 1, selector: {matchLabels: {app: a}}, "
                    + "template: {metadata: {labels: {app: a}}, spec: {containers: [{name: c, image: i}]}}}";
            case "PersistentVolumeClaim" -> ", spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}";
            default -> ", spec: {size: 1}";
        };
    }

    private static ObjectNode changed(ObjectNode object, String part) {
        switch (part) {
            case "labels" -> object.withObject("/metadata/labels").put("a", "b");
            case "status" -> object.withObject("/status").put("phase", "Running").put("replicas", 1);
            case "data" -> object.withObject("/data").put("a", "b");
            case "volumeName" -> object.withObject("/spec").put("volumeName", "v");
            default -> object.withObject("/spec").put(part, 5);
        }
        return object;
    }

    private static ObjectKey key(String name) {
        return ObjectKey.of("default", name);
    }

    private int generation(ResourceType<JsonNode> type, String name) {
        return server.objects().get(type, key(name)).orElseThrow().at("/metadata/generation").asInt(0);
    }
}
