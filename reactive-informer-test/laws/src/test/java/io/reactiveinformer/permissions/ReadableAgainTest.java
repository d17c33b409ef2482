package io.reactiveinformer.permissions;

import io.kubernetes.client.openapi.models.V1Role;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** Statuses and changes of roles are not received in one order. */
class ReadableAgainTest {

    private static final ResourceType<V1Role> ROLES = ResourceType.of(V1Role.class);
    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(time).build();
    private final InformerFactory informers = InformerFactory.create(KubernetesClient.over(server.transport(), ClientOptions.defaults()),
            ReflectorOptions.defaults().withTimer(time));
    private final List<String> seen = new ArrayList<>();
    private final RbacSource<V1Role> source = new RbacSource<>(informers, ROLES, this::receive, new Object(), () -> {});

    @AfterEach
    void close() {
        source.stop();
        informers.close();
        server.close();
        VirtualTimeScheduler.reset();
    }

    /** With the first of two roles, the status says that the other one could not be read, and can be read again. */
    private void receive(ObjectKey key, @Nullable V1Role role) {
        boolean first = seen.isEmpty();
        seen.add(key.name() + (role == null ? " is absent" : " counts"));
        if (first) {
            source.unreadable(Set.of(other(key)));
            source.unreadable(Set.of());
            assertThat(seen.subList(1, seen.size())).containsOnly(other(key).name() + " is absent");
        }
    }

    private static ObjectKey other(ObjectKey key) {
        return ObjectKey.of("shop", key.name().equals("reader") ? "writer" : "reader");
    }

    /** It is in the cache, but its change was not received. If it is deleted before that, no change is received at all. */
    @Test
    void aRoleCountsOnlyOnceItsChangeIsReceived() {
        for (String name : List.of("reader", "writer")) {
            server.objects().load(
                    "{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: " + name + ", namespace: shop}}");
        }
        source.start(time);
        informers.start();
        time.advanceTimeBy(Duration.ofMillis(10));
        assertThat(seen).hasSize(4).contains("reader counts", "writer counts");
    }
}
