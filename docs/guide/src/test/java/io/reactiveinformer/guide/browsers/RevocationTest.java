package io.reactiveinformer.guide.browsers;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How soon a browser shows nothing any more of what its user may not see, on a real server: {@code kubectl} deletes a RoleBinding, and the
 * time counts from before {@code kubectl} is started until the browser has received {@code reset}, all rows that are left, and
 * {@code synced}. Pods change all the while, and another user receives them.
 *
 * <pre>{@code
 * REAL_KUBECONFIG=… ./mvnw -pl docs/guide -am test -Dtest=RevocationTest -Dsurefire.failIfNoSpecifiedTests=false -Drevocation.rounds=100
 * }</pre>
 *
 * <p>Needs the right to create namespaces, pods and bindings; the namespaces {@code revocation-kept} and {@code revocation-taken} stay.
 */
@EnabledIfEnvironmentVariable(named = "REAL_KUBECONFIG", matches = ".+", disabledReason = "needs a real API server: its kubeconfig")
@Timeout(value = 1, unit = TimeUnit.HOURS)
class RevocationTest {

    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int ROUNDS = Integer.getInteger("revocation.rounds", 100);
    private static final int PODS_EACH = 20;
    private static final String KEPT = "revocation-kept";
    private static final String TAKEN = "revocation-taken";

    private final String kubeconfig = System.getenv("REAL_KUBECONFIG");
    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicInteger change = new AtomicInteger();
    private final KubernetesClient client =
            KubernetesClient.create(ClusterConfig.kubeconfig(Path.of(kubeconfig)), ClientOptions.defaults().withWriteLimit(0, 1));

    private record Event(String name, String data, long nanos) {

        boolean isRowOf(String namespace) {
            return name.equals("row") && data.startsWith("{\"key\":\"" + namespace + "/");
        }
    }

    /** What one user has received since the beginning. */
    private final class Browser {

        private final String user;
        private final List<Event> events = new ArrayList<>(); // guarded by this

        Browser(String address, String user) {
            this.user = user;
            Mono.fromFuture(() -> http.sendAsync(HttpRequest.newBuilder(URI.create(address + "/pods/stream")).header("X-User", user).build(),
                    HttpResponse.BodyHandlers.ofLines())).subscribe(answer -> receive(answer.body()));
        }

        private void receive(Stream<String> lines) {
            String[] name = {""};
            lines.forEach(line -> {
                if (line.startsWith("event:")) {
                    name[0] = line.substring(6);
                } else if (line.startsWith("data:")) {
                    synchronized (this) {
                        events.add(new Event(name[0], line.substring(5), System.nanoTime()));
                        notifyAll();
                    }
                }
            });
        }

        synchronized int received() {
            return events.size();
        }

        synchronized Event event(int index) {
            return events.get(index);
        }

        synchronized List<Event> since(int index) {
            return List.copyOf(events.subList(index, events.size()));
        }

        /** The index of the first event from {@code from} on that matches, waiting for it. */
        synchronized int await(int from, Predicate<Event> wanted) throws InterruptedException {
            long end = System.nanoTime() + PATIENCE.toNanos();
            for (int index = from; ; index++) {
                while (index >= events.size()) {
                    wait(100);
                    assertThat(System.nanoTime()).as("%s has waited since event %d of %s", user, from, events.size()).isLessThan(end);
                }
                if (wanted.test(events.get(index))) {
                    return index;
                }
            }
        }
    }

    private Mono<?> send(String method, String path, Object body) {
        return client.raw().send(method, path, body);
    }

    private static String bindings(String namespace) {
        return "/apis/rbac.authorization.k8s.io/v1/namespaces/" + namespace + "/rolebindings";
    }

    private void bind(String namespace, String user) {
        send("POST", bindings(namespace), Map.of("metadata", Map.of("name", user),
                "subjects", List.of(Map.of("kind", "User", "name", user, "apiGroup", "rbac.authorization.k8s.io")),
                "roleRef", Map.of("kind", "ClusterRole", "name", "view", "apiGroup", "rbac.authorization.k8s.io"))).block(PATIENCE);
    }

    private Mono<V1Pod> touch(String namespace) {
        int number = change.incrementAndGet();
        return client.resources(PODS).patch(ObjectKey.of(namespace, "pod-" + number % PODS_EACH),
                Patch.merge(Map.of("metadata", Map.of("labels", Map.of("change", "n" + number)))));
    }

    private void fill(String namespace) {
        send("POST", "/api/v1/namespaces", Map.of("metadata", Map.of("name", namespace)))
                .onErrorComplete().block(PATIENCE); // it may be there
        clear(namespace);
        for (int i = 0; i < PODS_EACH; i++) {
            send("POST", "/api/v1/namespaces/" + namespace + "/pods", Map.of("metadata", Map.of("name", "pod-" + i),
                    "spec", Map.of("containers", List.of(Map.of("name", "main", "image", "none"))))).block(PATIENCE);
        }
    }

    private void clear(String namespace) {
        send("DELETE", bindings(namespace), null).block(PATIENCE);
        send("DELETE", "/api/v1/namespaces/" + namespace + "/pods?gracePeriodSeconds=0", null).block(PATIENCE);
    }

    private Process kubectlDeletes(String namespace, String binding) throws IOException {
        return new ProcessBuilder("kubectl", "--kubeconfig", kubeconfig, "-n", namespace, "delete", "rolebinding", binding)
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    }

    @Test
    void nothingIsReceivedOfWhatWasTaken() throws Exception {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        try (client) {
            fill(KEPT);
            fill(TAKEN);
            bind(KEPT, "jane");
            bind(TAKEN, "bob");
            try (ConfigurableApplicationContext application = SpringApplication.run(TeamConsoleTest.WithUsers.class, "--server.port=0",
                    "--spring.main.banner-mode=off", "--reactive-informer.informers.pods.type=V1Pod",
                    "--reactive-informer.wait-for-sync=30s", "--reactive-informer.kubeconfig=" + kubeconfig)) {
                String address = "http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port");
                Disposable changes = Flux.interval(Duration.ofMillis(10)).onBackpressureDrop().concatMap(tick -> touch(TAKEN)).subscribe();
                measure(new Browser(address, "jane"), new Browser(address, "bob"));
                changes.dispose();
            } finally {
                clear(KEPT);
                clear(TAKEN);
            }
        } finally {
            System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
        }
    }

    private void measure(Browser jane, Browser bob) throws Exception {
        jane.await(0, event -> event.isRowOf(KEPT));
        long[] nanos = new long[ROUNDS];
        int others = 0;
        for (int round = 0; round < ROUNDS; round++) {
            int before = jane.received();
            bind(TAKEN, "jane");
            jane.await(before, event -> event.isRowOf(TAKEN));

            int last = jane.received();
            long start = System.nanoTime();
            Process kubectl = kubectlDeletes(TAKEN, "jane");
            int reset = jane.await(last, event -> event.name().equals("reset"));
            int synced = jane.await(reset, event -> event.name().equals("synced"));
            nanos[round] = jane.event(synced).nanos() - start;
            assertThat(kubectl.waitFor()).as("kubectl's exit code").isZero();

            int ofBob = bob.received();
            for (int i = 0, next = ofBob; i < 5; i++) {
                next = bob.await(next, event -> event.isRowOf(TAKEN)) + 1;
            }
            touch(KEPT).block(PATIENCE);
            jane.await(synced, event -> event.isRowOf(KEPT));
            assertThat(jane.since(reset)).as("round %d", round).noneMatch(event -> event.data().contains(TAKEN));
            assertThat(jane.since(reset).stream().limit(synced - reset).filter(event -> event.isRowOf(KEPT))).hasSize(PODS_EACH);
            others += bob.received() - ofBob;
        }
        Arrays.sort(nanos);
        System.out.printf("%d rounds, from kubectl to the browser: p50 %d ms, p99 %d ms, at most %d ms; meanwhile %d events to another%n",
                ROUNDS, millis(nanos, 50), millis(nanos, 99), millis(nanos, 100), others);
        assertThat(millis(nanos, 99)).isLessThanOrEqualTo(1_000);
    }

    private static long millis(long[] sorted, int percent) {
        return TimeUnit.NANOSECONDS.toMillis(sorted[(sorted.length * percent + 99) / 100 - 1]);
    }
}
