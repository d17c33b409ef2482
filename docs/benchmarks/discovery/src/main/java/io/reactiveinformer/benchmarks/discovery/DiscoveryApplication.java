package io.reactiveinformer.benchmarks.discovery;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.cloud.client.loadbalancer.reactive.ReactiveLoadBalancer;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/**
 * Uses only Spring Cloud's own types, so that the same class runs with each library. Answers each line of its standard input with a line
 * that begins with {@code =}, and ends with the input.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class DiscoveryApplication {

    private final ReactiveDiscoveryClient services;
    private final LoadBalancerClientFactory balancers;

    DiscoveryApplication(ApplicationContext context) {
        this.services = Objects.requireNonNull(context.getBeanProvider(ReactiveDiscoveryClient.class).getIfAvailable());
        this.balancers = context.getBean(LoadBalancerClientFactory.class);
    }

    /** The first argument is the number of instances of the service {@code service-0}, when all are there. */
    public static void main(String... arguments) throws IOException {
        ApplicationContext context = new SpringApplicationBuilder(DiscoveryApplication.class)
                .web(WebApplicationType.NONE).bannerMode(Banner.Mode.OFF)
                .run("--logging.level.root=warn", "--spring.main.cloud-platform=kubernetes", "--reactive-informer.cloud.namespaces=shop",
                        "--spring.cloud.kubernetes.client.namespace=shop", "--spring.cloud.kubernetes.discovery.namespaces=shop");
        var application = context.getBean(DiscoveryApplication.class);
        int expected = Integer.parseInt(arguments[0]);
        while (application.hosts(0).size() < expected) {
            LockSupport.parkNanos(1_000_000);
        }
        answer(System.nanoTime());
        try (var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                application.obey(line.split(" ", -1));
            }
        }
        System.exit(0);
    }

    private static void answer(long number) {
        System.out.println("= " + number);
    }

    private void obey(String[] words) {
        int number = words.length > 1 ? Integer.parseInt(words[1]) : 0;
        switch (words[0]) {
            case "lookups" -> answer(nanosOfEach(number, call -> hosts(call % 500)));
            case "choices" -> answer(nanosOfEach(number, call -> choose(200 + call % 20)));
            case "await" -> awaitAbsence(number, words[2]);
            case "lists" -> awaitAbsences(number, Integer.parseInt(words[2]), words[3]);
            case "heap" -> answer(heap());
            case "threads" -> answer(ManagementFactory.getThreadMXBean().getThreadCount());
            case "empty" -> awaitNoServices();
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    private static long nanosOfEach(int calls, IntConsumer call) {
        long begun = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            call.accept(i);
        }
        return (System.nanoTime() - begun) / calls;
    }

    private List<String> hosts(int service) {
        return Objects.requireNonNull(services.getInstances("service-" + service).map(ServiceInstance::getHost).collectList().block());
    }

    private void choose(int service) {
        ReactiveLoadBalancer<ServiceInstance> balancer = balancers.getInstance("service-" + service);
        Objects.requireNonNull(Mono.from(balancer.choose()).filter(response -> response.hasServer()).block());
    }

    /** The time at which the service no longer has this instance. */
    private void awaitAbsence(int service, String host) {
        answer(0);
        while (hosts(service).contains(host)) {
            LockSupport.parkNanos(100_000); // or a look-up on this thread would keep the only core from the thread that reads the change
        }
        answer(System.nanoTime());
    }

    /**
     * For each service, the time at which the load balancer's list no longer has one instance; all lists are read in turns.
     *
     * @param suffix of the instance's address
     */
    private void awaitAbsences(int from, int count, String suffix) {
        List<Integer> waiting = new ArrayList<>();
        List<ServiceInstanceListSupplier> suppliers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            waiting.add(i);
            suppliers.add(balancers.getInstance("service-" + (from + i), ServiceInstanceListSupplier.class));
        }
        suppliers.forEach(DiscoveryApplication::listed);
        answer(0);
        long[] gone = new long[count];
        while (!waiting.isEmpty()) {
            for (Iterator<Integer> each = waiting.iterator(); each.hasNext();) {
                int i = each.next();
                if (listed(suppliers.get(i)).stream().noneMatch(instance -> instance.getHost().endsWith(suffix))) {
                    gone[i] = System.nanoTime();
                    each.remove();
                }
            }
            LockSupport.parkNanos(500_000);
        }
        for (long time : gone) {
            answer(time);
        }
    }

    private static List<ServiceInstance> listed(ServiceInstanceListSupplier supplier) {
        return Objects.requireNonNull(supplier.get().next().block());
    }

    private void awaitNoServices() {
        while (Boolean.TRUE.equals(services.getServices().hasElements().block())) {
            LockSupport.parkNanos(1_000_000);
        }
        answer(0);
    }

    private static long heap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}
