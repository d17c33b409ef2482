package io.reactiveinformer.test;

import io.reactiveinformer.transport.HttpRequest.Headers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * client-go-semantics §8.16: what users of client-go's fakes rely on. 241 is {@code RetryOnConflictTest}, 245 {@code DiscoveryTest}. 244
 * has no counterpart: nothing here reads gates of features from the environment, what may be chosen is an option in code.
 */
class ClientGoFakesScenariosTest {

    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(time).build();
    private final Requests requests = new Requests(server.transport());
    private final Disposable.Composite watches = Disposables.composite();

    @AfterEach
    void close() {
        watches.dispose();
        server.close();
        time.dispose();
    }

    private static String configMap(String name, String value) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"k\":\"" + value + "\"}}";
    }

    private record Watching(List<String> events, Disposable watch) {}

    /** From now on. */
    private Watching watch(String path) {
        List<String> events = new ArrayList<>();
        Disposable watch = requests.events(path + "?watch=true&resourceVersion=" + server.resourceVersion())
                .map(event -> event.substring(0, event.lastIndexOf(' ')))
                .subscribe(events::add);
        watches.add(watch);
        return new Watching(events, watch);
    }

    @Test
    void s242eachOfSeveralWatchersGetsTheEventsOfItsNamespaceOrOfAll() {
        requests.post("/api/v1/namespaces", "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"other\"}}");
        Watching all = watch("/api/v1/configmaps");
        Watching one = watch(CONFIG_MAPS);
        Watching same = watch(CONFIG_MAPS);
        Watching other = watch("/api/v1/namespaces/other/configmaps");
        requests.post(CONFIG_MAPS, configMap("a", "1"));
        requests.post("/api/v1/namespaces/other/configmaps", configMap("b", "1"));
        requests.send("DELETE", CONFIG_MAPS + "/a", Headers.empty(), null);
        assertThat(all.events).containsExactly("ADDED a", "ADDED b", "DELETED a");
        assertThat(one.events).containsExactly("ADDED a", "DELETED a");
        assertThat(same.events).isEqualTo(one.events);
        assertThat(other.events).containsExactly("ADDED b");
    }

    @Test
    void s242watchesWhatHasNoNamespace() {
        Watching nodes = watch("/api/v1/nodes");
        requests.post("/api/v1/nodes", "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"}}");
        assertThat(nodes.events).containsExactly("ADDED n");
    }

    @Test
    void s242aStoppedWatchReceivesNothingMore() {
        Watching stopped = watch(CONFIG_MAPS);
        stopped.watch.dispose();
        assertThat(requests.post(CONFIG_MAPS, configMap("a", "1")).status()).isEqualTo(201);
        assertThat(stopped.events).isEmpty();
    }

    @Test
    void s242aPatchOfWhatIsNotThereIsRefused() {
        Requests.Answered refused =
                requests.send("PATCH", CONFIG_MAPS + "/a", Headers.of("Content-Type", "application/merge-patch+json"),
                        "{\"data\":{\"k\":\"2\"}}");
        assertThat(refused.status()).isEqualTo(404);
        assertThat(refused.json().path("reason").asString()).isEqualTo("NotFound");
    }

    private Requests.Answered apply(String manager, String value) {
        return requests.send("PATCH", CONFIG_MAPS + "/a?fieldManager=" + manager,
                Headers.of("Content-Type", "application/apply-patch+yaml"), configMap("a", value));
    }

    @Test
    void s242applyCreatesAndTwoManagersOfOneFieldConflict() {
        assertThat(apply("one", "1").status()).isEqualTo(201);
        assertThat(apply("two", "1").status()).as("of one mind").isEqualTo(200);
        Requests.Answered conflict = apply("two", "2");
        assertThat(conflict.status()).isEqualTo(409);
        assertThat(conflict.body()).contains("one", ".data.k");
    }

    @Test
    void s242recordsWhatWasSentWhateverIsAnswered() {
        server.faults().on("create", "configmaps").answer(configMap("a", "answered"));
        assertThat(requests.post(CONFIG_MAPS, configMap("a", "sent")).json().path("data").path("k").asString()).isEqualTo("answered");
        assertThat(server.requests().writes()).singleElement()
                .satisfies(sent -> assertThat(sent.body().path("data").path("k").asString()).isEqualTo("sent"));
    }
}
