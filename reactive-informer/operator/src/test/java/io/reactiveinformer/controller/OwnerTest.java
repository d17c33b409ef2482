package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OwnerTest {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Owner HOME = new Owner("example.com/v1", "Website", ObjectKey.of("shop", "home"), "u1");
    private static final Owner NODE = new Owner("v1", "Node", ObjectKey.clusterScoped("n1"), "u2");

    /** A website of a user. */
    record Website(@Nullable String apiVersion, @Nullable String kind, V1ObjectMeta metadata) {}

    private static V1ObjectMeta metadata() {
        return new V1ObjectMeta().namespace("shop").name("home").uid("u1");
    }

    private static V1ConfigMap page(@Nullable String namespace) {
        return new V1ConfigMap().metadata(new V1ObjectMeta().namespace(namespace).name("page"));
    }

    @Test
    void readsRecordsModelsAndTrees() {
        assertThat(Owner.of(new Website("example.com/v1", "Website", metadata()))).isEqualTo(HOME);
        assertThat(Owner.of(JSON.readTree("{\"apiVersion\":\"example.com/v1\",\"kind\":\"Website\","
                + "\"metadata\":{\"namespace\":\"shop\",\"name\":\"home\",\"uid\":\"u1\"}}"))).isEqualTo(HOME);
        assertThat(Owner.of(new V1Node().apiVersion("v1").kind("Node").metadata(new V1ObjectMeta().name("n1").uid("u2")))).isEqualTo(NODE);
        ResourceType<Website> type = ResourceType.of("example.com", "v1", "websites", ResourceType.Scope.NAMESPACED, Website.class);
        assertThat(Owner.of(type, new Website(null, null, metadata()))).isEqualTo(HOME);
    }

    @Test
    void refusesAnOwnerThatTheServerHasNotStored() {
        assertThatIllegalArgumentException().isThrownBy(() -> Owner.of(new Website("example.com/v1", "Website", metadata().uid(null))))
                .withMessageContaining("shop/home has no uid");
        assertThatIllegalArgumentException().isThrownBy(() -> Owner.of(new Website("example.com/v1", "Website", metadata().uid(""))))
                .withMessageContaining("no uid");
        assertThatIllegalArgumentException().isThrownBy(() -> Owner.of(new Website("example.com/v1", null, metadata())))
                .withMessageContaining("no kind");
        assertThatIllegalArgumentException().isThrownBy(() -> Owner.of(new V1Pod())).withMessageContaining("no name");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Owner.of(ResourceType.of(V1Node.class), new V1Node().metadata(metadata())))
                .withMessageContaining("cluster-scoped");
    }

    @Test
    void ownsADependentOfItsNamespace() {
        V1ConfigMap page = HOME.own(page("shop"));
        assertThat(page.getMetadata().getOwnerReferences()).containsExactly(new V1OwnerReference().apiVersion("example.com/v1")
                .kind("Website").name("home").uid("u1").controller(true).blockOwnerDeletion(true));
        assertThat(HOME.own(page).getMetadata().getOwnerReferences()).hasSize(1);
        assertThat(HOME.controls(page)).isTrue();
        assertThat(NODE.controls(page)).isFalse();
        assertThat(NODE.own(page("shop")).getMetadata().getOwnerReferences()).hasSize(1);
        assertThat(NODE.own(page(null)).getMetadata().getOwnerReferences()).hasSize(1);
    }

    @Test
    void refusesADependentOutOfItsReach() {
        assertThatIllegalArgumentException().isThrownBy(() -> HOME.own(page("prod")))
                .withMessage("Website shop/home cannot own prod/page in another namespace");
        assertThatIllegalArgumentException().isThrownBy(() -> HOME.own(page(null)))
                .withMessageContaining("a namespaced object cannot own a cluster-scoped one");
        assertThatIllegalArgumentException().isThrownBy(() -> HOME.own(page(""))).withMessageContaining("no namespace");
    }

    @Test
    void refusesADependentOfAnotherController() {
        V1ConfigMap page = page("shop");
        page.getMetadata().addOwnerReferencesItem(new V1OwnerReference().kind("Shop").name("other").uid("u9").controller(true));
        assertThatIllegalArgumentException().isThrownBy(() -> HOME.own(page)).withMessageContaining("Shop other already");
        page.getMetadata().getOwnerReferences().get(0).controller(false);
        assertThat(HOME.own(page).getMetadata().getOwnerReferences()).extracting(V1OwnerReference::getUid).containsExactly("u9", "u1");
    }

    @Test
    void writesToTreesAndRecords() {
        var tree = HOME.own(JSON.readTree("{\"metadata\":{\"namespace\":\"shop\",\"name\":\"page\",\"ownerReferences\":["
                + "{\"uid\":\"u9\",\"more\":1},{\"uid\":\"u1\",\"kind\":\"Old\"}]}}"));
        assertThat(HOME.controls(tree)).isTrue();
        assertThat(tree.at("/metadata/ownerReferences")).hasSize(2);
        assertThat(tree.at("/metadata/ownerReferences/0/more").asInt()).isEqualTo(1);
        var website = HOME.own(new Website(null, null, new V1ObjectMeta().namespace("shop").name("copy")));
        assertThat(HOME.controls(website)).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> NODE.own(new V1ConfigMap()))
                .withMessageContaining("no metadata that can be changed");
    }
}
