package io.reactiveinformer.test.junit;

import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class FakeClusterTest {

    private static final ResourceType<JsonNode> PODS = ResourceType.dynamic("", "v1", "pods");
    private static final ResourceType<JsonNode> CONFIG_MAPS = ResourceType.dynamic("", "v1", "configmaps");

    @FakeCluster("shop.yaml")
    private static FakeApiServer shared;

    @FakeCluster
    private FakeApiServer fresh;

    @RepeatedTest(2)
    void emptiesASharedServerBetweenTests() {
        assertThat(shared.objects().list(PODS)).hasSize(1);
        assertThat(shared.objects().list(CONFIG_MAPS)).hasSize(1);
        shared.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: more, namespace: shop},"
                + " spec: {containers: [{name: c, image: i}]}}");
        shared.faults().onAny().always().optional().refuse(); // not for the next test
        shared.access().deny("list", "pods");
    }

    @RepeatedTest(2)
    void startsAServerForEachTest() {
        assertThat(fresh.url()).startsWith("http://127.0.0.1:");
        assertThat(fresh.objects().list(PODS)).isEmpty();
        fresh.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: one}, spec: {containers: [{name: c, image: i}]}}");
    }

    @Test
    void givesAServerAsAParameter(@FakeCluster("shop.yaml") FakeApiServer own) {
        assertThat(own).isNotSameAs(fresh).isNotSameAs(shared);
        assertThat(own.objects().list(PODS)).hasSize(1);
    }
}
