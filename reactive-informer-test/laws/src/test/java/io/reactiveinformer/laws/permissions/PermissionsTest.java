package io.reactiveinformer.laws.permissions;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.permissions.AccessRequest;
import io.reactiveinformer.permissions.Permissions;
import io.reactiveinformer.permissions.User;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;


class PermissionsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);

    private final FakeApiServer server = FakeApiServer.create();
    private final InformerFactory informers = InformerFactory.create(KubernetesClient.over(server.transport()));

    @AfterEach
    void close() {
        informers.close();
        server.close();
    }

    @Test
    void decides() {
        server.objects().create("{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: reader, namespace: shop}, "
                + "rules: [{apiGroups: [''], resources: [pods], verbs: [get, list]}]}");
        server.objects().create("{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: b, namespace: shop}, "
                + "subjects: [{kind: User, name: jane}], roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}}");
        Permissions permissions = Permissions.of(informers);
        System.out.println(permissions.status().blockFirst(PATIENCE));
        informers.start();
        System.out.println(permissions.status().doOnNext(System.out::println).filter(Permissions.Status::known).blockFirst(PATIENCE));
        System.out.println(permissions.decide(User.of("jane"), AccessRequest.of("list", PODS)).block());
        System.out.println(permissions.decide(User.of("jane"), AccessRequest.of("list", PODS).in("shop")).block());
        System.out.println(permissions.rights(User.of("jane"), PODS, "list").blockFirst(PATIENCE));
    }
}
