package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServicePort;
import io.kubernetes.client.openapi.models.V1ServiceSpec;
import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.controller.Dependents.Row;
import io.reactiveinformer.controller.Dependents.State;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.view.Delivery;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class DependentsTest extends WebsitesFixture {

    private static final ResourceType<V1Deployment> DEPLOYMENTS = ResourceType.of(V1Deployment.class);
    private static final ResourceType<V1Service> SERVICES = ResourceType.of(V1Service.class);
    private static final ResourceType<V1ConfigMap> PAGES = ResourceType.of(V1ConfigMap.class);

    private final Informer<V1Deployment> deployments = informers.of(DEPLOYMENTS);
    private final Informer<V1Service> services = informers.of(SERVICES);
    private final Informer<V1ConfigMap> pages = informers.of(PAGES);
    private final List<Dependents.Report> reports = new ArrayList<>();
    private Dependents<Website> dependents = Dependents.of(client, WEBSITES, DependentsTest::desired)
            .kind(DEPLOYMENTS, deployments).kind(SERVICES, services).kind(PAGES, pages);

    private static List<?> desired(Website website) {
        String name = website.metadata().getName();
        List<Object> desired = new ArrayList<>();
        if (website.spec().parts() > 0) {
            desired.add(tree("{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"" + name + "\"},"
                    + "\"spec\":{\"selector\":"
                    + "{\"matchLabels\":{\"app\":\"" + name + "\"}},\"template\":{\"metadata\":{\"labels\":{\"app\":\"" + name + "\"}},"
                    + "\"spec\":{\"containers\":[{\"name\":\"web\",\"image\":\"nginx\",\"ports\":[{\"containerPort\":80}]}]}}}}"));
        }
        if (website.spec().parts() > 1) {
            desired.add(new V1Service().metadata(new V1ObjectMeta().name(name).labels(Map.of("a", "b")))
                    .spec(new V1ServiceSpec().selector(Map.of("app", name)).addPortsItem(new V1ServicePort().port(80))));
        }
        if (website.spec().parts() > 2) {
            desired.add(new V1ConfigMap().metadata(new V1ObjectMeta().name(name).namespace("shop")).data(Map.of("x", "y")));
        }
        return desired;
    }

    private static JsonNode tree(String json) {
        return JsonMapper.shared().readTree(json);
    }

    private Controller<ObjectKey> controller(Duration resync) {
        return Controller.named("websites")
                .reconciles(WEBSITES, websites, UpdateFilter.generation())
                .owns(deployments)
                .owns(services)
                .owns(pages)
                .delivery(Delivery.conflated().resync(resync))
                .reconcile(request -> websites.lister().get(request.key())
                        .map(website -> dependents.reconcile(request, website).doOnNext(reports::add).map(Dependents.Report::result))
                        .orElse(Mono.empty()));
    }

    private void begin() {
        create("home", "");
        controller(Duration.ofHours(1)).start();
        start();
    }

    private void parts(int parts) {
        client.resources(WEBSITES).patch(HOME, Patch.merge(Map.of("spec", Map.of("parts", parts)))).block();
        clock.advance(Duration.ofSeconds(5));
    }

    private List<State> states() {
        return reports.get(reports.size() - 1).rows().stream().map(Row::state).toList();
    }

    @Test
    void createsInOrderAndDeletesWhatIsNotDesiredAnyMore() {
        begin();
        parts(3);
        assertThat(server.requests().writes()).extracting(ApiRequest::plural).contains("deployments", "services", "configmaps");
        JsonNode service = server.objects().get(SERVICES, HOME).orElseThrow();
        assertThat(service.at("/metadata/ownerReferences/0/uid")).isEqualTo(stored().at("/metadata/uid"));
        assertThat(service.at("/metadata/labels/" + Dependents.LABEL.replace("/", "~1")).asString()).isEqualTo("websites");
        parts(1);
        assertThat(server.objects().get(SERVICES, HOME)).isEmpty();
        assertThat(server.objects().get(PAGES, HOME)).isEmpty();
        assertThat(server.objects().get(DEPLOYMENTS, HOME)).isPresent();
        assertThat(reports.stream().flatMap(report -> report.rows().stream()).filter(row -> row.state() == State.DELETED)).hasSize(2);
        assertThat(states()).containsExactly(State.UNCHANGED);
        assertThat(server.requests().writes().stream().filter(each -> each.verb() == ApiRequest.Verb.DELETE)).hasSize(2);
    }

    @Test
    void fiveHundredOwnersAtRestWriteNothing() {
        for (int i = 0; i < 500; i++) {
            create("site-" + i, "");
        }
        Controller<ObjectKey> controller = controller(Duration.ofMinutes(10));
        controller.start();
        start();
        clock.advance(Duration.ofMinutes(1));
        assertThat(server.objects().list(SERVICES)).hasSize(500);
        server.requests().clear();
        reports.clear();
        clock.advance(Duration.ofHours(1));
        assertThat(reports).hasSizeGreaterThan(2500).allMatch(Dependents.Report::isReady);
        assertThat(server.requests().writes()).isEmpty();
        assertThat(server.requests().all()).filteredOn(each -> each.verb() == ApiRequest.Verb.GET && each.name() != null).isEmpty();
        controller.close();
    }

    @Test
    void aRestartAtRestWritesNothing() {
        begin();
        server.requests().clear();
        dependents = Dependents.of(client, WEBSITES, DependentsTest::desired)
                .kind(DEPLOYMENTS, deployments).kind(SERVICES, services).kind(PAGES, pages);
        Dependents.Report report = dependents.reconcile(request(), cached()).block();
        assertThat(report.rows()).extracting(Row::state).containsExactly(State.UNCHANGED, State.UNCHANGED);
        assertThat(server.requests().writes()).isEmpty();
    }

    @Test
    void repairsWhatOthersDeleteAndChange() {
        begin();
        server.objects().delete(SERVICES, HOME);
        client.resources(DEPLOYMENTS).patch(HOME, Patch.merge(Map.of("spec", Map.of("replicas", 9,
                "template", Map.of("metadata", Map.of("labels", Map.of("app", "other"))))))).onErrorComplete().block();
        client.resources(DEPLOYMENTS).patch(HOME, Patch.merge(tree("{\"metadata\":{\"labels\":null,\"ownerReferences\":null}}"))).block();
        clock.advance(Duration.ofHours(2)); // nobody owns it any more: the resync finds it
        assertThat(server.objects().get(SERVICES, HOME)).isPresent();
        JsonNode deployment = server.objects().get(DEPLOYMENTS, HOME).orElseThrow();
        assertThat(deployment.at("/metadata/ownerReferences")).hasSize(1);
        assertThat(deployment.at("/spec/template/metadata/labels/app").asString()).isEqualTo("home");
    }

    /** Each field of each dependent, set to another value and removed, by another writer: it is back after one look. */
    @Test
    void driftInEachFieldIsRepairedWithinOneLook() {
        begin();
        parts(3);
        client.resources(DEPLOYMENTS).scale().patch(HOME, Patch.merge(Map.of("spec", Map.of("replicas", 7)))).block(); // as autoscalers do
        server.objects().edit(SERVICES, HOME, tree -> {
            tree.withObject("metadata").withObject("annotations").put("example.com/theirs", "yes");
            return tree;
        });
        clock.advance(Duration.ofSeconds(5));
        int drifts = 0;
        for (ResourceType<?> type : List.of(DEPLOYMENTS, SERVICES, PAGES)) {
            JsonNode desired = applied(type);
            for (String field : fields(desired, "")) {
                for (boolean removed : new boolean[] {true, false}) {
                    server.requests().clear();
                    if (drifts(type, field, removed)) {
                        drifts++;
                        clock.advance(Duration.ofSeconds(2));
                        JsonNode now = server.objects().get(type, HOME).orElseThrow();
                        assertThat(contains(now, desired)).as("%s %s %s: %s", type, field, removed ? "removed" : "changed", now).isTrue();
                        assertThat(states()).as("%s %s", type, field).containsOnly(State.UNCHANGED);
                        assertThat(server.requests().writes()).as("%s %s: the drift, and its repair", type, field).hasSize(2);
                    }
                }
            }
        }
        assertThat(drifts).as("without a template's label and image").isEqualTo(13);
        assertThat(server.objects().get(DEPLOYMENTS, HOME).orElseThrow().at("/spec/replicas").asInt()).isEqualTo(7);
        assertThat(server.objects().get(SERVICES, HOME).orElseThrow().at("/metadata/annotations/example.com~1theirs").asString())
                .isEqualTo("yes");
    }

    /** What the controller applies. */
    private JsonNode applied(ResourceType<?> type) {
        Object object = desired(cached()).get(List.of(DEPLOYMENTS, SERVICES, PAGES).indexOf(type));
        ObjectNode tree = tree(new String(ObjectCodec.create().write(object), StandardCharsets.UTF_8)).asObject();
        tree.withObject("metadata").withObject("labels").put(Dependents.LABEL, "websites");
        return tree;
    }

    /** JSON pointers of all values, but those that name an object or may not be changed. */
    private static List<String> fields(JsonNode tree, String path) {
        if (List.of("/apiVersion", "/kind", "/metadata/name", "/metadata/namespace", "/spec/selector/matchLabels").contains(path)
                || path.matches(".*/(containers/0/name|ports/0/(containerP|p)ort)")) { // with another key it is another element
            return List.of();
        }
        List<String> fields = new ArrayList<>();
        if (tree instanceof ObjectNode object) {
            object.forEachEntry((name, value) -> fields.addAll(fields(value, path + "/" + name.replace("~", "~0").replace("/", "~1"))));
        } else if (tree.isArray()) {
            for (int i = 0; i < tree.size(); i++) {
                fields.addAll(fields(tree.get(i), path + "/" + i));
            }
        } else {
            fields.add(path);
        }
        return fields;
    }

    /** Lets another writer change or remove a field; false if the server refuses that. */
    private boolean drifts(ResourceType<?> type, String field, boolean removed) {
        JsonNode stored = server.objects().get(type, HOME).orElseThrow();
        JsonNode value = stored.at(field);
        Object other = value.isNumber() ? value.asInt() + 1 : value.asString() + "-theirs";
        Object operation = removed ? Map.of("op", "remove", "path", field) : Map.of("op", "replace", "path", field, "value", other);
        return Boolean.TRUE.equals(client.resources(type).patch(HOME, Patch.json(List.of(operation))).map(any -> true)
                .onErrorReturn(StatusException.class, false).block());
    }

    /** Whether all of {@code desired} is in {@code now}; lists may have more elements. */
    private static boolean contains(JsonNode now, JsonNode desired) {
        if (desired.isObject()) {
            return desired.properties().stream()
                    .allMatch(each -> now.has(each.getKey()) && contains(now.get(each.getKey()), each.getValue()));
        } else if (desired.isArray()) {
            return desired.valueStream().allMatch(each -> now.valueStream().anyMatch(found -> contains(found, each)));
        }
        return now.equals(desired);
    }

    @Test
    void waitsForOneBeforeTheNext() {
        dependents = dependents.waitFor(DEPLOYMENTS, each -> each.getStatus() != null
                && Integer.valueOf(1).equals(each.getStatus().getAvailableReplicas()));
        begin();
        assertThat(states()).containsExactly(State.WAITING, State.PENDING);
        assertThat(reports.get(0).isReady()).isFalse();
        assertThat(server.objects().get(SERVICES, HOME)).isEmpty();
        client.resources(DEPLOYMENTS).status().patch(HOME, Patch.merge(Map.of("status", Map.of("replicas", 1, "readyReplicas", 1,
                "availableReplicas", 1)))).block();
        clock.advance(Duration.ofSeconds(5));
        assertThat(states()).containsExactly(State.UNCHANGED, State.UNCHANGED);
        assertThat(server.objects().get(SERVICES, HOME)).isPresent();
    }

    @Test
    void leavesThoseOfOthersAlone() {
        server.objects().create("""
                {apiVersion: v1, kind: Service, metadata: {name: home, namespace: shop, labels: {%1$s: websites},
                  ownerReferences: [{apiVersion: no.such/v1, kind: Website, name: other, uid: u9, controller: true}]},
                  spec: {ports: [{port: 1}]}}
                ---
                {apiVersion: v1, kind: ConfigMap, metadata: {name: theirs, namespace: shop, labels: {%1$s: websites}}}
                """.formatted(Dependents.LABEL));
        begin();
        server.objects().create("""
                {apiVersion: v1, kind: ConfigMap, metadata: {name: unlabelled, namespace: shop,
                  ownerReferences: [{apiVersion: example.com/v1, kind: Website, name: home, uid: %1$s, controller: true}]}}
                ---
                {apiVersion: v1, kind: ConfigMap, metadata: {name: shared, namespace: shop, labels: {%2$s: websites},
                  ownerReferences: [{apiVersion: example.com/v1, kind: Website, name: home, uid: %1$s},
                    {apiVersion: no.such/v1, kind: Website, name: other, uid: u9, controller: true}]}}
                """.formatted(stored().at("/metadata/uid").asString(), Dependents.LABEL));
        clock.advance(Duration.ofSeconds(5));
        assertThat(states()).containsExactly(State.UNCHANGED, State.FAILED);
        assertThat(reports.get(0).rows().get(1).cause()).hasMessageContaining("services.v1 shop/home is controlled by Website other (u9)");
        assertThat(server.objects().get(SERVICES, HOME).orElseThrow().at("/spec/ports/0/port").asInt()).isEqualTo(1);
        parts(1);
        assertThat(states()).containsExactly(State.UNCHANGED);
        assertThat(server.objects().get(SERVICES, HOME)).isPresent();
        assertThat(server.objects().list(PAGES)).extracting(each -> each.at("/metadata/name").asString())
                .contains("theirs", "unlabelled", "shared");
    }

    @Test
    void afterAFailureNothingIsDeleted() {
        begin();
        server.faults().on("patch", "deployments").times(1000).internalError();
        client.resources(DEPLOYMENTS).delete(HOME).block();
        parts(1);
        assertThat(states()).containsExactly(State.FAILED);
        assertThat(server.objects().get(SERVICES, HOME)).isPresent();
    }

    @Test
    void nothingIsDoneForAnOwnerThatIsBeingDeleted() {
        create("home", "");
        server.objects().edit(WEBSITES, HOME, tree -> {
            tree.withObject("metadata").putArray("finalizers").add("example.com/theirs");
            return tree;
        });
        server.objects().delete(WEBSITES, HOME);
        controller(Duration.ofHours(1)).start();
        start();
        assertThat(reports).singleElement().satisfies(report -> assertThat(report.rows()).isEmpty());
        assertThat(server.objects().list(SERVICES)).isEmpty();
    }

    @Test
    void refusesWhatCannotBeRight() {
        create("home", "");
        start();
        V1ConfigMap page = new V1ConfigMap().metadata(new V1ObjectMeta().name("x"));
        refuses(List.of(page, page), "is desired twice");
        refuses(List.of(new V1ConfigMap()), "has no name");
        refuses(List.of(new V1ConfigMap().metadata(new V1ObjectMeta().name("x").namespace("prod"))), "in another namespace");
        refuses(List.of("text"), "java.lang.String, not an object");
        refuses(List.of(tree("{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}")), "a tree of v1 Pod");
        assertThatIllegalArgumentException().isThrownBy(() -> Dependents.of(client, WEBSITES, DependentsTest::desired)
                .waitFor(SERVICES, any -> true)).withMessageContaining("before waitFor");
        assertThat(server.requests().writes()).isEmpty();
    }

    private void refuses(List<?> desired, String message) {
        Dependents<Website> wrong = Dependents.of(client, WEBSITES, (Website website) -> desired).kind(PAGES, pages);
        assertThatIllegalArgumentException().isThrownBy(() -> wrong.reconcile(request(), cached()).block()).withMessageContaining(message);
    }

    @Test
    void theLabelIsOneForAnyName() {
        assertThat(Dependents.labelOf("websites")).isEqualTo("websites");
        assertThat(Dependents.labelOf("example.com/websites")).matches("example.com-websitesx[0-9a-f]+");
        assertThat(Dependents.labelOf("/".repeat(200))).matches("x[0-9a-f]+");
        assertThat(Dependents.labelOf("a".repeat(200))).hasSizeLessThan(64);
    }
}
