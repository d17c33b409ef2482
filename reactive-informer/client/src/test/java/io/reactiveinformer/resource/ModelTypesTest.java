package io.reactiveinformer.resource;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.CoreV1Event;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1Scale;
import io.kubernetes.client.openapi.models.V2beta1APIGroupDiscovery;
import io.reactiveinformer.recordings.Recording;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ModelTypesTest {

    /** Sent to, or found below, resources of other types. */
    private static final Set<String> WITHOUT_AN_ENDPOINT_OF_THEIR_OWN = Set.of(
            "AuthenticationV1TokenRequest", "V1Eviction", "V1Scale", "V2APIGroupDiscovery", "V2beta1APIGroupDiscovery");

    @Test
    void knowsEveryModelClassThatIsAResource() {
        Set<String> models = ModelClasses.objects().stream().map(Class::getSimpleName).collect(Collectors.toSet());
        assertThat(models).hasSize(100).containsAll(WITHOUT_AN_ENDPOINT_OF_THEIR_OWN);
        models.removeAll(WITHOUT_AN_ENDPOINT_OF_THEIR_OWN);
        assertThat(ModelTypes.entries()).extracting(ModelTypes.Entry::className).containsExactlyInAnyOrderElementsOf(models);
    }

    @Test
    void namesOfClassesSayTheSameAsTheTable() {
        assertThat(ModelTypes.entries()).allSatisfy(entry -> {
            assertThat(KubernetesObject.class).isAssignableFrom(ModelTypes.modelClass(entry).orElseThrow());
            assertThat(entry.className()).matches("([A-Z][a-z]+)?" + entry.version().replaceFirst("v", "V") + entry.kind());
            assertThat(entry.plural()).startsWith(entry.kind().toLowerCase(Locale.ROOT).replaceFirst("y?$", ""));
        });
    }

    /** Other coordinates than its own, as of a copy of a type. */
    @Test
    void aClassHasAKindAlsoElsewhere() {
        assertThat(elsewhere(V1Pod.class).kind()).isEqualTo("Pod");
        assertThat(elsewhere(CoreV1Event.class).kind()).isEqualTo("Event");
        assertThat(elsewhere(V1Scale.class).kind()).as("not in the table").isEqualTo("Scale");
        assertThat(elsewhere(V2beta1APIGroupDiscovery.class).kind()).as("not in the table").isEqualTo("APIGroupDiscovery");
        assertThat(elsewhere(V1Website.class).kind()).as("of the user").isEqualTo("V1Website");
        for (ResourceType<?> dynamic : List.of(elsewhere(JsonNode.class), elsewhere(PartialObjectMetadata.class))) {
            assertThat(dynamic.kind()).isNull();
            assertThat(dynamic.scope()).isEqualTo(ResourceType.Scope.CLUSTER);
        }
        assertThat(elsewhere(JsonNode.class).form()).isEqualTo(ResourceType.Form.DYNAMIC);
        assertThat(elsewhere(PartialObjectMetadata.class).form()).isEqualTo(ResourceType.Form.METADATA);
    }

    private record V1Website() {}

    private static <T> ResourceType<T> elsewhere(Class<T> objects) {
        return ResourceType.of("example.com", "v1", "things", ResourceType.Scope.CLUSTER, objects);
    }

    @ParameterizedTest
    @CsvSource(nullValues = "any", textBlock = """
            '',          any,     pods,                     pods.v1,                              V1Pod
            '',          v1,      events,                   events.v1,                            CoreV1Event
            events.k8s.io, any,   events,                   events.v1.events.k8s.io,              EventsV1Event
            autoscaling, any,     horizontalpodautoscalers, horizontalpodautoscalers.v2.autoscaling, V2HorizontalPodAutoscaler
            autoscaling, v1,      horizontalpodautoscalers, horizontalpodautoscalers.v1.autoscaling, V1HorizontalPodAutoscaler
            resource.k8s.io, v1beta1, deviceclasses,        deviceclasses.v1beta1.resource.k8s.io, V1beta1DeviceClass
            """)
    void findsTheClassByGroupVersionAndPlural(String group, String version, String plural, String type, String modelClass) {
        assertThat(ResourceType.find(group, version, plural)).hasValueSatisfying(found -> {
            assertThat(found).hasToString(type);
            assertThat(found.objectClass().getSimpleName()).isEqualTo(modelClass);
            assertThat((Object) ResourceType.of(found.objectClass())).isEqualTo(found);
        });
    }

    /** A server with the defaults of 1.36: the alpha and beta resources of the table are off there. */
    @Test
    void agreesWithWhatAServerSaysOfItself() {
        var served = new ArrayList<String>();
        var preferred = new ArrayList<String>();
        for (int exchange : List.of(8, 10)) {
            JsonNode groups = JsonMapper.shared().readTree(Recording.of("24-discovery").exchange(exchange).body());
            for (JsonNode group : groups.get("items")) {
                var plurals = new HashSet<String>();
                String name = group.at("/metadata/name").asString("");
                for (JsonNode version : group.get("versions")) {
                    for (JsonNode resource : version.get("resources")) {
                        String row = String.join(" ", name, version.get("version").asString(), resource.get("resource").asString(),
                                resource.at("/responseKind/kind").asString(), resource.get("scope").asString().toUpperCase(Locale.ROOT));
                        served.add(row);
                        if (plurals.add(resource.get("resource").asString())) {
                            preferred.add(row);
                        }
                    }
                }
            }
        }
        served.removeIf(row -> row.startsWith("demo.example.com"));
        preferred.removeIf(row -> row.startsWith("demo.example.com"));
        Set<String> table = ModelTypes.entries().stream().map(ModelTypesTest::row).collect(Collectors.toSet());
        assertThat(served).hasSizeGreaterThan(60).allMatch(table::contains);
        assertThat(ModelTypes.entries()).filteredOn(entry -> !entry.version().matches(".*(alpha|beta).*"))
                .allMatch(entry -> served.contains(row(entry)));
        assertThat(preferred).allSatisfy(row -> {
            String[] cells = row.split(" ", -1);
            assertThat(ResourceType.find(cells[0], null, cells[2]).orElseThrow().version()).isEqualTo(cells[1]);
        });
    }

    private static String row(ModelTypes.Entry entry) {
        return String.join(" ", entry.group(), entry.version(), entry.plural(), entry.kind(),
                entry.scope() == ResourceType.Scope.CLUSTER ? "CLUSTER" : "NAMESPACED");
    }

    @Test
    void passesByAClassThatTheModelsDoNotHave() {
        var newer = new ModelTypes.Entry("V9Pod", "", "v9", "pods", "Pod", ResourceType.Scope.NAMESPACED);
        assertThat(ModelTypes.modelClass(newer)).isEmpty();
    }

    @Test
    void doesNotFindWhatIsNotThere() {
        assertThat(ResourceType.find("", "v2", "pods")).isEmpty();
        assertThat(ResourceType.find("apps", "v1", "pods")).isEmpty();
        assertThatThrownBy(() -> ResourceType.of(V1PodSpec.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("V1PodSpec")
                .hasMessageContaining("ResourceType.of(group, version, plural");
    }

    @Test
    void isNamespacedWhereTheServerIs() {
        assertThat(ResourceType.of(V1Pod.class).namespaced()).isTrue();
        assertThat(ResourceType.find("", "v1", "nodes").orElseThrow().namespaced()).isFalse();
    }

    @Test
    void builtInTypesHaveAModelInSomeVersion() {
        assertThat(ResourceType.metadata("", "v1", "nodes").hasModel()).isTrue();
        assertThat(ResourceType.dynamic("apps", "v0", "deployments").hasModel()).isTrue();
        assertThat(ResourceType.dynamic("example.com", "v1", "deployments").hasModel()).isFalse();
    }
}
