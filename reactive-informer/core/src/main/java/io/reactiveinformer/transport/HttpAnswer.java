package io.reactiveinformer.transport;

import io.netty.buffer.ByteBuf;
import reactor.core.publisher.Flux;

/**
 * Status and headers of an answer, and its body as it arrives.
 *
 * @param body may be subscribed to once, and only while the exchange lasts; each buffer is valid during {@code onNext} only, so bytes that
 *     are kept must be copied. Borders between buffers have no meaning
 */
public record HttpAnswer(int status, Headers headers, Flux<ByteBuf> body) {}
