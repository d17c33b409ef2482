package io.reactiveinformer.test;

import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.test.Requests.Answered;
import io.reactiveinformer.test.faults.Fault;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What is asked of the store fails late, what is asked of the watch cache is answered. */
class StoreDownTest {

    private static final String PATH = "/api/v1/namespaces/t/configmaps";
    private static final String NEW = "{\"metadata\": {\"name\": \"b\"}}";

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(time).build();
    private final Requests requests = new Requests(server.transport());
    private final List<String> ends = new ArrayList<>();
    private Fault outage;

    @BeforeEach
    void begin() {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t}}");
        outage = server.faults().storeDown();
    }

    @AfterEach
    void close() {
        server.close();
        time.dispose();
    }

    private void send(String method, String uri, String body) {
        requests.answer(method, uri, Headers.empty(), body)
                .subscribe(answer -> ends.add(answer.status() + " " + answer.body()), failure -> ends.add(failure.getClass().getSimpleName()));
    }

    @Test
    void writesAreRefusedAndNotDone() {
        send("POST", PATH, NEW);
        time.advanceTimeBy(Duration.ofSeconds(33));
        assertThat(ends).isEmpty();
        time.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(ends).singleElement().asString().startsWith("504 ").contains("context deadline exceeded");
        outage.disarm();
        assertThat(requests.post(PATH, NEW).status()).isEqualTo(201);
    }

    @Test
    void readsThatMustBeCurrentEndWithoutAnAnswer() {
        send("GET", PATH, null);
        send("GET", PATH + "/a", null);
        time.advanceTimeBy(Duration.ofSeconds(59));
        assertThat(ends).isEmpty();
        time.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(ends).hasSize(2).containsOnly(TransportException.class.getSimpleName());
        assertThat(requests.get(PATH + "?resourceVersion=0").json().path("items").size()).as("from the watch cache").isOne();
    }

    @Test
    void streamingListsEndWithAnError() {
        List<String> events = new ArrayList<>();
        requests.events(PATH + "?watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=9")
                .subscribe(events::add, failure -> ends.add(failure.toString()), () -> ends.add("complete"));
        time.advanceTimeBy(Duration.ofSeconds(8));
        assertThat(events).isEmpty();
        time.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(events).singleElement().asString().contains("ERROR");
        assertThat(ends).containsExactly("complete");
    }

    @Test
    void aliveIsNotReadyAndReadyIs() {
        send("GET", "/livez", null);
        time.advanceTimeBy(Duration.ofSeconds(2));
        assertThat(ends).singleElement().asString().startsWith("500 ").contains("[+]ping ok\n", "[-]etcd failed: reason withheld\n");
        Answered ready = requests.get("/readyz");
        assertThat(ready.status() + ready.body()).isEqualTo("200ok");
    }

    @Test
    void aCheckThatDoesNotExistCannotFail() {
        assertThatThrownBy(() -> server.faults().onAny().checksFail("etcd", "etdc")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("etdc").hasMessageNotContaining("etcd,");
    }
}
