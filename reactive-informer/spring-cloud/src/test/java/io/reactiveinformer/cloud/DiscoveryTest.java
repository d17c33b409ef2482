package io.reactiveinformer.cloud;

import io.kubernetes.client.openapi.models.V1EndpointSlice;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.NotSyncedException;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.InformerStatus;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.cloud.client.discovery.event.HeartbeatEvent;
import org.springframework.cloud.configuration.CompatibilityVerifierProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** The discovery client of an application, with all auto-configurations of Spring Boot and Spring Cloud in it. */
@Timeout(60)
class DiscoveryTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final FakeApiServer server = FakeApiServer.create().start();
    private ApplicationContextRunner application = new ApplicationContextRunner().withUserConfiguration(Application.class);

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @BeforeEach
    void use() {
        application = application.withPropertyValues("reactive-informer.url=" + server.url(), "reactive-informer.cloud.namespaces=shop");
    }

    @AfterEach
    void close() {
        server.close();
    }

    private static List<String> hosts(ApplicationContext context, String serviceId) {
        return context.getBean(ReactiveDiscoveryClient.class).getInstances(serviceId).map(ServiceInstance::getHost).collectList()
                .block(PATIENCE);
    }

    private static List<String> services(ApplicationContext context) {
        return context.getBean(ReactiveDiscoveryClient.class).getServices().collectList().block(PATIENCE);
    }

    private ApplicationContextRunner with(String variable) {
        String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME; // of a source with another name, Spring Boot is strict
        return application.withInitializer(context -> context.getEnvironment().getPropertySources()
                .replace(name, new SystemEnvironmentPropertySource(name, Map.of(variable, "shop"))));
    }

    @ParameterizedTest
    @CsvSource({
        "REACTIVEINFORMER_CLOUD_NAMSPACES, one of ADDRESSTYPE",
        "REACTIVEINFORMER_CLOUD_ALL_NAMESPACES, REACTIVEINFORMER_CLOUD_ALLNAMESPACES.",
        "REACTIVE_INFORMER_CLOUD_ALLNAMESPACES, REACTIVEINFORMER_CLOUD_ALLNAMESPACES.", "reactiveinformer_cloud_ordr, ORDER"
    })
    void aVariableOfNoPropertyFailsTheStart(String wrong, String action) {
        with(wrong).run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = new ConfigNotReadException.Analyzer().analyze(context.getStartupFailure());
            assertThat(analysis.getDescription()).isEqualTo("there is no property for the environment variable " + wrong);
            assertThat(analysis.getAction()).startsWith("Write REACTIVEINFORMER_CLOUD_").contains(action);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "REACTIVEINFORMER_CLOUD_NAMESPACES", "REACTIVE_INFORMER_CLOUD_PRIMARY_PORT_NAME", "REACTIVEINFORMER_CLOUD_PRIMARYPORTNAME",
        "REACTIVEINFORMER_CLOUD_NAMESPACES_0", "REACTIVEINFORMER_CLOUD_SERVICE_HOST", "REACTIVEINFORMER_CLOUD_SERVICE_PORT_HTTP",
        "REACTIVEINFORMER_CLOUD_PORT", "REACTIVE_INFORMER_CLOUD_PORT_80_TCP_ADDR", "REACTIVEINFORMER_CLOUD_DB_SERVICE_HOST"
    })
    void aVariableOfAPropertyOrOfAServicePasses(String variable) {
        with(variable).run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void findsTheInstancesOfAService() {
        server.objects().create(Slices.ready("shop", "web", "10.0.0.1", "10.0.0.2"));
        server.objects().create(Slices.ready("shop", "db", "10.0.0.3"));
        application.run(context -> {
            assertThat(services(context)).containsExactly("db", "web");
            ServiceInstance first = context.getBean(ReactiveDiscoveryClient.class).getInstances("web").blockFirst(PATIENCE);
            assertThat(first.getUri()).hasToString("http://10.0.0.1:8080");
            assertThat(first.getInstanceId()).isEqualTo("uid-10.0.0.1");
            assertThat(first.getMetadata()).containsEntry("zone", "a");
            assertThat(hosts(context, "web")).containsExactly("10.0.0.1", "10.0.0.2");
            assertThat(hosts(context, "unknown")).isEmpty();
            assertThat(context.getBean(EndpointSliceDiscoveryClient.class).description()).contains("EndpointSlices");
        });
    }

    @Test
    void theBlockingClientHasTheSame() {
        server.objects().create(Slices.ready("shop", "web", "10.0.0.1", "10.0.0.2"));
        application.run(context -> {
            DiscoveryClient client = context.getBean(DiscoveryClient.class);
            assertThat(client.getServices()).containsExactly("web");
            assertThat(client.getInstances("web")).extracting(ServiceInstance::getHost).containsExactly("10.0.0.1", "10.0.0.2");
            assertThat(client.getInstances("unknown")).isEmpty();
            assertThat(Mono.fromSupplier(() -> client.getInstances("web")).subscribeOn(Schedulers.parallel()).block(PATIENCE))
                    .as("from memory, on a thread that must not be blocked").hasSize(2);
        });
        application.withPropertyValues("spring.cloud.discovery.blocking.enabled=false").run(context ->
                assertThat(context).hasNotFailed().hasSingleBean(EndpointSliceDiscoveryClient.class)
                        .doesNotHaveBean(BlockingEndpointSliceDiscoveryClient.class));
    }

    @Test
    void aBlockingCallWaitsForTheFirstCompleteState() {
        server.objects().create(Slices.ready("shop", "web", "10.0.0.1"));
        server.faults().onList("endpointslices.discovery.k8s.io").times(1).internalError();
        application.run(context -> assertThat(context.getBean(DiscoveryClient.class).getInstances("web")).hasSize(1));
    }

    @Test
    void anExternalNameIsAbsent() {
        server.objects().create("{apiVersion: v1, kind: Service, metadata: {name: out, namespace: shop},"
                + " spec: {type: ExternalName, externalName: example.com}}");
        application.run(context -> {
            assertThat(services(context)).isEmpty();
            assertThat(hosts(context, "out")).isEmpty();
        });
    }

    @Test
    void aCallWaitsForTheFirstCompleteState() {
        server.objects().create(Slices.ready("shop", "web", "10.0.0.1"));
        server.faults().onAny().always().refuse();
        application.run(context -> StepVerifier.create(context.getBean(ReactiveDiscoveryClient.class).getInstances("web"))
                .then(() -> server.faults().clear())
                .expectNextMatches(instance -> instance.getHost().equals("10.0.0.1"))
                .expectComplete().verify(PATIENCE));
    }

    @Test
    void aCallThatWaitsInVainSaysWhy() {
        server.faults().onAny().always().refuse();
        application.withPropertyValues("reactive-informer.cloud.first-list-timeout=100ms")
                .run(context -> StepVerifier.create(context.getBean(ReactiveDiscoveryClient.class).getInstances("web"))
                        .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(NotSyncedException.class)
                                .hasMessageContaining("endpointslices"))
                        .verify(PATIENCE));
    }

    @Test
    void servesTheLastKnownStateWhileTheServerIsAway() {
        server.objects().create(Slices.ready("shop", "web", "10.0.0.1"));
        application.run(context -> {
            assertThat(hosts(context, "web")).hasSize(1);
            server.close();
            context.getBean(InformerFactory.class).informers().get(0).status()
                    .filter(status -> status.state() == InformerStatus.State.DISRUPTED).blockFirst(PATIENCE);
            assertThat(hosts(context, "web")).containsExactly("10.0.0.1");
        });
    }

    @Test
    void aNamespaceBelongsToTheIdIfOneWantsThat() {
        server.objects().create(Slices.ready("shop", "web", "10.0.0.1"));
        server.objects().create(Slices.ready("bank", "web", "10.0.0.2"));
        application.withPropertyValues("reactive-informer.cloud.namespaces=shop,bank").run(context -> {
            assertThat(services(context)).containsExactly("web");
            assertThat(hosts(context, "web")).containsExactly("10.0.0.2", "10.0.0.1");
            assertThat(hosts(context, "web.bank")).containsExactly("10.0.0.2");
        });
    }

    @Test
    void propertiesSayWhichNamespaces() {
        server.objects().create(Slices.ready("shop", "web", "10.0.0.1"));
        server.objects().create(Slices.ready("default", "web", "10.0.0.2"));
        server.objects().create(Slices.ready("bank", "web", "10.0.0.3"));
        ApplicationContextRunner unset = new ApplicationContextRunner().withUserConfiguration(Application.class)
                .withPropertyValues("reactive-informer.url=" + server.url());
        unset.run(context -> assertThat(hosts(context, "web")).as("its own").containsExactly("10.0.0.2"));
        unset.withPropertyValues("reactive-informer.namespaces=bank,shop")
                .run(context -> assertThat(hosts(context, "web")).containsExactly("10.0.0.3", "10.0.0.1"));
        application.withPropertyValues("reactive-informer.namespaces=bank")
                .run(context -> assertThat(hosts(context, "web")).containsExactly("10.0.0.1"));
        unset.withPropertyValues("reactive-informer.cloud.all-namespaces=true")
                .run(context -> assertThat(hosts(context, "web")).hasSize(3));
    }

    @Test
    void theOwnNamespaceNeedsOneCluster() {
        new ApplicationContextRunner().withUserConfiguration(Application.class)
                .withBean("east", ClusterConfig.class, () -> ClusterConfig.of(server.url()))
                .withBean("west", ClusterConfig.class, () -> ClusterConfig.of(server.url()))
                .withBean(KubernetesClient.class, () -> KubernetesClient.over(server.transport()))
                .run(context -> assertThat(context.getStartupFailure()).hasStackTraceContaining("Set reactive-informer.cloud.namespaces"));
    }

    @Test
    void announcesServicesThatAppearOrVanish() {
        server.objects().create(Slices.ready("shop", "web", "10.0.0.1"));
        application.withUserConfiguration(Listener.class).run(context -> {
            LinkedTransferQueue<Object> heartbeats = context.getBean(Heartbeat.class).values;
            assertThat(heartbeats.poll(30, TimeUnit.SECONDS)).hasToString("[web]");
            for (String thrown : Heartbeat.THROWN.keySet()) {
                context.getBean(Heartbeat.class).next = thrown;
                server.objects().create(Slices.ready("shop", thrown, "10.0.0.3"));
                assertThat(heartbeats.poll(10, TimeUnit.SECONDS)).hasToString("[" + thrown + ", web]");
                Slices.delete(server, "shop", thrown);
                assertThat(heartbeats.poll(10, TimeUnit.SECONDS)).as("after a listener threw: " + thrown).hasToString("[web]");
            }
            server.objects().create(Slices.ready("shop", "db", "10.0.0.2"));
            assertThat(heartbeats.poll(30, TimeUnit.SECONDS)).hasToString("[db, web]");
            Slices.setReady(server, "shop", "db", 0, false);
            Slices.delete(server, "shop", "web");
            assertThat(heartbeats.poll(30, TimeUnit.SECONDS)).hasToString("[db]");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Listener {

        @Bean
        Heartbeat heartbeat() {
            return new Heartbeat();
        }
    }

    static final class Heartbeat implements ApplicationListener<HeartbeatEvent> {

        static final Map<String, Throwable> THROWN = Map.of(
                "exception", new IllegalStateException("as a listener may"),
                "assertion", new AssertionError("as a listener may"),
                "linkage", new NoClassDefFoundError("as a listener may"));

        final LinkedTransferQueue<Object> values = new LinkedTransferQueue<>();
        volatile String next = "exception";

        @Override
        public void onApplicationEvent(HeartbeatEvent event) {
            values.add(event.getValue());
            DiscoveryTest.<RuntimeException>sneak(THROWN.get(next));
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable thrown) throws E {
        throw (E) thrown;
    }

    /** The informer of the context, whose methods {@code instead} may replace by a result. */
    @SuppressWarnings("unchecked")
    private static Informer<ServiceSlice> replaced(ApplicationContext context, Function<String, @Nullable Object> instead) {
        Informer<ServiceSlice> informer = (Informer<ServiceSlice>) context.getBean(InformerFactory.class).informers().get(0);
        return (Informer<ServiceSlice>) Proxy.newProxyInstance(Informer.class.getClassLoader(), new Class<?>[] {Informer.class},
                (proxy, method, arguments) -> {
                    Object result = instead.apply(method.getName());
                    return result == null ? method.invoke(informer, arguments) : result;
                });
    }

    @Test
    void aChangeOfReadinessDoesNotReadAllNames() {
        server.objects().create(Slices.ready("shop", "web", "10.0.0.1"));
        application.run(context -> {
            var reads = new AtomicInteger();
            Informer<ServiceSlice> counted = replaced(context, method -> {
                if (method.equals("snapshot")) {
                    reads.incrementAndGet();
                }
                return null;
            });
            var catalogue = new ServiceCatalogue(counted, context.getBean(CloudProperties.class).rules(), PATIENCE);
            StepVerifier.create(catalogue.serviceSets())
                    .expectNext(Set.of("web"))
                    .then(() -> {
                        for (int change = 0; change < 20; change++) {
                            boolean ready = change % 2 == 1;
                            Slices.setReady(server, "shop", "web", 0, ready);
                            catalogue.instanceLists("web").filter(list -> list.isEmpty() != ready).blockFirst(PATIENCE);
                        }
                        server.objects().create(Slices.ready("shop", "db", "10.0.0.2"));
                    })
                    .expectNext(Set.of("db", "web"))
                    .thenCancel().verify(PATIENCE);
            assertThat(reads).hasValue(2);
        });
    }

    @Test
    void aCallTriesAgainToAddTheIndex() {
        server.objects().create(Slices.ready("shop", "web", "10.0.0.1"));
        application.run(context -> {
            var tries = new AtomicInteger();
            Informer<ServiceSlice> failing = replaced(context, method -> method.equals("addIndex")
                    ? Mono.defer(() -> tries.incrementAndGet() < 3 ? Mono.error(new IllegalStateException("no memory")) : Mono.empty())
                    : null);
            var catalogue = new ServiceCatalogue(failing, context.getBean(CloudProperties.class).rules(), PATIENCE);
            StepVerifier.create(catalogue.instances("web")).expectErrorMessage("no memory").verify(PATIENCE);
            assertThat(catalogue.instances("web").block(PATIENCE)).hasSize(1);
        });
    }

    @Test
    void aPropertyThatDoesNotExistFailsTheStart() {
        application.withPropertyValues("reactive-informer.cloud.primary-port=http")
                .run(context -> assertThat(context.getStartupFailure()).hasStackTraceContaining("reactive-informer.cloud.primary-port"));
    }

    /** The other tests would fail too if it did not. */
    @Test
    void springCloudChecksThisVersionOfBootAndAcceptsIt() {
        application.run(context -> assertThat(context).hasNotFailed().hasSingleBean(CompatibilityVerifierProperties.class));
        application.withPropertyValues("spring.cloud.compatibility-verifier.compatible-boot-versions=3.5.x")
                .run(context -> assertThat(context.getStartupFailure()).hasStackTraceContaining("Spring Boot"));
    }

    @Test
    void readsTheOtherProperties() {
        application.withPropertyValues(
                "reactive-informer.cloud.primary-port-name=admin",
                "reactive-informer.cloud.serving-terminating=true",
                "reactive-informer.cloud.address-type=IPv6",
                "reactive-informer.cloud.order=7").run(context -> {
                    assertThat(context.getBean(CloudProperties.class).rules())
                            .isEqualTo(new InstanceRules("admin", true, AddressType.IPV6));
                    assertThat(context.getBean(EndpointSliceDiscoveryClient.class).getOrder()).isEqualTo(7);
                });
    }

    @Test
    void doesNothingWhereItIsDisabled() {
        for (String off : List.of("reactive-informer.cloud.enabled=false", "reactive-informer.enabled=false",
                "spring.cloud.discovery.enabled=false", "spring.cloud.discovery.reactive.enabled=false")) {
            application.withPropertyValues(off).run(context -> assertThat(context).as(off).hasNotFailed()
                    .doesNotHaveBean(ServiceCatalogue.class).doesNotHaveBean(CurrentCaches.class));
        }
    }

    @Test
    void theInformerIsOneOfTheApplication() {
        application.run(context -> {
            assertThat(context.getBean(InformerFactory.class).informers()).singleElement().satisfies(informer ->
                    assertThat(informer.description()).startsWith(ResourceType.of(V1EndpointSlice.class).plural()));
            assertThat(services(context)).isEmpty();
            assertThat(server.requests().all()).allSatisfy(request ->
                    assertThat(request.uri()).contains("labelSelector=kubernetes.io%2Fservice-name"));
        });
    }
}
