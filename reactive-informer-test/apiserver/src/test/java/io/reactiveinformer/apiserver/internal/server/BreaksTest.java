package io.reactiveinformer.apiserver.internal.server;

import io.netty.buffer.ByteBuf;
import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class BreaksTest {

    private final Breaks breaks = new Breaks();
    private final Sinks.Empty<ByteBuf> end = Sinks.empty();
    private final List<String> ends = new ArrayList<>();

    private void follow(Flux<ByteBuf> body) {
        breaks.around(request -> Mono.just(Answer.json(200, Json.object()).body(body)))
                .handle(ApiRequest.of(HttpRequest.get("/", Headers.empty())))
                .flatMapMany(Answer::body)
                .subscribe(part -> {}, failure -> ends.add(failure.getClass().getSimpleName()), () -> ends.add("in order"));
    }

    @Test
    void whatEndsWhileItIsBrokenDoesNotEndInOrder() {
        follow(end.asMono().flux());
        breaks.breakAll(end::tryEmitEmpty);
        assertThat(ends).containsExactly("ConnectionCut");
        follow(Flux.empty());
        assertThat(ends).containsExactly("ConnectionCut", "in order");
    }

    @Test
    void aChangeThatFailsBreaksWhatIsUnderWayAndNothingAfterIt() {
        follow(end.asMono().flux());
        assertThatThrownBy(() -> breaks.breakAll(() -> {
            end.tryEmitEmpty();
            throw new IllegalStateException("no such backup");
        })).hasMessage("no such backup");
        assertThat(ends).containsExactly("ConnectionCut");
        follow(Flux.empty());
        assertThat(ends).containsExactly("ConnectionCut", "in order");
    }
}
