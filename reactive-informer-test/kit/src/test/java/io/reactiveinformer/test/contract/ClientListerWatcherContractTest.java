package io.reactiveinformer.test.contract;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.test.FakeApiServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** The source that every informer uses, over sockets and without. */
class ClientListerWatcherContractTest {

    @Nested
    class InMemory extends OverAServer {
        InMemory() {
            client = KubernetesClient.over(server.transport());
        }
    }

    @Nested
    class OverSockets extends OverAServer {
        OverSockets() {
            client = KubernetesClient.create(ClusterConfig.of(server.start().url()));
        }
    }

    abstract static class OverAServer extends ListerWatcherContract {

        final FakeApiServer server = FakeApiServer.create();
        KubernetesClient client;
        private int changes;

        @AfterEach
        void close() {
            client.close();
            server.close();
        }

        @Override
        protected ListerWatcher<?> source() {
            return ListerWatcher.over(client, ResourceType.of(V1ConfigMap.class), Namespaces.of("t"));
        }

        @Override
        protected void create(String name) {
            server.objects().create(text(name));
        }

        @Override
        protected void change(String name) {
            server.objects().update(text(name).replace("data: {}", "data: {n: '" + changes++ + "'}"));
        }

        @Override
        protected void delete(String name) {
            server.objects().delete(text(name));
        }

        @Override
        protected void forgetHistory() {
            server.compact();
        }

        private static String text(String name) {
            return "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: t}, data: {}}";
        }
    }
}
