package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1ReplicaSet;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.ResourceType;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Routes and filters. Numbers are of the stream scenarios. */
class RoutesTest {

    private static final ResourceType<V1ReplicaSet> SETS = ResourceType.of(V1ReplicaSet.class);
    private static final ObjectKey ROW = ObjectKey.of("prod", "web-1");

    private static V1OwnerReference owner(String apiVersion, String kind, String name) {
        return new V1OwnerReference().apiVersion(apiVersion).kind(kind).name(name);
    }

    private static V1Pod pod(V1OwnerReference... owners) {
        var metadata = new V1ObjectMeta();
        for (V1OwnerReference owner : owners) {
            metadata.addOwnerReferencesItem(owner);
        }
        return new V1Pod().metadata(metadata);
    }

    @Test // 114
    void ownersAreKnownByGroupAndKindInAnyVersion() {
        Route<ObjectKey, Object, ObjectKey> route = Route.toOwners(SETS);
        V1Pod pod = pod(
                owner("apps/v1", "ReplicaSet", "a"), owner("apps/v1beta2", "ReplicaSet", "b"),
                owner("extensions/v1beta1", "ReplicaSet", "c"),
                owner("v1", "ReplicaSet", "d"), owner("apps/v1", "Deployment", "e"), new V1OwnerReference());
        assertThat(route.keys(ROW, pod)).containsExactly(ObjectKey.of("prod", "a"), ObjectKey.of("prod", "b"));
        assertThat(route.keys(ROW, new PartialObjectMetadata("v1", "PartialObjectMetadata", pod.getMetadata()))).hasSize(2);
        assertThat(route.keys(ROW, new V1Pod())).isEmpty();
    }

    @Test // 114
    void anOwnerInTheClusterHasOneKeyWhereverTheRowIs() {
        Route<ObjectKey, V1Pod, ObjectKey> route = Route.toOwners(ResourceType.of(V1Namespace.class));
        assertThat(route.keys(ROW, pod(owner("v1", "Namespace", "prod")))).containsExactly(ObjectKey.clusterScoped("prod"));
    }

    @Test
    void onlyOneOwnerIsTheController() {
        Route<ObjectKey, V1Pod, ObjectKey> route = Route.toController(SETS);
        V1Pod pod = pod(owner("apps/v1", "ReplicaSet", "a").controller(false), owner("apps/v1", "ReplicaSet", "b").controller(true));
        assertThat(route.keys(ROW, pod)).containsExactly(ObjectKey.of("prod", "b"));
    }

    @Test
    void treesAreRoutedToo() {
        JsonNode pod = JsonMapper.shared().readTree("""
                {"metadata": {"name": "web-1", "generation": 3, "labels": {"job": "backup"}, "ownerReferences":
                  [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "a", "controller": true}]}}""");
        assertThat(Route.<JsonNode>toController(SETS).keys(ROW, pod)).containsExactly(ObjectKey.of("prod", "a"));
        assertThat(Route.<JsonNode>toNamedBy("job").keys(ROW, pod)).containsExactly(ObjectKey.of("prod", "backup"));
        assertThat(UpdateFilter.<JsonNode>generation().passes(pod, pod)).isFalse();
        assertThat(UpdateFilter.<JsonNode>annotations().passes(pod, pod)).isFalse();
    }

    /** A custom type as most would write it. */
    private record Website(String apiVersion, String kind, V1ObjectMeta metadata, String spec) {}

    private static Website website(V1ObjectMeta metadata) {
        return new Website("example.com/v1", "Website", metadata, "");
    }

    @Test
    void recordsWithoutAnyInterfaceAreRoutedAndFiltered() {
        V1OwnerReference owner = owner("apps/v1", "ReplicaSet", "a").controller(true);
        Website before = website(new V1ObjectMeta().generation(1L).labels(Map.of("job", "backup")).addOwnerReferencesItem(owner));
        Website after = website(new V1ObjectMeta().generation(2L).labels(Map.of("job", "backup")));
        assertThat(Route.<Website>toController(SETS).keys(ROW, before)).containsExactly(ObjectKey.of("prod", "a"));
        assertThat(Route.<Website>toController(SETS).keys(ROW, after)).isEmpty();
        assertThat(Route.<Website>toNamedBy("job").keys(ROW, before)).containsExactly(ObjectKey.of("prod", "backup"));
        assertThat(UpdateFilter.<Website>generation().passes(before, after)).isTrue();
        assertThat(UpdateFilter.<Website>labels().passes(before, after)).isFalse();
    }

    @Test
    void aLabelNamesAnObjectOfTheSameNamespace() {
        Route<ObjectKey, V1Pod, ObjectKey> route = Route.toNamedBy("job");
        assertThat(route.keys(ROW, new V1Pod().metadata(new V1ObjectMeta().labels(Map.of("job", "backup")))))
                .containsExactly(ObjectKey.of("prod", "backup"));
        assertThat(route.keys(ROW, new V1Pod().metadata(new V1ObjectMeta().labels(Map.of("job", ""))))).isEmpty();
        assertThat(route.keys(ROW, pod())).isEmpty();
    }

    @Test
    void filtersLookAtTheirPartOnly() {
        V1Pod one = new V1Pod().metadata(new V1ObjectMeta().generation(1L).labels(Map.of("a", "1")).annotations(Map.of("b", "1")));
        V1Pod other = new V1Pod().metadata(new V1ObjectMeta().generation(1L).labels(Map.of("a", "2")).annotations(Map.of("b", "1")));
        assertThat(UpdateFilter.generation().passes(one, other)).isFalse();
        assertThat(UpdateFilter.labels().passes(one, other)).isTrue();
        assertThat(UpdateFilter.annotations().passes(one, other)).isFalse();
        assertThat(UpdateFilter.generation().or(UpdateFilter.labels()).passes(one, other)).isTrue();
        assertThat(UpdateFilter.generation().and(UpdateFilter.labels()).passes(one, other)).isFalse();
        assertThat(UpdateFilter.generation().passes(pod(), pod())).as("without a generation").isTrue();
    }

    @Test
    void saysWhatIsMissing() {
        assertThatThrownBy(() -> Route.toOwners(ResourceType.dynamic("example.com", "v1", "widgets")))
                .hasMessageContaining("ResourceType.kind");
        assertThatThrownBy(() -> Route.toOwners(SETS).keys(ROW, "text")).hasMessageContaining("java.lang.String has no metadata");
    }
}
