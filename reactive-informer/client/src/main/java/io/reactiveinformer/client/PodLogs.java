package io.reactiveinformer.client;

import io.kubernetes.client.openapi.models.V1Pod;
import io.netty.buffer.ByteBuf;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The logs of containers. */
record PodLogs(RequestPipeline calls) {

    /** A followed log may be silent for days once the answer has begun; pings and TCP keep-alive show that the other side is alive. */
    private static final Duration ANY_LENGTH = Duration.ofDays(365);
    /** A log is text; a refusal is JSON. */
    private static final Headers ACCEPT = Headers.of("Accept", "application/json, */*");

    Flux<String> lines(ObjectKey pod, LogOptions options) {
        return Flux.defer(() -> {
            HttpRequest request = HttpRequest.get(path(pod, options).toString(), ACCEPT);
            return calls.callForAnyAgain(
                    options.follow() ? request.withSilence(ANY_LENGTH) : request,
                    new RequestDescription("logs", "pods.v1/log", pod.toString()),
                    answer -> {
                        var lines = new Lines();
                        return answer.body().map(lines::add).concatMapIterable(complete -> complete, 1)
                                .concatWith(Mono.defer(() -> Mono.justOrEmpty(lines.rest())));
                    });
        });
    }

    private static ResourcePath path(ObjectKey pod, LogOptions options) {
        return ResourcePath.of(ResourceType.of(V1Pod.class), pod).child("log")
                .with("container", options.container())
                .with("follow", options.follow() ? "true" : null)
                .with("previous", options.previous() ? "true" : null)
                .with("sinceSeconds", options.since() == null ? null : Long.toString(Queries.seconds(options.since())))
                .with("tailLines", options.tailLines() == null ? null : options.tailLines().toString())
                .with("timestamps", options.timestamps() ? "true" : null)
                .with("limitBytes", options.limitBytes() == null ? null : options.limitBytes().toString());
    }

    /** Splits text into lines, across the chunks in which it arrives. */
    static final class Lines {

        /** A longer line comes in pieces of this many bytes: a program may write forever without ending one. */
        static final int LONGEST = 1 << 20;

        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        /** The lines that end in {@code chunk}, without line ends. */
        List<String> add(ByteBuf chunk) {
            var complete = new ArrayList<String>();
            while (chunk.isReadable()) {
                int room = Math.min(chunk.readableBytes(), LONGEST - line.size());
                int length = chunk.bytesBefore(room, (byte) '\n');
                take(chunk, length < 0 ? room : length);
                if (length >= 0) {
                    chunk.skipBytes(1);
                    complete.add(end());
                } else if (line.size() == LONGEST) {
                    complete.add(end());
                }
            }
            return complete;
        }

        private void take(ByteBuf chunk, int length) {
            try {
                chunk.readBytes(line, length);
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }

        private String end() {
            String text = line.toString(StandardCharsets.UTF_8);
            line.reset();
            return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
        }

        /** What follows the last line end; null if nothing. */
        @Nullable String rest() {
            return line.size() == 0 ? null : end();
        }
    }
}
