package io.reactiveinformer.cloud;

import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.Cache;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.cloud.client.loadbalancer.reactive.ReactiveLoadBalancer;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClient;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClientConfiguration;
import org.springframework.cloud.loadbalancer.blocking.client.BlockingLoadBalancerClient;
import org.springframework.cloud.loadbalancer.cache.LoadBalancerCacheManager;
import org.springframework.cloud.loadbalancer.core.CachingServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.HealthCheckServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.ZonePreferenceServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** What Spring Cloud LoadBalancer chooses, in each of its configurations, while endpoints change. */
@Timeout(60)
class LoadBalancingTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final FakeApiServer server = FakeApiServer.create().start();
    private ApplicationContextRunner application = new ApplicationContextRunner().withUserConfiguration(Application.class);

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @BeforeEach
    void use() {
        server.objects().create(Slices.ready("shop", "web", "10.0.0.1", "10.0.0.2"));
        application = application.withPropertyValues("reactive-informer.url=" + server.url(), "reactive-informer.cloud.namespaces=shop");
    }

    @AfterEach
    void close() {
        server.close();
    }

    private static List<String> chosen(ApplicationContext context, String serviceId) {
        ReactiveLoadBalancer<ServiceInstance> balancer = context.getBean(LoadBalancerClientFactory.class).getInstance(serviceId);
        return IntStream.range(0, 10)
                .mapToObj(call -> Objects.requireNonNull(Mono.from(balancer.choose()).block(PATIENCE)))
                .filter(Response::hasServer)
                .map(response -> response.getServer().getHost()).distinct().sorted().toList();
    }

    private static ServiceInstanceListSupplier supplier(ApplicationContext context, String serviceId) {
        return Objects.requireNonNull(
                context.getBean(LoadBalancerClientFactory.class).getInstance(serviceId, ServiceInstanceListSupplier.class));
    }

    /** Makes the second endpoint unready, and waits until the informer has that. */
    private void endSecond(ApplicationContext context) {
        Mono<List<ServiceInstance>> one = context.getBean(ServiceCatalogue.class).instanceLists("web")
                .filter(list -> list.size() == 1).next();
        StepVerifier.create(one).then(() -> Slices.setReady(server, "shop", "web", 1, false)).expectNextCount(1)
                .expectComplete().verify(PATIENCE);
    }

    @Test
    void choosesReadyInstancesOnlyAtOnce() {
        application.run(context -> {
            assertThat(chosen(context, "web")).containsExactly("10.0.0.1", "10.0.0.2");
            assertThat(supplier(context, "web")).isInstanceOf(EndpointSliceInstanceListSupplier.class);
            endSecond(context);
            assertThat(chosen(context, "web")).containsExactly("10.0.0.1");
        });
    }

    @Test
    void aSupplierEmitsEachChange() {
        application.run(context -> StepVerifier.create(supplier(context, "web").get().map(List::size))
                .expectNext(2)
                .then(() -> Slices.setReady(server, "shop", "web", 1, false)).expectNext(1)
                .then(() -> Slices.setReady(server, "shop", "web", 1, true)).expectNext(2)
                .then(() -> Slices.delete(server, "shop", "web")).expectNext(0)
                .thenCancel().verify(PATIENCE));
    }

    @Test
    void noConfigurationOfSpringKeepsAnOldList() {
        for (String configuration : List.of(
                "zone-preference", "request-based-sticky-session", "weighted", "subset", "same-instance-preference")) {
            application.withPropertyValues("spring.cloud.loadbalancer.configurations=" + configuration).run(context -> {
                assertThat(chosen(context, "web")).as(configuration).isNotEmpty();
                endSecond(context);
                if (!configuration.equals("same-instance-preference")) {
                    assertThat(chosen(context, "web")).as(configuration).containsExactly("10.0.0.1");
                }
                assertThat(supplier(context, "web").get().blockFirst(PATIENCE)).as(configuration).hasSize(1);
                Slices.setReady(server, "shop", "web", 1, true);
            });
        }
    }

    @Test
    void theZoneOfTheApplicationComesFirst() {
        server.objects().create(Slices.ready("shop", "db", "10.0.1.1", "10.0.1.2").replaceFirst("zone: a", "zone: b"));
        application.withPropertyValues("spring.cloud.loadbalancer.configurations=zone-preference", "spring.cloud.loadbalancer.zone=b")
                .run(context -> {
                    assertThat(supplier(context, "db")).isInstanceOf(ZonePreferenceServiceInstanceListSupplier.class);
                    assertThat(chosen(context, "db")).containsExactly("10.0.1.1");
                });
    }

    /** The checks of one list are not repeated in a test; with an empty path they succeed at once. */
    private ApplicationContextRunner withHealthChecks(String serviceId) {
        return application.withPropertyValues("spring.cloud.loadbalancer.configurations=health-check",
                "spring.cloud.loadbalancer.health-check.interval=1h",
                "spring.cloud.loadbalancer.health-check.path." + serviceId + "=");
    }

    /** Until a list has exactly these hosts. */
    private static List<String> until(ServiceInstanceListSupplier supplier, String... hosts) {
        return supplier.get().map(list -> list.stream().map(ServiceInstance::getHost).sorted().toList())
                .filter(List.of(hosts)::equals).blockFirst(PATIENCE);
    }

    @Test
    void healthChecksBeginAnewWithEachList() {
        withHealthChecks("web").run(context -> {
            ServiceInstanceListSupplier checked = supplier(context, "web");
            assertThat(checked).isInstanceOf(HealthCheckServiceInstanceListSupplier.class);
            until(checked, "10.0.0.1", "10.0.0.2");
            Slices.setReady(server, "shop", "web", 1, false);
            until(checked, "10.0.0.1");
            Slices.setReady(server, "shop", "web", 1, true);
            until(checked, "10.0.0.1", "10.0.0.2");
        });
    }

    @Test
    void healthChecksBeginWhenTheServiceAppears() {
        withHealthChecks("late").withPropertyValues("spring.cloud.loadbalancer.eager-load.clients=late").run(context -> {
            ServiceInstanceListSupplier checked = supplier(context, "late");
            until(checked);
            server.objects().create(Slices.ready("shop", "late", "10.0.2.1"));
            until(checked, "10.0.2.1");
        });
    }

    @Test
    void healthChecksRefetchFromOtherDiscoveryClients() {
        var instances = new AtomicReference<>(List.<ServiceInstance>of());
        withHealthChecks("mail").withBean(ReactiveDiscoveryClient.class, () -> new Other(instances))
                .withPropertyValues("spring.cloud.loadbalancer.health-check.refetch-instances=true",
                        "spring.cloud.loadbalancer.health-check.refetch-instances-interval=50ms")
                .run(context -> {
                    ServiceInstanceListSupplier checked = supplier(context, "mail");
                    until(checked);
                    instances.set(List.of(new DefaultServiceInstance("mail-1", "mail", "mail.example.com", 25, false)));
                    until(checked, "mail.example.com");
                });
    }

    private record Other(AtomicReference<List<ServiceInstance>> instances) implements ReactiveDiscoveryClient {

        @Override
        public String description() {
            return "other";
        }

        @Override
        public Flux<ServiceInstance> getInstances(String serviceId) {
            return Flux.defer(() -> Flux.fromIterable(instances.get()));
        }

        @Override
        public Flux<String> getServices() {
            return Flux.empty();
        }
    }

    @Test
    void otherDiscoveryClientsAreReadWheneverTheServiceIsAbsent() {
        application.withPropertyValues("spring.cloud.discovery.client.simple.instances.mail[0].uri=http://mail.example.com:25")
                .run(context -> {
                    Flux<List<String>> hosts = supplier(context, "mail").get()
                            .map(list -> list.stream().map(ServiceInstance::getHost).toList());
                    StepVerifier.create(hosts)
                            .expectNext(List.of("mail.example.com"))
                            .then(() -> server.objects().create(Slices.ready("shop", "mail"))).expectNext(List.of())
                            .then(() -> Slices.delete(server, "shop", "mail")).expectNext(List.of("mail.example.com"))
                            .then(() -> server.objects().create(Slices.ready("shop", "mail", "10.0.2.1"))).expectNext(List.of("10.0.2.1"))
                            .thenCancel().verify(PATIENCE);
                });
    }

    /** Spring Cloud registers default configurations in the order of a hash map. */
    @Test
    void aDefaultOfTheApplicationComesFirstAlsoIfItIsRegisteredLater() {
        for (String configuration : List.of("default", "health-check")) {
            application.withPropertyValues("loadbalancer.client.name=web", "spring.cloud.loadbalancer.configurations=" + configuration)
                    .run(context -> {
                        try (var ofOneService = new AnnotationConfigApplicationContext()) {
                            ofOneService.setParent(context);
                            ofOneService.register(LoadBalancerConfiguration.class, OwnChain.class, LoadBalancerClientConfiguration.class);
                            ofOneService.refresh();
                            assertThat(ofOneService.getBeanFactory().containsSingleton("healthCheckInstanceListSupplier"))
                                    .as("checks that nobody uses").isFalse();
                            assertThat(ofOneService.getBeansOfType(ServiceInstanceListSupplier.class)).as(configuration).hasSize(2);
                            assertThat(ofOneService.getBeanProvider(ServiceInstanceListSupplier.class).getIfAvailable()).as(configuration)
                                    .isSameAs(ofOneService.getBean("own"));
                        }
                    });
        }
    }

    @Configuration(proxyBeanMethods = false)
    @LoadBalancerClient(name = "web", configuration = OwnChain.class)
    static class WithOwnChain {}

    static class OwnChain {

        @Bean
        ServiceInstanceListSupplier own(ConfigurableApplicationContext context) {
            return ServiceInstanceListSupplier.builder().withDiscoveryClient().withZonePreference("a").withCaching().build(context);
        }
    }

    @Test
    void aChainOfTheApplicationComesFirstAndIsCurrentToo() {
        application.withUserConfiguration(WithOwnChain.class).run(context -> {
            assertThat(supplier(context, "web")).isInstanceOf(CachingServiceInstanceListSupplier.class);
            assertThat(chosen(context, "web")).hasSize(2);
            endSecond(context);
            assertThat(chosen(context, "web")).containsExactly("10.0.0.1");
        });
    }

    @Test
    void servicesOfOtherDiscoveryClientsAreCachedAsEver() {
        application.withPropertyValues("spring.cloud.discovery.client.simple.instances.mail[0].uri=http://mail.example.com:25")
                .run(context -> {
                    assertThat(chosen(context, "mail")).containsExactly("mail.example.com");
                    Cache cache = cache(context);
                    assertThat(cache.get("mail", Object.class)).asInstanceOf(InstanceOfAssertFactories.LIST).hasSize(1);
                    assertThat(cache.get("web", Object.class)).isNull();
                });
    }

    private static Cache cache(ApplicationContext context) {
        return Objects.requireNonNull(context.getBean(LoadBalancerCacheManager.class)
                .getCache(CachingServiceInstanceListSupplier.SERVICE_INSTANCE_CACHE_NAME));
    }

    @Test
    void aListThatWasReadBeforeADeletionIsNotCachedAfterIt() {
        application.run(context -> {
            List<ServiceInstance> read = supplier(context, "web").get().blockFirst(PATIENCE);
            Flux<List<ServiceInstance>> lists = context.getBean(ServiceCatalogue.class).instanceLists("web");
            StepVerifier.create(lists).expectNext(read)
                    .then(() -> Slices.delete(server, "shop", "web")).expectNext(List.of()).thenCancel().verify(PATIENCE);
            cache(context).put("web", read);
            assertThat(cache(context).get("web", Object.class)).isNull();
        });
    }

    @Test
    void blockingClientsChooseAmongTheSameInstances() {
        application.run(context -> {
            endSecond(context);
            assertThat(context.getBean(BlockingLoadBalancerClient.class).choose("web").getHost()).isEqualTo("10.0.0.1");
        });
    }

    @Test
    void worksWithoutTheLoadBalancersCache() {
        application.withPropertyValues("spring.cloud.loadbalancer.cache.enabled=false")
                .run(context -> assertThat(chosen(context, "web")).hasSize(2));
    }

    /** Spring Cloud's own auto-configurations cannot be found in part, so that only ours are here. */
    @Test
    void worksWithoutALoadBalancer() throws Exception {
        new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader("org.springframework.cloud.loadbalancer"))
                .withConfiguration(AutoConfigurations.of(
                        Class.forName("io.reactiveinformer.spring.ReactiveInformerAutoConfiguration"),
                        DiscoveryAutoConfiguration.class, LoadBalancingAutoConfiguration.class))
                .withPropertyValues("reactive-informer.url=" + server.url(), "reactive-informer.cloud.namespaces=shop")
                .run(context -> {
                    assertThat(context.getBean(ReactiveDiscoveryClient.class).getInstances("web").count().block(PATIENCE)).isEqualTo(2);
                    assertThat(context).doesNotHaveBean("currentCaches");
                });
    }
}
