package io.reactiveinformer.client;

import io.reactiveinformer.transport.Headers;
import io.reactiveinformer.transport.HttpAnswer;
import io.reactiveinformer.transport.HttpRequest;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

class ObservedRequestTest {

    /** Each piece of each answer would pay for it. */
    @Test
    void nothingIsMeasuredForNobody() {
        var unobserved = new ObservedRequest(RequestObserver.NONE, new RequestObserver.Request("list", "pods.v1", "GET"), Schedulers.immediate());
        var answer = new HttpAnswer(200, Headers.empty(), Flux.never());
        assertThat(unobserved.answered(answer)).isSameAs(answer);
        Flux<String> exchange = Flux.never();
        HttpRequest plain = HttpRequest.get("/api/v1/pods", Headers.empty());
        assertThat(unobserved.observe(plain, sent -> {
            assertThat(sent).isSameAs(plain);
            return exchange;
        })).isSameAs(exchange);
    }
}
