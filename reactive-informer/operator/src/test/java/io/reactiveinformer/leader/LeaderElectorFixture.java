package io.reactiveinformer.leader;

import io.kubernetes.client.openapi.models.V1Lease;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.transport.TransportOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Electors and a server in virtual time. */
abstract class LeaderElectorFixture {

    static final ObjectKey LEASE = ObjectKey.of("default", "lock");
    static final ResourceType<V1Lease> LEASES = ResourceType.of(V1Lease.class);

    final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    final FakeApiServer server = FakeApiServer.builder().scheduler(clock).build();
    final KubernetesClient client = client(0);
    final List<String> story = new ArrayList<>();

    @AfterEach
    void close() {
        server.close();
    }

    KubernetesClient client(int writesPerSecond) {
        return KubernetesClient.over(server.transport(), ClientOptions.defaults()
                .withWriteLimit(writesPerSecond, 1).withTransport(TransportOptions.defaults().withSilence(Duration.ofSeconds(75), clock)));
    }

    LeaderElector elector(String name) {
        return elector(name, options -> options);
    }

    LeaderElector elector(String name, UnaryOperator<ElectionOptions> change) {
        return elector(client, name, change);
    }

    LeaderElector elector(KubernetesClient by, String name, UnaryOperator<ElectionOptions> change) {
        return LeaderElector.of(by, LEASE, change.apply(
                ElectionOptions.defaults().withIdentity(name).withTimer(clock).withWorkers(clock).withRandom(() -> 0.5)));
    }

    /** Tells when its work begins and ends. */
    Disposable work(LeaderElector elector) {
        return elector.whileLeading(term -> Flux.never()
                        .doOnSubscribe(begun -> tell(elector.identity() + " begins " + term.token()))
                        .doOnCancel(() -> tell(elector.identity() + " ends " + term.token())))
                .subscribe();
    }

    void tell(String what) {
        story.add(clock.now(TimeUnit.SECONDS) + "s " + what);
    }

    void hold(String holder, int seconds, int transitions) {
        server.objects().create("""
                {apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {namespace: default, name: lock, labels: {kept: 'yes'}},
                 spec: {%s leaseDurationSeconds: %d, leaseTransitions: %d, strategy: OldestEmulationVersion,
                        acquireTime: '2001-01-01T00:00:00.000000Z', renewTime: '2999-01-01T00:00:00.000000Z'}}
                """.formatted(holder == null ? "" : "holderIdentity: " + holder + ",", seconds, transitions));
    }

    JsonNode spec() {
        return server.objects().get(LEASES, LEASE).orElseThrow().path("spec");
    }

    void edit(UnaryOperator<ObjectNode> change) {
        server.objects().edit(LEASES, LEASE, change);
    }

    List<String> verbs() {
        return server.requests().all().stream().map(request -> request.verb().toString()).toList();
    }

    void pass(int seconds) {
        clock.advanceTimeBy(Duration.ofSeconds(seconds));
    }
}
