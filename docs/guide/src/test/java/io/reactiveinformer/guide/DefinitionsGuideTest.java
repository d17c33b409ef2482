package io.reactiveinformer.guide;

import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.DefinitionCheck;
import io.reactiveinformer.guide.definitions.Site;
import io.reactiveinformer.guide.definitions.SiteDefinition;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.junit.FakeCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The snippets of docs/guide/definitions.md. */
class DefinitionsGuideTest {

    private static final Path GUIDE = GuideSnippetsTest.root().resolve("docs/guide");
    private static final Path GENERATED = GUIDE.resolve("target/definitions");
    private static final Path RESOURCES = GUIDE.resolve("src/test/resources/io/reactiveinformer/guide/definitions");

    private static final ObjectKey HOME = ObjectKey.of("default", "home");

    @FakeCluster("definitions/sites.example.com-v1.yml")
    private FakeApiServer server;

    private KubernetesClient client;

    @BeforeEach
    void open() {
        client = KubernetesClient.over(server.transport());
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void theDefinitionIsThatOfTheRecords() throws IOException {
        Files.createDirectories(GENERATED);
        new CRDGenerator().customResourceClasses(SiteDefinition.class).withMinQuotes(true).inOutputDir(GENERATED.toFile()).generate();
        assertThat(GENERATED.resolve("sites.example.com-v1.yml")).hasSameTextualContentAs(RESOURCES.resolve("sites.example.com-v1.yml"));
    }

    @Test
    void theDefinitionFitsTheRecord() {
        assertThat(DefinitionCheck.differences(client, Site.TYPE).block()).isEmpty();
    }

    private void create(Site.Spec spec) {
        var site = new Site("example.com/v1", "Site", new V1ObjectMeta().name("home"), spec, null);
        client.resources(Site.TYPE).create(Namespaces.of("default"), site).block();
    }

    @Test
    void recordsAreWrittenAndRead() {
        var spec = new Site.Spec("Hello", 3, new Quantity("64Mi"));
        create(spec);
        assertThat(client.resources(Site.TYPE).get(HOME).block().spec()).isEqualTo(spec);
    }

    @Test
    void theServerAppliesDefaults() {
        server.objects().create("{apiVersion: example.com/v1, kind: Site, metadata: {name: home}, spec: {html: Hello}}");
        assertThat(client.resources(Site.TYPE).get(HOME).block().spec()).isEqualTo(new Site.Spec("Hello", 1, null));
    }

    @Test
    void theServerRefusesWhatTheDefinitionDoesNotAllow() {
        assertThatThrownBy(() -> create(new Site.Spec("Hello", 10, null))).hasMessageContaining("spec.replicas");
        assertThatThrownBy(() -> create(new Site.Spec(null, 1, null))).hasMessageContaining("spec.html");
    }

    record ThemedSpec(String html, int replicas, @Nullable Quantity memory, String theme) {}

    record ThemedSite(String apiVersion, String kind, V1ObjectMeta metadata, ThemedSpec spec, Site.@Nullable Status status) {}

    @Test
    void aFieldThatTheDefinitionLacksIsReported() {
        var type = ResourceType.of("example.com", "v1", "sites", ResourceType.Scope.NAMESPACED, ThemedSite.class)
                .kind("Site", ResourceType.Scope.NAMESPACED);
        assertThat(DefinitionCheck.differences(client, type).block())
                .containsExactly("spec.theme: the definition has no such field, so the server drops it");
    }

    @Group("example.com")
    @Version("v1")
    @Kind("Site")
    @SuppressWarnings("serial")
    static class WithoutSwap extends CustomResource<Site.Spec, Site.Status> implements Namespaced {}

    @Test
    void aModelOfTheOfficialClientThatTheGeneratorMisreadsIsReported(@TempDir Path folder) throws IOException {
        new CRDGenerator().customResourceClasses(WithoutSwap.class).inOutputDir(folder.toFile()).generate();
        server.reset();
        server.objects().create(Files.readString(folder.resolve("sites.example.com-v1.yml")));
        assertThat(DefinitionCheck.differences(client, Site.TYPE).block())
                .containsExactly("spec.memory: object in the definition, and string in the class");
    }
}
