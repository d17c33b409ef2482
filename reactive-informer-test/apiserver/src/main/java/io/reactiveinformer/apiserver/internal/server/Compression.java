package io.reactiveinformer.apiserver.internal.server;

import io.netty.buffer.Unpooled;
import io.reactiveinformer.transport.HttpRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Compresses large answers for clients that accept gzip: lists and objects of more than 128 KiB, never a watch. */
final class Compression {

    private static final int THRESHOLD = 128 * 1024;

    private Compression() {}

    static Mono<Answer> apply(HttpRequest request, Answer answer) {
        if (!accepted(request) || answer.headers().first("Content-Length").isPresent()) {
            return Mono.just(answer);
        }
        return answer.bytes().map(whole -> compressed(answer, whole));
    }

    /** Whether the request accepts gzip, by name and without regard to weights, as in the real server. */
    static boolean accepted(HttpRequest request) {
        String encodings = request.headers().first("Accept-Encoding").orElse("");
        return Arrays.stream(encodings.split(",", -1)).map(String::trim).anyMatch("gzip"::equals);
    }

    private static Answer compressed(Answer answer, byte[] whole) {
        boolean small = whole.length < THRESHOLD;
        byte[] body = small ? whole : gzip(whole);
        Answer same = answer.body(Flux.defer(() -> Flux.just(Unpooled.wrappedBuffer(body))));
        return small ? same : same.with("Content-Encoding", "gzip").with("Vary", "Accept-Encoding");
    }

    static byte[] gzip(byte[] bytes) {
        var compressed = new ByteArrayOutputStream(bytes.length / 8);
        try (var gzip = new GZIPOutputStream(compressed) {
            {
                def.setLevel(Deflater.BEST_SPEED);
            }
        }) {
            gzip.write(bytes);
        } catch (IOException impossible) {
            throw new UncheckedIOException("cannot write to memory", impossible);
        }
        return compressed.toByteArray();
    }
}
