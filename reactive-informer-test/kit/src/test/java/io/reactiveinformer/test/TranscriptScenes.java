package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.Selection;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.TranscriptReplay.Quiet;
import io.reactiveinformer.test.TranscriptReplay.Scene;
import io.reactiveinformer.test.faults.FaultSetup;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the objects alone do not show of a recorded situation: users, load, a store that does not answer. */
final class TranscriptScenes {

    private static final Scene USERS =
            server -> server.access().admin("test-admin-token", "admin").user("viewer-token", "viewer");
    private static final Scene UNBOUND = server -> { // as is noted there: on another connection
        USERS.prepare(server);
        server.objects().delete("{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: w, namespace: t11}}");
    };
    private static final Scene BUSY = server -> server.faults().onList("configmaps").tooManyRequests(Duration.ofSeconds(1));
    private static final Scene INITIALIZING = server -> onWidgets(server).initializing();
    private static final String WIDGET_DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: widgets.demo.example.com}
            spec:
              group: demo.example.com
              scope: Namespaced
              names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList, shortNames: [wd], categories: [all]}
              versions:
              - {name: v1, served: true, storage: true, subresources: {status: {}}, schema: &any {openAPIV3Schema: {
                  type: object, x-kubernetes-preserve-unknown-fields: true}}}
              - {name: v1beta1, served: true, storage: false, deprecated: true, subresources: {status: {}}, schema: *any}
            """;
    private static final Scene WIDGETS = server -> {
        server.objects().create(WIDGET_DEFINITION);
    };

    private static final Scene STORE_DOWN = new Scene() {
        @Override
        public void prepare(FakeApiServer server) {
            server.faults().storeDown();
        }

        @Override
        public boolean withoutBookmarks() {
            return true;
        }
    };

    private TranscriptScenes() {}

    /** A server that ends within a minute completes its watches. */
    private static Scene stopsAfter(int events) {
        return server -> server.faults().onWatch("configmaps").after(events).events().truncate();
    }

    /** What is not ready for longest, and {@code also} this. */
    private static void starting(FakeApiServer server, String... also) {
        String[] checks = Stream.concat(Stream.of(also), Stream.of("rbac/bootstrap-roles", "start-apiextensions-controllers",
                "start-kube-apiserver-identity-lease-controller", "start-service-ip-repair-controllers",
                "scheduling/bootstrap-system-priority-classes", "priority-and-fairness-config-producer",
                "start-kubernetes-service-cidr-controller", "apiservice-registration-controller", "apiservice-discovery-controller")
                .map(check -> "poststarthook/" + check)).toArray(String[]::new);
        server.faults().onRequest("readiness", request -> request.path().equals("/readyz")).checksFail(checks);
    }

    /** The type is not served at that time. */
    private static FaultSetup onWidgets(FakeApiServer server) {
        return server.faults().onRequest("list widgets", request -> request.isAbout("widgets"));
    }

    /** The recordings that tell which objects there were. */
    static List<String> statesOf(String file) {
        return switch (file) {
            case "03-list-rv0-limit", "04-list-rv-match" -> List.of("02-list-paged", "04-list-rv-match", file);
            case "09-continue-expired", "09b-no-watch-cache" -> List.of("08-watch-too-old", file);
            case "07-watch-timeout" -> List.of("05-watch-events", file);
            case "12-watchlist-invalid", "15-not-found", "14-forbidden" -> List.of("11-watchlist", file);
            case "21-crd-changes-during-watch" -> List.of("20-crd", file);
            default -> List.of(file);
        };
    }

    /** By the number of the exchange; 0 is for all others. */
    static Map<Integer, Scene> of(String file) {
        return switch (file) {
            case "07b-server-side-timeout", "35-rv-goes-backwards" -> Map.of(0, Quiet.INSTANCE);
            case "26-apiserver-stops" -> Map.of(0, Quiet.INSTANCE, 4, stopsAfter(1), 5, stopsAfter(3));
            case "32-etcd-down" -> Map.of(0, STORE_DOWN, 1, Quiet.INSTANCE);
            case "09b-no-watch-cache" -> Map.of(0, new Uncached(false));
            case "08-watch-too-old" -> Map.of(10, new Uncached(true), 11, new Uncached(true));
            case "07-watch-timeout" -> Map.of(3, new Scene() {
                @Override
                public void prepare(FakeApiServer server) {}

                @Override
                public boolean lacks(String name) {
                    return name.equals("before");
                }
            });
            case "13-unauthorized" -> Map.of(0, USERS);
            case "14-forbidden" -> Map.of(0, USERS, 14, UNBOUND);
            case "16-too-many-requests" -> Map.of(1, BUSY, 4, BUSY);
            case "21-crd-changes-during-watch" -> Map.of(
                    4, NOT_SERVED, 5, INITIALIZING, 6, Quiet.INSTANCE, 7, WITHOUT_WIDGETS,
                    8, WITHOUT_WIDGETS, 9, WITHOUT_WIDGETS, 10, WITHOUT_WIDGETS,
                    11, WIDGETS_FROM_THE_START, 12, WIDGETS_FROM_THE_START);
            case "41-protobuf-cbor" -> Map.of(3, WIDGETS_FROM_THE_START);
            case "17-selectors" -> Map.of(7, server -> label(server, "p1", "x", "1"));
            case "23-writes" -> Map.of(36, server -> bind(server, "p", "n1"));
            case "24-discovery" -> Map.of(0, WIDGETS_FROM_THE_START);
            case "22-gzip" -> Map.of(5, WIDGETS);
            case "11-watchlist" -> Map.of(8, Quiet.INSTANCE);
            case "26b-graceful-with-delay" -> Map.of(5, server -> server.faults().onList("configmaps").shuttingDown());
            case "34-startup" -> Map.of(7, USERS, 8, server -> onWidgets(server).notReady(),
                    10, server -> starting(server, "informer-sync", "poststarthook/crd-informer-synced",
                            "poststarthook/bootstrap-controller", "autoregister-completion"),
                    12, TranscriptScenes::starting,
                    13, INITIALIZING, 14, WIDGETS_FROM_THE_START);
            default -> Map.of();
        };
    }

    private static final Scene WIDGETS_FROM_THE_START = new Scene() {
        @Override
        public void build(FakeApiServer.Builder builder) {
            builder.with(WIDGET_DEFINITION);
        }

        @Override
        public void prepare(FakeApiServer server) {}
    };

    private static final ResourceType<JsonNode> DEFINITIONS =
            ResourceType.dynamic("apiextensions.k8s.io", "v1", "customresourcedefinitions");
    private static final ObjectKey WIDGETS_KEY = ObjectKey.of(null, "widgets.demo.example.com");

    /** By a change on another connection: v1beta1 is no longer served. */
    private static final Scene NOT_SERVED = server -> server.objects().edit(DEFINITIONS, WIDGETS_KEY, definition -> {
        ((ObjectNode) definition.at("/spec/versions/1")).put("served", false);
        return definition;
    });

    /** @param compacted after a change on another connection */
    private record Uncached(boolean compacted) implements Scene {

        @Override
        public void build(FakeApiServer.Builder builder) {
            builder.withoutWatchCache();
        }

        @Override
        public void prepare(FakeApiServer server) {
            if (compacted) {
                server.cluster().advanceTo(server.cluster().version() + 1);
                server.compact();
            }
        }
    }

    /** By a deletion on another connection. */
    private static final Scene WITHOUT_WIDGETS = new Scene() {
        @Override
        public void prepare(FakeApiServer server) {}

        @Override
        public boolean lacks(String name) {
            return name.equals("widgets.demo.example.com");
        }
    };

    private static void label(FakeApiServer server, String pod, String label, String value) {
        change(server, pod, tree -> {
            tree.withObject("/metadata/labels").put(label, value);
            ((ObjectNode) tree.at("/metadata/managedFields/0/fieldsV1/f:metadata/f:labels")).putObject("f:" + label);
        });
    }

    /** As the request before did, whose answer does not show the pod. */
    private static void bind(FakeApiServer server, String pod, String node) {
        change(server, pod, tree -> {
            tree.withObject("/spec").put("nodeName", node);
            tree.withObject("/metadata").put("resourceVersion", "" + server.cluster().version());
            ((ArrayNode) tree.at("/status/conditions")).addObject().put("type", "PodScheduled").put("status", "True")
                    .putNull("lastProbeTime").put("lastTransitionTime", Json.text(tree.path("metadata"), "creationTimestamp"));
        });
    }

    private static void change(FakeApiServer server, String pod, Consumer<ObjectNode> change) {
        var pods = server.cluster().types().find("", "pods").orElseThrow();
        server.cluster().list(pods, Selection.all(), null).objects().stream().filter(object -> object.name().equals(pod))
                .forEach(object -> {
                    ObjectNode tree = object.tree();
                    change.accept(tree);
                    server.cluster().load(pods, tree);
                });
    }
}
