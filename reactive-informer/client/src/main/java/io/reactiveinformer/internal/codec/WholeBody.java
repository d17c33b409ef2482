package io.reactiveinformer.internal.codec;

import io.netty.buffer.ByteBuf;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A body that is read whole: one object, a document, a refusal. */
final class WholeBody {

    private WholeBody() {}

    /** The whole body, from its first byte that is no blank; fails if it is too large, or if the JSON breaks off. */
    static Mono<Window> complete(Flux<ByteBuf> body, int largest) {
        return all(body, largest).doOnNext(WholeBody::checkComplete);
    }

    /** The whole body, of any content; fails if it is too large. */
    static Mono<Window> all(Flux<ByteBuf> body, int largest) {
        return body.collect(() -> new Window(0), (window, chunk) -> {
            if (window.size() + (long) chunk.readableBytes() > largest) {
                throw new UnexpectedAnswerException("the answer is larger than " + (largest >> 10) + " KiB");
            }
            window.append(chunk);
        });
    }

    /** The first {@code length} bytes of the body. The rest is not awaited, since it may be endless. */
    static Mono<Window> beginning(Flux<ByteBuf> body, int length) {
        return Mono.defer(() -> {
            var window = new Window(0);
            return body.doOnNext(chunk -> {
                int wanted = Math.min(chunk.readableBytes(), length - window.size());
                window.append(chunk.slice(chunk.readerIndex(), wanted));
            }).takeUntil(chunk -> window.size() >= length).then(Mono.just(window));
        });
    }

    /** Ignores the body to its end, or to {@code length} bytes. */
    static Mono<Void> ignored(Flux<ByteBuf> body, int length) {
        return Mono.defer(() -> {
            var passed = new AtomicLong();
            return body.takeUntil(chunk -> passed.addAndGet(chunk.readableBytes()) >= length).then();
        });
    }

    private static void checkComplete(Window window) {
        if (!window.skipBlanks()) {
            throw new TransportException("the answer has no body", null);
        }
        byte first = window.bytes[window.begin];
        boolean container = first == '{' || first == '[';
        if (container && new ValueScanner().scan(window.bytes, window.begin, window.begin, window.end) == ValueScanner.MORE) {
            throw new TransportException("the answer broke off before its end", null);
        }
    }
}
