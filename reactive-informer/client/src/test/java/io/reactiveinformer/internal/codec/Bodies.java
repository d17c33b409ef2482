package io.reactiveinformer.internal.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import reactor.core.publisher.Flux;

/** Bodies as a transport gives them: each buffer is overwritten as soon as its {@code onNext} is over. */
public final class Bodies {

    private Bodies() {}

    public static Flux<ByteBuf> of(String... chunks) {
        return of(Arrays.stream(chunks).map(chunk -> chunk.getBytes(StandardCharsets.UTF_8)).toList());
    }

    public static Flux<ByteBuf> of(List<byte[]> chunks) {
        return Flux.fromIterable(chunks).hide().concatMap(chunk -> {
            byte[] own = chunk.clone();
            return Flux.just(Unpooled.wrappedBuffer(own)).hide().doAfterTerminate(() -> Arrays.fill(own, (byte) '#'));
        }, 1);
    }

    /** In two pieces. */
    static Flux<ByteBuf> splitAt(byte[] body, int at) {
        return of(List.of(Arrays.copyOfRange(body, 0, at), Arrays.copyOfRange(body, at, body.length)));
    }

    static Flux<ByteBuf> byteByByte(byte[] body) {
        return of(Flux.range(0, body.length).map(i -> new byte[] {body[i]}).collectList().blockOptional().orElseThrow());
    }
}
