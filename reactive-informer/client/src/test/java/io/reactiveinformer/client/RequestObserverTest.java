package io.reactiveinformer.client;

import io.reactiveinformer.resource.ForbiddenException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.transport.TransportOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.context.Context;
import reactor.util.context.ContextView;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class RequestObserverTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final ResourceType<JsonNode> WIDGETS = ResourceType.dynamic("example.com", "v1", "widgets");
    private static final String OBJECT = "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"1\"}}";

    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private final ScriptedTransport server = new ScriptedTransport();
    private final List<RequestObserver.Request> started = new CopyOnWriteArrayList<>();
    private final List<RequestObserver.Outcome> ended = new CopyOnWriteArrayList<>();

    private ResourceClient<JsonNode> widgets(RequestObserver observer) {
        return KubernetesClient.over(server, ClientOptions.defaults().withObserver(observer)
                        .withTransport(TransportOptions.defaults().withSilence(Duration.ofSeconds(60), timer)))
                .resources(WIDGETS);
    }

    private ResourceClient<JsonNode> widgets() {
        return widgets(new RequestObserver() {
            @Override
            public void started(Request request) {
                started.add(request);
            }

            @Override
            public void ended(Request request, Outcome outcome) {
                assertThat(started).contains(request);
                ended.add(outcome);
            }
        });
    }

    @Test
    void receivesWhatWasAskedAndHowItEnded() {
        server.then(200, OBJECT);
        StepVerifier.create(widgets().get(ObjectKey.of(null, "a"))).expectNextCount(1).expectComplete().verify(LIMIT);
        assertThat(started).containsExactly(new RequestObserver.Request("get", "widgets.v1.example.com", "GET"));
        assertThat(ended).containsExactly(new RequestObserver.Outcome(200, OBJECT.length(), Duration.ZERO, null, false));
    }

    @Test
    void receivesHowLongAWatchWasOpen() {
        server.then(200, Flux.just("{\"type\":\"ADDED\",\"object\":" + OBJECT + "}\n").concatWith(Flux.never()));
        StepVerifier.create(widgets().watch(Namespaces.all(), WatchOptions.from("1", Duration.ofMinutes(5)), Reading.anew()))
                .expectNextCount(2)
                .then(() -> timer.advanceTimeBy(Duration.ofMinutes(3)))
                .thenCancel()
                .verify(LIMIT);
        assertThat(ended).singleElement().satisfies(outcome -> {
            assertThat(outcome.status()).isEqualTo(200);
            assertThat(outcome.bytes()).isPositive();
            assertThat(outcome.duration()).isEqualTo(Duration.ofMinutes(3));
            assertThat(outcome.cancelled()).isTrue();
        });
    }

    @Test
    void receivesWhyARequestFailed() {
        server.then(403, "{}").thenFail(new TransportException("lost", null));
        StepVerifier.create(widgets().get(ObjectKey.of(null, "a"))).expectError(ForbiddenException.class).verify(LIMIT);
        StepVerifier.create(widgets().get(ObjectKey.of(null, "a"))).expectErrorMessage("lost").verify(LIMIT);
        assertThat(ended).extracting(RequestObserver.Outcome::status).containsExactly(403, 0);
        assertThat(ended.get(0).failure()).isInstanceOf(ForbiddenException.class);
        assertThat(ended.get(1).failure()).hasMessage("lost");
    }

    @Test
    void eachRetryIsARequest() {
        ResourceClient<JsonNode> widgets = widgets();
        server.then(200, OBJECT);
        widgets.get(ObjectKey.of(null, "a")).block(LIMIT); // reads on another thread, where classes are loaded
        server.reset();
        started.clear();
        ended.clear();
        server.then(429, "busy", "Retry-After", "0").then(200, OBJECT);
        StepVerifier.create(widgets.status().get(ObjectKey.of(null, "a"))).then(timer::advanceTime)
                .expectNextCount(1).expectComplete().verify(LIMIT);
        assertThat(started).extracting(RequestObserver.Request::resource).containsOnly("widgets.v1.example.com/status").hasSize(2);
        assertThat(ended).extracting(RequestObserver.Outcome::status).containsExactly(429, 200);
    }

    @Test
    void anObserverThatThrowsHarmsNoRequest() {
        server.then(200, OBJECT);
        var broken = new RequestObserver() {
            @Override
            public void started(Request request) {
                throw new IllegalStateException("the meter is broken");
            }

            @Override
            public void ended(Request request, Outcome outcome) {
                throw new IllegalStateException("the meter is broken");
            }
        };
        StepVerifier.create(widgets(broken).get(ObjectKey.of(null, "a"))).expectNextCount(1).expectComplete().verify(LIMIT);
    }

    @Test
    void receivesHowLongTheAnswerTookToBeProcessed() {
        server.then(200, Flux.just("{\"type\":\"ADDED\",\"object\":" + OBJECT + "}\n").concatWith(Flux.never()));
        widgets().watch(Namespaces.all(), WatchOptions.from("1", Duration.ofMinutes(5)), Reading.anew())
                .filter(ObjectEvent.Applied.class::isInstance)
                .subscribe(slow -> timer.advanceTimeBy(Duration.ofSeconds(2)))
                .dispose();
        assertThat(ended).singleElement().extracting(RequestObserver.Outcome::processing).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void knowsWhoAskedAndTellsEachRequestFromTheNext() {
        List<String> observed = new CopyOnWriteArrayList<>();
        var personal = new RequestObserver() {
            @Override
            public Consumer<Outcome> observe(Request request, ContextView asking, BiConsumer<String, String> headers) {
                String who = asking.get("who");
                return outcome -> observed.add(who + " " + outcome.status());
            }
        };
        var broken = new RequestObserver() {
            @Override
            public Consumer<Outcome> observe(Request request, ContextView asking, BiConsumer<String, String> headers) {
                throw new IllegalStateException("the tracer is broken");
            }
        };
        ResourceClient<JsonNode> widgets = widgets(broken.and(personal));
        server.then(200, OBJECT).then(404, "{}");
        widgets.get(ObjectKey.of(null, "a")).contextWrite(Context.of("who", "Ann")).block(LIMIT);
        widgets.get(ObjectKey.of(null, "b")).contextWrite(Context.of("who", "Bob")).onErrorComplete().block(LIMIT);
        assertThat(observed).containsExactly("Ann 200", "Bob 404");
    }
}
