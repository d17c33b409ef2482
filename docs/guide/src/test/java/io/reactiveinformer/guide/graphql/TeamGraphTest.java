package io.reactiveinformer.guide.graphql;

import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.reactiveinformer.guide.graphql.PodGraph.PodPage;
import io.reactiveinformer.permissions.User;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.graphql.client.WebSocketGraphQlClient;
import org.springframework.graphql.server.WebGraphQlInterceptor;
import org.springframework.web.reactive.socket.client.ReactorNettyWebSocketClient;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** The page docs/guide/graphql.md: each user his own. */
@Timeout(120)
class TeamGraphTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ObjectKey JANE = ObjectKey.of("shop", "jane");

    /** In place of Spring Security. */
    @Import(TeamGraph.class)
    static class WithUsers {

        @Bean
        WebGraphQlInterceptor users() {
            return (request, chain) -> Mono.justOrEmpty(request.getHeaders().getFirst("X-User"))
                    .switchIfEmpty(Mono.error(new SecurityException("no user")))
                    .flatMap(name -> {
                        request.configureExecutionInput((input, copy) -> copy.graphQLContext(context -> context.of("user", User.of(name)))
                                .build());
                        return chain.next(request);
                    });
        }
    }

    private static void pod(FakeApiServer server, String namespace, String name) {
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: " + namespace
                + "}, spec: {containers: [{name: main, image: i}]}, status: {phase: Running}}");
    }

    private static PodPage page(WebSocketGraphQlClient client, String namespace) {
        return client.document("{ pods(namespace: \"" + namespace + "\") { pods { key phase } total } }")
                .retrieve("pods").toEntity(PodPage.class).block(PATIENCE);
    }

    @Test
    void eachUserSeesWhatTheClusterLetsHimList() throws Exception {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        try (FakeApiServer server = FakeApiServer.create().start()) {
            pod(server, "shop", "web");
            pod(server, "bank", "vault");
            server.objects().create("{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: reader, namespace: shop},"
                    + " rules: [{apiGroups: [''], resources: [pods], verbs: [list]}]}");
            server.objects().create("{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: jane, namespace: shop},"
                    + " roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader},"
                    + " subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: jane}]}");
            try (ConfigurableApplicationContext application = PodGraphTest.run(WithUsers.class, server, 0)) {
                URI address = URI.create("ws://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port") + "/graphql");
                WebSocketGraphQlClient client = WebSocketGraphQlClient.builder(address, new ReactorNettyWebSocketClient())
                        .header("X-User", "jane").build();
                BlockingQueue<String> received = new LinkedTransferQueue<>();
                Disposable subscription = PodGraphTest.changes(client, new AtomicReference<>("of others"))
                        .map(PodGraphTest::text).filter(change -> !change.matches("Reset|Synced")).subscribe(received::add);
                assertThat(received.poll(30, TimeUnit.SECONDS)).isEqualTo("Row shop/web Running");
                assertThat(page(client, "shop").total()).isEqualTo(1);
                assertThat(page(client, "bank").total()).isZero();

                server.objects().delete(ResourceType.of(V1RoleBinding.class), JANE);
                while (page(client, "shop").total() > 0) {
                    Thread.onSpinWait();
                }
                pod(server, "shop", "later");
                pod(server, "bank", "later");
                server.objects().create("{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: jane, namespace:"
                        + " bank}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader},"
                        + " subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: jane}]}");
                server.objects().create("{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: reader},"
                        + " rules: [{apiGroups: [''], resources: [pods], verbs: [list]}]}");
                assertThat(received.poll(30, TimeUnit.SECONDS)).as("nothing of the shop in between").startsWith("Row bank/");
                subscription.dispose();
                client.stop().block(PATIENCE);
            }
        } finally {
            System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
        }
    }
}
