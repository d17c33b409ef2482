package io.reactiveinformer.client;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Lease;
import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnavailableException;
import io.reactiveinformer.transport.TransportOptions;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** 230: TestRetryableConditions, TestIsNextRetry, TestCheckRetryHandles429And5xx. */
class RequestRetryTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final ObjectKey KEY = ObjectKey.of("prod", "a");
    private static final ResourceType<V1ConfigMap> CONFIG_MAPS = ResourceType.of(V1ConfigMap.class);
    private static final String OBJECT = "{\"metadata\":{\"namespace\":\"prod\",\"name\":\"a\",\"resourceVersion\":\"1\"}}";

    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private final ScriptedTransport server = new ScriptedTransport();
    private final ResourceClient<V1ConfigMap> configMaps = KubernetesClient.over(
                    server, ClientOptions.defaults().withTransport(TransportOptions.defaults().withSilence(Duration.ofSeconds(60), timer)))
            .resources(CONFIG_MAPS);

    /** The first object of a type is read on another thread, where its classes are loaded; all the rest happens at once. */
    @BeforeEach
    void readOne() {
        server.then(200, OBJECT);
        configMaps.get(KEY).block(LIMIT);
        server.reset();
    }

    @ParameterizedTest
    @CsvSource({"429, 3", "503, 3", "500, 3", "504, 3"})
    void whateverWasAskedIsAskedAgainWhenTheServerSaysWhen(int status, int seconds) {
        server.then(status, "busy", "Retry-After", "" + seconds).then(200, OBJECT);
        StepVerifier.create(configMaps.update(KEY, new V1ConfigMap()))
                .then(() -> timer.advanceTimeBy(Duration.ofMillis(seconds * 1000L - 1)))
                .then(() -> assertThat(server.requests()).hasSize(1))
                .then(() -> timer.advanceTimeBy(Duration.ofMillis(1)))
                .expectNextCount(1)
                .expectComplete()
                .verify(LIMIT);
        assertThat(server.requests()).hasSize(2).allSatisfy(request -> assertThat(request.method()).isEqualTo("PUT"));
    }

    /** Who holds a lease has a patience of its own, and says why it waits. */
    @Test
    void aRefusalThatConcernsALeaseIsForItsHolder() {
        ResourceClient<V1Lease> leases = KubernetesClient.over(
                        server, ClientOptions.defaults().withTransport(TransportOptions.defaults()
                                .withSilence(Duration.ofSeconds(60), timer)))
                .resources(ResourceType.of(V1Lease.class));
        server.then(429, "busy", "Retry-After", "2").then(429, "busy", "Retry-After", "2").then(429, "busy", "Retry-After", "2");
        StepVerifier.create(leases.get(KEY)).expectError(UnavailableException.class).verify(LIMIT);
        StepVerifier.create(leases.update(KEY, new V1Lease())).expectError(UnavailableException.class).verify(LIMIT);
        StepVerifier.create(leases.listAll(Namespaces.all(), ListOptions.defaults())).expectError(UnavailableException.class).verify(LIMIT);
        assertThat(server.requests()).hasSize(3);
    }

    @Test
    void tenTimesAndNoMore() {
        server.then(429, "busy", "Retry-After", "1");
        StepVerifier.create(configMaps.get(KEY))
                .then(() -> timer.advanceTimeBy(Duration.ofSeconds(100)))
                .expectError(UnavailableException.class)
                .verify(LIMIT);
        assertThat(server.requests()).hasSize(10);
    }

    @Test
    void aServerThatAsksForNoPauseGetsOneAllTheSame() {
        server.then(429, "busy", "Retry-After", "0");
        StepVerifier.create(configMaps.get(KEY))
                .then(timer::advanceTime)
                .then(() -> assertThat(server.requests()).hasSize(2))
                .then(() -> timer.advanceTimeBy(Duration.ofMillis(99)))
                .then(() -> assertThat(server.requests()).hasSize(2))
                .then(() -> timer.advanceTimeBy(Duration.ofSeconds(5)))
                .expectError(UnavailableException.class)
                .verify(LIMIT);
        assertThat(server.requests()).hasSize(10);
    }

    @ParameterizedTest
    @CsvSource(value = {"429, null", "503, null", "429, 61", "429, 4294967295", "503, 'Fri, 31 Dec 9999 23:59:59 GMT'", "403, 1", "409, 1"},
            nullValues = "null")
    void otherwiseTheRefusalIsTheAnswer(int status, String retryAfter) {
        if (retryAfter == null) {
            server.then(status, "no");
        } else {
            server.then(status, "no", "Retry-After", retryAfter);
        }
        StepVerifier.create(configMaps.get(KEY)).expectError(StatusException.class).verify(LIMIT);
        assertThat(server.requests()).hasSize(1);
    }

    /** As a real API server passes on what its store says, with a status that says "later". */
    @ParameterizedTest
    @ValueSource(strings = {
        "etcdserver: request is too large",
        "rpc error: code = ResourceExhausted desc = trying to send message larger than max (2977431 vs. 2097152)"
    })
    void anObjectThatIsTooLargeForTheStoreWillNeverBeTaken(String message) {
        server.then(500, "{\"kind\":\"Status\",\"status\":\"Failure\",\"message\":\"" + message + "\",\"code\":500}", "Retry-After", "1");
        StepVerifier.create(configMaps.delete(KEY))
                .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(InvalidRequestException.class)
                        .hasMessageEndingWith(message))
                .verify(LIMIT);
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void whatReadsIsAskedAgainWhenTheConnectionWasLostBeforeAnAnswer() {
        server.thenFail(TransportException.lostBeforeAnswer("lost", null)).then(200, OBJECT);
        StepVerifier.create(configMaps.get(KEY)).then(timer::advanceTime).expectNextCount(1).expectComplete().verify(LIMIT);
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void whetherAWriteWasCarriedOutIsUnknownThen() {
        server.thenFail(TransportException.lostBeforeAnswer("lost", null));
        StepVerifier.create(configMaps.delete(KEY)).expectErrorMessage("lost").verify(LIMIT);
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void aServerThatIsNotThereIsNotAskedAgain() {
        server.thenFail(new TransportException("cannot reach it", null));
        StepVerifier.create(configMaps.get(KEY)).expectErrorMessage("cannot reach it").verify(LIMIT);
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void aPageThatWasRefusedIsAskedForAgain() {
        String list = "{\"metadata\":{\"resourceVersion\":\"1\",\"continue\":\"%s\"},\"items\":[" + OBJECT + "]}";
        server.then(200, list.formatted("next")).then(429, "busy", "Retry-After", "1").then(200, list.formatted(""));
        StepVerifier.create(configMaps.listAll(Namespaces.all(), ListOptions.defaults()))
                .expectNextCount(1)
                .then(() -> timer.advanceTimeBy(Duration.ofSeconds(1)))
                .expectNextCount(1)
                .expectComplete()
                .verify(LIMIT);
    }

    /** Reflectors pace themselves, and tell why they wait. */
    @Test
    void listsAndWatchesOfAnInformerAreItsOwnToRepeat() {
        server.then(429, "busy", "Retry-After", "1");
        StepVerifier.create(configMaps.list(Namespaces.all(), ListOptions.defaults(), Reading.anew()))
                .expectError(UnavailableException.class).verify(LIMIT);
        StepVerifier.create(configMaps.watch(Namespaces.all(), WatchOptions.from("1", Duration.ofMinutes(1)), Reading.anew()))
                .expectError(UnavailableException.class)
                .verify(LIMIT);
        assertThat(server.requests()).hasSize(2);
    }
}
