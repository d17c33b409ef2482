package io.reactiveinformer.test;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.client.WriteOptions;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ConflictException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Nothing that was read is lost by writing it back. */
class WritingBackTest {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final ObjectKey HOME = ObjectKey.of("shop", "home");
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: buckets.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: buckets, singular: bucket, kind: Bucket}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        x-kubernetes-preserve-unknown-fields: true
                        properties:
                          managementPolicies: {type: array, nullable: true, items: {type: string}, default: ["*"]}
                          labels: {type: object, nullable: true, additionalProperties: {type: string}, default: {a: b}}
                      status: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """;
    private static final ResourceType<JsonNode> TREES =
            ResourceType.dynamic("example.com", "v1", "buckets").kind("Bucket", Scope.NAMESPACED);

    /** Some fields of an object of more. */
    record Bucket(String apiVersion, String kind, V1ObjectMeta metadata, Spec spec) {

        record Spec(@Nullable List<String> managementPolicies, @Nullable Map<String, String> labels, @Nullable Integer size,
                @Nullable List<Rule> rules, @Nullable List<Step> steps) {}

        record Rule(String name, int days) {}

        record Step(String verb) {}

        Bucket with(Spec other) {
            return new Bucket(apiVersion, kind, metadata, other);
        }

        Bucket size(int size) {
            return with(new Spec(spec.managementPolicies, spec.labels, size, spec.rules, spec.steps));
        }

        Bucket rules(List<Rule> rules) {
            return with(new Spec(spec.managementPolicies, spec.labels, spec.size, rules, spec.steps));
        }

        Bucket steps(List<Step> steps) {
            return with(new Spec(spec.managementPolicies, spec.labels, spec.size, spec.rules, steps));
        }
    }

    /** As a class of users with public fields. */
    static final class Plain {
        public String apiVersion = "example.com/v1";
        public String kind = "Bucket";
        public V1ObjectMeta metadata = new V1ObjectMeta();
        public PlainSpec spec = new PlainSpec();

        static final class PlainSpec {
            public List<String> managementPolicies = new ArrayList<>();
            public Map<String, String> labels = new LinkedHashMap<>();
            public @Nullable Integer size;
            public Set<String> set = Set.of();
        }
    }

    /** As the official generator writes it for a definition. */
    @SuppressWarnings({"unused", "UnusedVariable"}) // read and written by reflection
    static final class Generated {
        @SerializedName("apiVersion")
        private @Nullable String apiVersion;
        @SerializedName("kind")
        private @Nullable String kind;
        @SerializedName("metadata")
        private @Nullable V1ObjectMeta metadata;
        @SerializedName("spec")
        private @Nullable GeneratedSpec spec;
    }

    @SuppressWarnings({"unused", "UnusedVariable"}) // read and written by reflection
    static final class GeneratedSpec {
        @SerializedName("managementPolicies")
        private @Nullable List<String> managementPolicies;
        @SerializedName("labels")
        private Map<String, String> labels = new HashMap<>();
    }

    private static <T> ResourceType<T> type(Class<T> type) {
        return ResourceType.of("example.com", "v1", "buckets", Scope.NAMESPACED, type).kind("Bucket", Scope.NAMESPACED);
    }

    private final TestClock clock = TestClock.start();
    private final FakeApiServer server = FakeApiServer.builder().with("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}").build();
    private final KubernetesClient client = KubernetesClient.over(server.transport());
    private final InformerFactory informers = InformerFactory.create(client);
    private final ResourceClient<Bucket> buckets = client.resources(type(Bucket.class));
    private final ResourceClient<Plain> plains = client.resources(type(Plain.class));
    private final ResourceClient<JsonNode> trees = client.resources(TREES);

    WritingBackTest() {
        server.objects().create(DEFINITION);
    }

    @AfterEach
    void end() {
        client.close();
        server.close();
        clock.close();
    }

    private void create(String spec) {
        server.objects().create("{apiVersion: example.com/v1, kind: Bucket, metadata: {name: home, namespace: shop}, spec: " + spec + "}");
    }

    private void others(Map<String, ?> change) {
        trees.patch(HOME, Patch.merge(change)).block();
    }

    private JsonNode spec() {
        return server.objects().get(TREES, HOME).orElseThrow().path("spec");
    }

    private static JsonNode json(String text) {
        return JSON.readTree(text);
    }

    private static V1ObjectMeta home() {
        return new V1ObjectMeta().name("home").namespace("shop");
    }

    @Test
    void whatIsEmptyIsWritten() {
        Bucket empty = new Bucket("example.com/v1", "Bucket", home(), new Bucket.Spec(List.of(), Map.of(), 1, null, null));
        buckets.create(Namespaces.of("shop"), empty).block();
        assertThat(spec()).isEqualTo(json("{\"managementPolicies\": [], \"labels\": {}, \"size\": 1}"));
        buckets.delete(HOME).block();
        buckets.apply(HOME, empty, WriteOptions.defaults().withFieldManager("test")).block();
        assertThat(spec()).isEqualTo(json("{\"managementPolicies\": [], \"labels\": {}, \"size\": 1}"));
        buckets.patch(HOME, Patch.merge(Map.of("spec", new Bucket.Spec(List.of("a"), null, null, null, null)))).block();
        buckets.patch(HOME, Patch.merge(Map.of("spec", new Bucket.Spec(List.of(), null, null, null, null)))).block();
        assertThat(spec().get("managementPolicies")).isEqualTo(json("[]"));
        buckets.delete(HOME).block();
        Plain plain = new Plain();
        plain.metadata = home();
        plains.create(Namespaces.of("shop"), plain).block();
        assertThat(spec()).isEqualTo(json("{\"managementPolicies\": [], \"labels\": {}, \"set\": []}"));
        buckets.delete(HOME).block();
        Generated generated = new Generated();
        generated.metadata = home();
        generated.spec = new GeneratedSpec();
        generated.spec.managementPolicies = List.of();
        client.resources(type(Generated.class)).create(Namespaces.of("shop"), generated).block();
        assertThat(spec()).as("its own empty map is nobody's wish")
                .isEqualTo(json("{\"managementPolicies\": [], \"labels\": {\"a\": \"b\"}}"));
    }

    @Test
    void whatWasAbsentStaysAbsentInACopy() {
        create("{managementPolicies: [x], labels: {c: d}, size: 1}");
        Bucket read = buckets.get(HOME).block();
        assertThat(read.spec().rules()).isEmpty();
        buckets.delete(HOME).block();
        buckets.create(Namespaces.of("shop"), new Bucket(read.apiVersion(), read.kind(), home(), read.spec())).block();
        assertThat(spec()).isEqualTo(json("{\"managementPolicies\": [\"x\"], \"labels\": {\"c\": \"d\"}, \"size\": 1}"));
    }

    @Test
    void anUpdateKeepsWhatTheClassDoesNotHave() {
        create("""
                {managementPolicies: [], labels: {}, size: 1, more: {a: [1, {b: null}], e: {}, f: []},
                 rules: [{name: one, days: 1, extra: {x: 1}}, {name: two, days: 2, extra: []}], steps: [{verb: go, arg: 1}]}""");
        ObjectNode before = spec().deepCopy().asObject();
        Bucket read = buckets.get(HOME).block();
        assertThat(buckets.update(HOME, read.size(2)).block().spec().size()).isEqualTo(2);
        assertThat(spec()).isEqualTo(before.put("size", 2));
        Plain plain = plains.get(HOME).block();
        plain.spec.size = 3;
        plains.update(HOME, plain).block();
        assertThat(spec()).isEqualTo(before.put("size", 3));
        Bucket again = buckets.get(HOME).block();
        buckets.update(HOME, again.rules(List.of(new Bucket.Rule("zero", 0), new Bucket.Rule("two", 5)))).block();
        assertThat(spec().get("rules"))
                .isEqualTo(json("[{\"name\": \"zero\", \"days\": 0}, {\"name\": \"two\", \"days\": 5, \"extra\": []}]"));
        trees.get(HOME).flatMap(tree -> trees.update(HOME, tree)).block();
        assertThat(spec().get("more")).isEqualTo(before.get("more"));
    }

    /** It has immutable collections, all of them shared. */
    @Test
    void anUpdateOfACachedObjectAddsNoEmptyCollections() {
        create("{managementPolicies: [], labels: {}, size: 1}");
        Informer<Bucket> cached = informers.of(type(Bucket.class));
        Informer<Sets> sets = informers.of(type(Sets.class));
        informers.start();
        for (int size = 2; size < 4; size++) {
            Bucket read = size == 2 ? cached.lister().get(HOME).orElseThrow()
                    : buckets.listAll(Namespaces.of("shop"), ListOptions.defaults()).blockFirst();
            buckets.update(HOME, read.size(size)).block();
            assertThat(spec()).isEqualTo(json("{\"managementPolicies\": [], \"labels\": {}, \"size\": " + size + "}"));
            clock.advance(Duration.ofSeconds(1));
        }
        Sets read = sets.lister().get(HOME).orElseThrow();
        assertThat(read.spec().rules()).isEmpty();
        client.resources(type(Sets.class)).update(HOME, new Sets(read.metadata(), new Sets.Rules(read.spec().rules(), 4))).block();
        assertThat(spec()).isEqualTo(json("{\"managementPolicies\": [], \"labels\": {}, \"size\": 4}"));
    }

    record Sets(V1ObjectMeta metadata, Rules spec) {

        record Rules(Set<Bucket.Rule> rules, int size) {}
    }

    /** It is read in an order of its own. */
    @Test
    void anUpdateOfASetKeepsTheFieldsOfEachElement() {
        ResourceClient<Sets> sets = client.resources(type(Sets.class));
        List<String> names = List.of("zeta", "beta", "gamma", "alpha", "mu", "qoppa");
        for (String gone : names) {
            List<String> rules = names.stream().map(name -> "{name: " + name + ", days: 1, extra: " + name + "}").toList();
            create("{size: 1, rules: " + rules + "}");
            Sets read = sets.get(HOME).block();
            Set<Bucket.Rule> fewer = new HashSet<>(read.spec().rules());
            fewer.removeIf(rule -> rule.name().equals(gone));
            sets.update(HOME, new Sets(read.metadata(), new Sets.Rules(fewer, 1))).block();
            assertThat(spec().get("rules").valueStream().map(rule -> rule.path("extra").asString(""))).as(gone)
                    .containsExactlyInAnyOrderElementsOf(names.stream().filter(name -> !name.equals(gone)).toList());
            buckets.delete(HOME).block();
        }
        create("{size: 1, rules: [{name: a, days: 1, extra: 1}, {name: a, days: 1, extra: 2}]}");
        Sets read = sets.get(HOME).block();
        assertThatThrownBy(() -> sets.update(HOME, new Sets(read.metadata(), new Sets.Rules(Set.of(), 1))).block())
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("spec.rules has fields that the class does not have");
    }

    @Test
    void anUpdateWritesWhatWasEmptied() {
        create("{managementPolicies: [a], labels: {x: y}, size: 1}");
        Plain plain = plains.get(HOME).block();
        plain.spec.managementPolicies.clear();
        plain.spec.labels.clear();
        plain.spec.size = null;
        plains.update(HOME, plain).block();
        assertThat(spec()).isEqualTo(json("{\"managementPolicies\": [], \"labels\": {}}"));
    }

    @Test
    void anUpdateIsRefusedWhereItCannotKeepAField() {
        create("{steps: [{verb: go, arg: 1}, {verb: stop, arg: 2}]}");
        Bucket read = buckets.get(HOME).block();
        List<Bucket.Step> other = List.of(new Bucket.Step("run"), new Bucket.Step("go"), new Bucket.Step("x"));
        assertThatThrownBy(() -> buckets.update(HOME, read.steps(other)).block()).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cannot update buckets.v1.example.com shop/home: spec.steps[1] has fields that the class does not have, and it"
                        + " cannot be known which element takes its place; use patch, or a class with all fields");
        buckets.update(HOME, read.steps(List.of(new Bucket.Step("stop")))).block();
        assertThat(spec().get("steps")).isEqualTo(json("[{\"verb\": \"stop\", \"arg\": 2}]"));
    }

    @Test
    void aVersionIsAPreconditionAsBefore() {
        create("{size: 1}");
        Bucket read = buckets.get(HOME).block();
        others(Map.of("spec", Map.of("more", 1)));
        assertThatThrownBy(() -> buckets.update(HOME, read.size(2)).block()).isInstanceOf(ConflictException.class);
        assertThat(buckets.get(HOME).flatMap(now -> buckets.update(HOME, now.size(2))).block().spec().size()).isEqualTo(2);
        Bucket without = new Bucket(read.apiVersion(), read.kind(), home(), read.spec());
        buckets.update(HOME, without.size(7)).block();
        assertThat(spec().get("size").intValue()).isEqualTo(7);
        assertThat(spec().get("more").intValue()).isOne();
        buckets.delete(HOME).block();
        assertThatThrownBy(() -> buckets.update(HOME, without).block()).isInstanceOf(NotFoundException.class);
    }

    record Reported(String apiVersion, String kind, V1ObjectMeta metadata, @Nullable Phase status) {}

    record Phase(@Nullable String phase) {}

    @Test
    void anUpdateOfTheStatusKeepsTheOthersFields() {
        create("{size: 1}");
        trees.status().patch(HOME, Patch.merge(Map.of("status", Map.of("phase", "a", "theirs", List.of())))).block();
        ResourceClient<Reported> reported = client.resources(type(Reported.class));
        Reported read = reported.get(HOME).block();
        reported.status().update(HOME, new Reported(read.apiVersion(), read.kind(), read.metadata(), new Phase("b"))).block();
        assertThat(server.objects().get(TREES, HOME).orElseThrow().get("status")).isEqualTo(json("{\"phase\": \"b\", \"theirs\": []}"));
    }

    /** As from a server that is newer than the models. */
    @Test
    void anUpdateOfAModelKeepsTheFieldsOfANewerServer() {
        server.objects().create("""
                {apiVersion: apps/v1, kind: Deployment, metadata: {name: home, namespace: shop}, spec: {selector: {matchLabels: {a: b}},
                 template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b, volumeMounts: [{name: v, mountPath: /v}]}],
                 volumes: [{name: v, emptyDir: {}}]}}}}""");
        for (boolean listed : List.of(false, true)) {
            KubernetesClient newer = KubernetesClient.over(new NewerServer(server.transport()));
            ResourceClient<V1Deployment> deployments = newer.resources(ResourceType.of(V1Deployment.class));
            V1Deployment read = (listed ? deployments.listAll(Namespaces.of("shop"), ListOptions.defaults()).next() : deployments.get(HOME))
                    .block();
            read.getSpec().setReplicas(listed ? 3 : 4);
            server.requests().clear();
            deployments.update(HOME, read).block();
            JsonNode written = server.requests().writes().get(0).body();
            assertThat(written.at("/spec/replicas").intValue()).isEqualTo(listed ? 3 : 4);
            assertThat(NewerServer.lost(written)).as("listed %s", listed).isEmpty();
            newer.close();
        }
    }

    /** As on a real server: a model, which cannot tell it from none, loses nothing. */
    @Test
    void aDefaultThatIsNullIsNotStored() {
        ResourceType<JsonNode> raw = ResourceType.dynamic("apiextensions.k8s.io", "v1", "customresourcedefinitions");
        ObjectKey key = ObjectKey.of(null, "buckets.example.com");
        String place = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/labels";
        assertThat(server.objects().get(raw, key).orElseThrow().at(place).has("default")).isTrue();
        client.resources(raw).patch(key, Patch.json(List.of(JSON.createObjectNode().put("op", "add").put("path", place + "/default")
                .set("value", JSON.nullNode())))).block();
        assertThat(server.objects().get(raw, key).orElseThrow().at(place).has("default")).isFalse();
    }

    @Test
    void modelsOfAServerOfTheirVersionCostNoMoreRequests() {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: home, namespace: shop}, data: {a: b}}");
        ResourceClient<V1ConfigMap> maps = client.resources(ResourceType.of(V1ConfigMap.class));
        V1ConfigMap read = maps.get(HOME).block();
        server.requests().clear();
        maps.update(HOME, read.putDataItem("c", "d")).block();
        assertThat(server.requests().all()).hasSize(1);
        ResourceClient<V1Lease> leases = client.resources(ResourceType.of(V1Lease.class));
        leases.create(Namespaces.of("shop"), new V1Lease().metadata(home())).block();
        V1Lease lease = leases.get(HOME).block();
        server.requests().clear();
        leases.update(HOME, lease).block();
        assertThat(server.requests().all()).hasSize(1);
    }

    /** The managed fields, which are left out of each of them, are no fields of a newer server. */
    @Test
    void cachedModelsOfAServerOfTheirVersionCostNoMoreRequests() {
        ResourceType<V1ConfigMap> type = ResourceType.of(V1ConfigMap.class);
        client.resources(type).apply(HOME, new V1ConfigMap().metadata(home()).putDataItem("a", "b"),
                WriteOptions.defaults().withFieldManager("test")).block();
        Informer<V1ConfigMap> maps = informers.of(type);
        informers.start();
        V1ConfigMap cached = maps.lister().get(HOME).orElseThrow();
        server.requests().clear();
        client.resources(type).update(HOME, new V1ConfigMap().metadata(cached.getMetadata()).putDataItem("c", "d")).block();
        assertThat(server.requests().all()).extracting(ApiRequest::verb).containsOnlyOnce(ApiRequest.Verb.UPDATE)
                .doesNotContain(ApiRequest.Verb.GET);
    }

    /** Go's types say which empty objects are something: those that are pointers. */
    @Test
    void emptyObjectsOfModelsStay() {
        String policy = """
                {"apiVersion": "networking.k8s.io/v1", "kind": "NetworkPolicy", "metadata": {"name": "home", "namespace": "shop"},
                 "spec": {"podSelector": {}, "ingress": [{}, {"from": [{"podSelector": {}}, {"namespaceSelector": {}}]}],
                   "policyTypes": ["Ingress"]}}""";
        server.objects().create(policy);
        ResourceClient<V1NetworkPolicy> policies = client.resources(ResourceType.of(V1NetworkPolicy.class));
        policies.get(HOME).flatMap(read -> policies.update(HOME, read)).block();
        ResourceType<JsonNode> raw = ResourceType.dynamic("networking.k8s.io", "v1", "networkpolicies");
        assertThat(server.objects().get(raw, HOME).orElseThrow().get("spec")).isEqualTo(json(policy).get("spec"));
    }

    @Test
    void randomObjectsLoseNothing() {
        for (long seed = 1; seed <= 300; seed++) {
            var random = new Random(seed);
            ObjectNode spec = JSON.createObjectNode();
            for (String name : List.of("managementPolicies", "labels", "size", "rules", "steps", "other", "another")) {
                if (random.nextInt(4) > 0) {
                    spec.set(name, value(name, random));
                }
            }
            create(spec.toString());
            ObjectNode expected = spec().deepCopy().asObject();
            int size = random.nextInt();
            buckets.get(HOME).flatMap(read -> buckets.update(HOME, read.size(size))).block();
            assertThat(spec()).as("seed %d", seed).isEqualTo(expected.put("size", size));
            buckets.delete(HOME).block();
        }
    }

    private static JsonNode value(String name, Random random) {
        if (random.nextInt(6) == 0) {
            return JSON.nullNode();
        }
        ArrayNode list = JSON.createArrayNode();
        ObjectNode object = JSON.createObjectNode();
        int length = random.nextInt(3);
        for (int i = 0; i < length; i++) {
            object.put("l" + i, "");
            switch (name) {
                case "managementPolicies" -> list.add("p" + random.nextInt(3));
                case "rules", "steps" -> {
                    ObjectNode element = list.addObject().put(name.equals("rules") ? "name" : "verb", "n" + random.nextInt(2));
                    if (random.nextBoolean()) {
                        element.set("unknown", value("other", random));
                    }
                }
                default -> list.add(i);
            }
        }
        return switch (name) {
            case "managementPolicies", "rules", "steps" -> list;
            case "labels" -> object;
            case "size" -> json(String.valueOf(length));
            default -> List.<JsonNode>of(list, object, json("0"), json("\"\""), json("false")).get(random.nextInt(5));
        };
    }
}
