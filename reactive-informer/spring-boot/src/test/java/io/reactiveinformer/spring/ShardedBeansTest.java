package io.reactiveinformer.spring;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Lease;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Route;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.leader.ElectionOptions;
import io.reactiveinformer.leader.LeaderElector;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.sharding.ShardedController;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.faults.Fault;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static io.reactiveinformer.spring.OperatorBeansTest.PATIENCE;
import static io.reactiveinformer.spring.OperatorBeansTest.await;
import static io.reactiveinformer.spring.OperatorBeansTest.health;
import static org.assertj.core.api.Assertions.assertThat;

/** Two processes of one service with a {@link ShardedController} bean. */
@Timeout(120)
class ShardedBeansTest {

    private final FakeApiServer server = FakeApiServer.create().start();
    private ApplicationContextRunner application = new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(
            ReactiveInformerAutoConfiguration.class, InformersHealthAutoConfiguration.class, InformersEndpointAutoConfiguration.class,
            InformerMetricsAutoConfiguration.class, InformerObservationAutoConfiguration.class));

    @BeforeEach
    void use() {
        application = application.withUserConfiguration(Member.class)
                .withPropertyValues("reactive-informer.url=" + server.url(), "management.endpoints.web.exposure.include=informers",
                        "spring.lifecycle.timeout-per-shutdown-phase=10s")
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(ObservationRegistry.class, TestObservationRegistry::create);
        server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}");
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** What a member has worked on. */
    static final class Work {
        private final Set<String> begun = ConcurrentHashMap.newKeySet();
        private final Set<String> ended = ConcurrentHashMap.newKeySet();
        private volatile Mono<Void> each = Mono.empty();

        Mono<Result> on(String key) {
            return Mono.defer(() -> {
                begun.add(key);
                return each;
            }).doOnSuccess(end -> ended.add(key)).thenReturn(Result.done());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Member {

        @Bean
        Work work() {
            return new Work();
        }

        @Bean
        ShardedController<ObjectKey> notes(KubernetesClient client, InformerFactory informers, Work work) {
            Informer<V1ConfigMap> notes = informers.of(ResourceType.of(V1ConfigMap.class), Namespaces.of("shop"));
            return ShardedController.of(client, ObjectKey.of("shop", "notes"), Controller.named("notes").watches(notes, Route.self()),
                    request -> work.on(request.key().name()), ElectionOptions.defaults()
                            .withTimings(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofMillis(200)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Follower {

        @Bean
        LeaderElector election(KubernetesClient client) {
            return LeaderElector.of(client, ObjectKey.of("shop", "leader"));
        }
    }

    private static Work work(ApplicationContext member) {
        return member.getBean(Work.class);
    }

    private static InformersEndpoint.OfController shown(ApplicationContext member) {
        return member.getBean(InformersEndpoint.class).informers().block(PATIENCE).controllers().get("notes");
    }

    private static void awaitMembers(int members, ApplicationContext... contexts) {
        Stream.of(contexts).forEach(context -> await(() -> Integer.valueOf(members).equals(shown(context).members())));
    }

    private void write(String prefix) {
        IntStream.range(0, 20).forEach(one -> server.objects().create(
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + prefix + one + ", namespace: shop}}"));
    }

    private static Set<String> all(String prefix) {
        return IntStream.range(0, 20).mapToObj(one -> prefix + one).collect(Collectors.toSet());
    }

    private Stream<String> leases() {
        return server.objects().list(ResourceType.of(V1Lease.class)).stream()
                .filter(lease -> !lease.at("/spec/holderIdentity").asString("").isEmpty())
                .map(lease -> lease.at("/metadata/name").asString());
    }

    @Test
    void joinsWhenTheInformersAreSynced() {
        Fault late = server.faults().onList("configmaps").always().stall();
        application.run(member -> {
            late.happened(PATIENCE).block();
            await(() -> shown(member).waitsFor().size() == 1);
            assertThat(shown(member).members()).isZero();
            assertThat(leases()).isEmpty();
        });
        late.disarm();
        application.run(member -> awaitMembers(1, member));
    }

    @Test
    void membersDivideTheKeysAndShowIt() {
        application.run(one -> application.run(other -> {
            awaitMembers(2, one, other);
            write("a");
            await(() -> work(one).ended.size() + work(other).ended.size() == 20);
            assertThat(work(one).ended).isNotEmpty().doesNotContainAnyElementsOf(work(other).ended);
            assertThat(work(other).ended).isNotEmpty();
            assertThat(shown(one).share()).contains(" of [").isNotEqualTo(shown(other).share());
            assertThat(health(one).getStatus()).isEqualTo(Status.UP);
            assertThat(health(one).getDetails().get("notes").toString())
                    .contains("share=" + shown(one).share(), "members=2", "state=WORKING");
        }));
    }

    @Test
    void isMeteredAndObservesOnlyItsShare() {
        application.run(one -> application.run(other -> {
            awaitMembers(2, one, other);
            write("a");
            await(() -> work(one).ended.size() + work(other).ended.size() == 20);
            MeterRegistry meters = one.getBean(MeterRegistry.class);
            await(() -> meters.get("controller.reconciles").tag("outcome", "done").timer().count() == work(one).ended.size());
            await(() -> meters.get("controller.work").tag("controller", "notes").timer().count() >= work(one).ended.size());
            TestObservationRegistryAssert.assertThat((TestObservationRegistry) one.getBean(ObservationRegistry.class))
                    .hasNumberOfObservationsWithNameEqualTo("controller.reconcile", work(one).ended.size());
        }));
    }

    @Test
    void worksAlsoWhereAnotherProcessLeads() {
        server.objects().create("{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: leader, namespace: shop},"
                + " spec: {holderIdentity: other, leaseDurationSeconds: 3600, renewTime: '2026-01-01T00:00:00.000000Z'}}");
        application.withUserConfiguration(Follower.class).run(member -> {
            awaitMembers(1, member);
            write("a");
            await(() -> work(member).ended.size() == 20);
        });
    }

    /** The work in progress ends, the lease is released, and the other member takes over, all within the time of the phase. */
    @Test
    void aMemberThatStopsGivesItsShareBack() {
        application.run(other -> {
            application.run(one -> {
                awaitMembers(2, one, other);
                Sinks.Empty<Void> end = Sinks.empty();
                work(one).each = end.asMono();
                write("a");
                await(() -> !work(one).begun.isEmpty() && !work(other).ended.isEmpty());
                long before = System.nanoTime();
                Mono.delay(Duration.ofMillis(500)).subscribe(now -> end.tryEmitEmpty());
                Work work = work(one);
                one.close();
                assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
                assertThat(work.begun).isEqualTo(work.ended);
                assertThat(leases()).as("released before the end").hasSize(1);
                await(() -> Stream.concat(work.ended.stream(), work(other).ended.stream()).collect(Collectors.toSet()).equals(all("a")));
            });
            awaitMembers(1, other);
            write("b");
            await(() -> work(other).ended.containsAll(all("b")));
        });
    }

    @Test
    void endlessWorkIsCancelledAndTheLeaseReleasedInTime() {
        Sinks.Empty<Void> cancelled = Sinks.empty();
        application.withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=4s").run(member -> {
            awaitMembers(1, member);
            work(member).each = Mono.<Void>never().doOnCancel(cancelled::tryEmitEmpty);
            write("a");
            await(() -> !work(member).begun.isEmpty());
        });
        assertThat(leases()).isEmpty();
        cancelled.asMono().block(Duration.ofMillis(1));
    }
}
