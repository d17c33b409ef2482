package io.reactiveinformer.cloud;

import io.kubernetes.client.openapi.models.V1EndpointSlice;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.openjdk.jol.info.GraphLayout;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.cloud.client.loadbalancer.reactive.ReactiveLoadBalancer;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.annotation.Configuration;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** The three promises of docs/guide/spring-cloud.md: requests for each call, the delay of a change, the heap. Prints what it measures. */
@Timeout(120)
@Tag("long")
@EnabledIfSystemProperty(named = "test.thorough", matches = "true", disabledReason = "measures: only with -Pthorough")
class DiscoveryCostTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int CALLS = 10_000;
    private static final int CHANGES = Boolean.getBoolean("test.thorough") ? 200 : 100;
    private static final int SERVICES = 500;
    private static final int ENDPOINTS = 10;

    static {
        System.setProperty("jol.magicFieldOffset", "true"); // JOL's way to measure records
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private static ApplicationContextRunner application(FakeApiServer server) {
        return new ApplicationContextRunner().withUserConfiguration(Application.class)
                .withPropertyValues("reactive-informer.url=" + server.url(), "reactive-informer.cloud.namespaces=shop");
    }

    @Test
    void tenThousandCallsSendNoRequest() {
        try (FakeApiServer server = FakeApiServer.create().start()) {
            server.objects().create(Slices.ready("shop", "web", "10.0.0.1", "10.0.0.2"));
            application(server).run(context -> {
                ReactiveDiscoveryClient client = context.getBean(ReactiveDiscoveryClient.class);
                ReactiveLoadBalancer<ServiceInstance> balancer = context.getBean(LoadBalancerClientFactory.class).getInstance("web");
                assertThat(client.getInstances("web").count().block(PATIENCE)).isEqualTo(2);
                server.requests().await(request -> request.uri().contains("watch="), PATIENCE).block(PATIENCE);
                int before = server.requests().all().size();
                long lookUps = cpuOf(() -> assertThat(client.getInstances("web").count().block(PATIENCE)).isEqualTo(2));
                long choices = cpuOf(() -> assertThat(Mono.from(balancer.choose()).block(PATIENCE).hasServer()).isTrue());
                System.out.printf("%d look-ups and %d choices: 0 requests; of CPU %d µs a look-up, %d µs a choice%n",
                        CALLS, CALLS, lookUps, choices);
                assertThat(server.requests().all()).hasSize(before);
            });
        }
    }

    /** Microseconds for each call, all of which run on this thread. */
    private static long cpuOf(Runnable call) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long begun = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < CALLS; i++) {
            call.run();
        }
        return TimeUnit.NANOSECONDS.toMicros(threads.getCurrentThreadCpuTime() - begun) / CALLS;
    }

    /** Asserts the median only: a build shares its processors, and the longest delays are those of threads that wait for one. */
    @Test
    void anUnreadyPodIsOutOfRotationAtOnce() {
        try (FakeApiServer server = FakeApiServer.create().start()) {
            server.objects().create(Slices.ready("shop", "web", "10.0.0.1", "10.0.0.2"));
            application(server).run(context -> {
                var supplier = Objects.requireNonNull(
                        context.getBean(LoadBalancerClientFactory.class).getInstance("web", ServiceInstanceListSupplier.class));
                LinkedTransferQueue<List<ServiceInstance>> lists = new LinkedTransferQueue<>();
                Disposable subscription = supplier.get().subscribe(lists::add);
                assertThat(lists.poll(30, TimeUnit.SECONDS)).hasSize(2);
                server.requests().await(request -> request.uri().contains("watch="), PATIENCE).block(PATIENCE);
                long[] delays = new long[CHANGES];
                for (int change = -CHANGES; change < CHANGES; change++) { // those below zero warm up
                    boolean ready = change % 2 != 0;
                    long begun = System.nanoTime();
                    Slices.setReady(server, "shop", "web", 1, ready);
                    assertThat(lists.poll(30, TimeUnit.SECONDS)).hasSize(ready ? 2 : 1);
                    delays[Math.max(change, 0)] = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun);
                    assertThat(supplier.get().blockFirst(PATIENCE)).hasSize(ready ? 2 : 1);
                }
                subscription.dispose();
                Arrays.sort(delays);
                System.out.printf("%d changes: a new list after %.1f ms (p50), %.1f ms (p99), %.1f ms (longest)%n", CHANGES,
                        delays[CHANGES / 2] / 1e3, delays[CHANGES * 99 / 100 - 1] / 1e3, delays[CHANGES - 1] / 1e3);
                assertThat(delays[CHANGES / 2]).as("µs").isLessThan(100_000);
            });
        }
    }

    private static String realistic(int service) {
        String endpoints = IntStream.range(0, ENDPOINTS).mapToObj(pod -> "{addresses: [\"10." + service / 200 + "." + service % 200 + "."
                + pod + "\"], conditions: {ready: true, serving: true, terminating: false}, nodeName: ip-10-0-12-" + pod
                + ".eu-central-1.compute.internal, zone: eu-central-1" + "abc".charAt(pod % 3) + ", targetRef: {kind: Pod, namespace: shop,"
                + " name: service-" + service + "-7d4b9c6f5-x" + pod + ", uid: " + new UUID(service, pod + 1L) + "}}")
                .collect(Collectors.joining(", "));
        return "{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: service-" + service + "-abcde, namespace: shop,"
                + " labels: {app.kubernetes.io/name: service-" + service + ", app.kubernetes.io/managed-by: Helm, version: v1,"
                + " endpointslice.kubernetes.io/managed-by: endpointslice-controller.k8s.io, kubernetes.io/service-name: service-" + service
                + "}}, addressType: IPv4, ports: [{name: http, port: 8080, protocol: TCP}, {name: metrics, port: 9090, protocol: TCP}],"
                + " endpoints: [" + endpoints + "]}";
    }

    @Test
    void fiveHundredServicesNeedLessThanFourMegabytes() {
        try (FakeApiServer server = FakeApiServer.create(); KubernetesClient client = KubernetesClient.over(server.transport());
                InformerFactory informers = InformerFactory.create(client)) {
            IntStream.range(0, SERVICES).forEach(service -> server.objects().create(realistic(service)));
            Informer<ServiceSlice> slices = informers.of(ResourceType.of(V1EndpointSlice.class).as(ServiceSlice.class));
            var catalogue = new ServiceCatalogue(slices, new InstanceRules(null, false, AddressType.IPV4), PATIENCE);
            informers.start();
            assertThat(catalogue.services().block(PATIENCE)).hasSize(SERVICES);
            assertThat(catalogue.instances("service-7").block(PATIENCE)).hasSize(ENDPOINTS);
            long bytes = GraphLayout.parseInstance(slices.snapshot()).totalSize();
            System.out.printf("%d services of %d endpoints: %.2f MB of heap%n", SERVICES, ENDPOINTS, bytes / 1e6);
            assertThat(bytes).isLessThan(4_000_000);
        }
    }
}
