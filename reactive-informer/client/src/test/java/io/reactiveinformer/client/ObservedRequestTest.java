package io.reactiveinformer.client;

import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import io.reactiveinformer.transport.Transport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

import static org.assertj.core.api.Assertions.assertThat;

class ObservedRequestTest {

    /** Each piece of each answer would pay for it. */
    @Test
    void nothingIsMeasuredForNobody() {
        var unobserved = new ObservedRequest(RequestObserver.NONE, new RequestObserver.Request("list", "pods.v1", "GET"),
                Schedulers.immediate());
        var answer = new Transport.Answer(200, Headers.empty(), Flux.never());
        assertThat(unobserved.answered(answer)).isSameAs(answer);
        Flux<String> exchange = Flux.never();
        HttpRequest plain = HttpRequest.get("/api/v1/pods", Headers.empty());
        assertThat(unobserved.observe(plain, sent -> {
            assertThat(sent).isSameAs(plain);
            return exchange;
        })).isSameAs(exchange);
    }

    /** The credential is added only where there is none, later. */
    @ParameterizedTest
    @ValueSource(strings = {
        "Authorization", "authorization", "Cookie", "HOST", "Content-Type", "content-length", "Transfer-Encoding", "Connection", "Upgrade",
        "Impersonate-User", "impersonate-group", "Accept", "Accept-Encoding", "", "two words", "colon:", "line\r\nAuthorization"
    })
    void anObserverDoesNotSayWhoAsksForWhatAndHow(String name) {
        Headers sent = sentWith(name, "mine");
        assertThat(sent.all(name)).isEmpty();
        assertThat(sent.first("traceparent")).contains("00-ab-cd-01");
    }

    @Test
    void anObserversHeaderIsOneLine() {
        assertThat(sentWith("tracestate", "a=b\r\nAuthorization: mine").toString()).isEqualTo("[traceparent]");
        assertThat(sentWith("tracestate", "a=b").first("tracestate")).contains("a=b");
    }

    /** What is sent when an observer adds this, and then what a trace does. */
    private static Headers sentWith(String name, String value) {
        var observer = new RequestObserver() {
            @Override
            public Consumer<Outcome> observe(Request request, ContextView asking, BiConsumer<String, String> headers) {
                headers.accept(name, value);
                headers.accept("traceparent", "00-ab-cd-01");
                return outcome -> {};
            }
        };
        return new ObservedRequest(observer, new RequestObserver.Request("list", "pods.v1", "GET"), Schedulers.immediate())
                .observe(HttpRequest.get("/api/v1/pods", Headers.empty()), sent -> Flux.just(sent.headers()))
                .blockFirst();
    }
}
