package io.reactiveinformer.codec;

import io.netty.buffer.ByteBuf;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.resource.WatchEvent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads what the server sends and writes what it is sent. One codec serves a client; the objects that it reads share equal strings and
 * values.
 *
 * <p>Reading happens in the thread that delivers the body, and only as far as is requested; buffers are read during {@code onNext} and not
 * kept. Objects of {@link #list} and {@link #watch} are read-only, their collections are immutable. {@link #object} gives one that is the
 * caller's own, to be changed and sent back. {@code metadata.managedFields} are left out.
 */
public final class ObjectCodec {

    private ObjectCodec() {}

    /** Cheap: what is costly is made as it is needed, see {@link #prepare}. */
    public static ObjectCodec create() {
        return new ObjectCodec();
    }

    /** What is held already. Called in the thread that reads; must not wait. */
    @FunctionalInterface
    public interface Lookup<T> {

        /** The state held of {@code key}; null where there is none. */
        @Nullable Versioned<T> find(ObjectKey key);
    }

    /**
     * Makes ready what reading objects of {@code type} needs, on a thread where loading hundreds of classes delays nobody: for the first
     * type that takes about a second. Completes at once if that has been done. Reading works without, but then makes it in the thread that
     * delivers the body.
     */
    public Mono<Void> prepare(ResourceType<?> type) {
        return Mono.error(new UnsupportedOperationException(type.toString()));
    }

    /**
     * One page of a list, item by item as it arrives, then its end. An item that {@code known} holds in the same uid and version is not
     * decoded: the very entry that is held is emitted. Items have {@code apiVersion} and {@code kind}, which the server leaves out of lists of
     * built-in types, so that they equal those of a watch.
     *
     * <p>Fails with {@link io.reactiveinformer.resource.TransportException} if the body ends before the list does, and with
     * {@link io.reactiveinformer.resource.UnexpectedAnswerException} if it is something else than a list.
     */
    public <T> Flux<ListEvent<T>> list(Flux<ByteBuf> body, ResourceType<T> type, Lookup<T> known) {
        return Flux.error(new UnsupportedOperationException(type.toString()));
    }

    /**
     * The events of a watch, without {@link WatchEvent.Opened}. An ERROR event fails it with the
     * {@link io.reactiveinformer.resource.StatusException} that fits. Completes when the body does; an event that is not complete then is
     * ignored, since the server did not finish saying it. What cannot be read, or is of an unknown type, is {@link WatchEvent.Unreadable}.
     *
     * @param known as in {@link #list}
     * @param attempted for the message of a failure, after "cannot": {@code watch pods in all namespaces}
     */
    public <T> Flux<WatchEvent<T>> watch(Flux<ByteBuf> body, ResourceType<T> type, Lookup<T> known, String attempted) {
        return Flux.error(new UnsupportedOperationException(attempted));
    }

    /**
     * One object, the caller's own. Fails with {@link io.reactiveinformer.resource.UnreadableObjectException} if it does not fit the type,
     * otherwise as {@link #list}.
     */
    public <T> Mono<Versioned<T>> object(Flux<ByteBuf> body, ResourceType<T> type) {
        return Mono.error(new UnsupportedOperationException(type.toString()));
    }

    /** Any JSON, whole. Fails as {@link #list} does. */
    public Mono<JsonNode> tree(Flux<ByteBuf> body) {
        return Mono.error(new UnsupportedOperationException());
    }

    /**
     * Why the server refused, from whatever body it sent: a Status, another JSON, text, HTML, or part of these. Never fails for what the body
     * holds; the message is of bounded length.
     *
     * @param code the HTTP status code
     * @param contentType as the server sent it; null where it did not
     * @param retryAfter from the header of that name; where it is null, what the body says counts
     */
    public Mono<Status> status(Flux<ByteBuf> body, int code, @Nullable String contentType, @Nullable Duration retryAfter) {
        return Mono.error(new UnsupportedOperationException());
    }

    /**
     * An object as JSON in UTF-8: a model class, a class or record of the user's, or a tree. Nulls and empty collections of classes are left
     * out; trees are written as they are.
     *
     * @throws IllegalArgumentException if it cannot be written
     */
    public byte[] write(Object object) {
        return JsonMapper.shared().writeValueAsBytes(object);
    }
}
