package io.reactiveinformer.internal.codec;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.resource.KubernetesException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A body in pieces as chance has it, which must be read as the whole is: the same events, the same end, no failure but ours. What the
 * failure calls a body that is no JSON may depend on how much of it was there when that was noticed.
 */
final class Pieces {

    private Pieces() {}

    static void readAsTheWhole(FuzzedDataProvider chance, Function<Flux<ByteBuf>, Flux<?>> reader) {
        int[] cuts = chance.consumeInts(8);
        byte[] body = chance.consumeRemainingAsBytes();
        assertThat(lines(reader.apply(pieces(body, cuts)))).isEqualTo(lines(reader.apply(Flux.just(Unpooled.wrappedBuffer(body)))));
    }

    private static Flux<ByteBuf> pieces(byte[] body, int[] cuts) {
        if (cuts.length == 0) {
            return Flux.range(0, body.length).map(at -> Unpooled.wrappedBuffer(body, at, 1));
        }
        List<ByteBuf> pieces = new ArrayList<>();
        int at = 0;
        for (int i = 0; at < body.length; i++) {
            int length = Math.min(body.length - at, Math.floorMod(cuts[i % cuts.length], 40) + 1);
            pieces.add(Unpooled.wrappedBuffer(body, at, length));
            at += length;
        }
        return Flux.fromIterable(pieces);
    }

    private static List<String> lines(Flux<?> events) {
        return events.map(String::valueOf)
                .concatWith(Flux.just("complete"))
                .onErrorResume(KubernetesException.class, failure -> Flux.just("failed"))
                .collectList().block();
    }
}
