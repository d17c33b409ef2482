package io.reactiveinformer.benchmarks.micro;

import io.kubernetes.client.openapi.models.V1Pod;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Versioned;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Flux;

/** What a pod is decoded to. */
enum Form {
    TYPED(ResourceType.of(V1Pod.class)),
    PROJECTED(ResourceType.of(V1Pod.class).as(Summary.class)),
    DYNAMIC(ResourceType.dynamic("", "v1", "pods"));

    @SuppressWarnings("ImmutableEnumChecker") // it is
    private final ResourceType<?> type;

    Form(ResourceType<?> type) {
        this.type = type;
    }

    /** What a socket gives at a time. */
    private static final int PIECE = 16 * 1024;

    /** The items of a list. */
    Map<ObjectKey, Versioned<?>> decode(ObjectCodec codec, byte[] list) {
        return decode(codec, list, Map.of());
    }

    /** As {@link #decode(ObjectCodec, byte[])}, while {@code held} is cached already. */
    Map<ObjectKey, Versioned<?>> decode(ObjectCodec codec, byte[] list, Map<ObjectKey, Versioned<?>> held) {
        return decode(codec, list, type, held);
    }

    private static <T> Map<ObjectKey, Versioned<?>> decode(ObjectCodec codec, byte[] list,
            ResourceType<T> type, Map<ObjectKey, Versioned<?>> held) {
        @SuppressWarnings("unchecked") // what is cached was read in the same form
        Reading<T> known = Reading.of(key -> (Versioned<T>) held.get(key));
        Map<ObjectKey, Versioned<?>> items = new HashMap<>();
        List<ObjectEvent<T>> events = codec.list(pieces(list), type, known).collectList().block();
        for (ObjectEvent<T> event : events == null ? List.<ObjectEvent<T>>of() : events) {
            if (event instanceof ObjectEvent.Applied<T> item) {
                items.put(item.key(), item.entry());
            }
        }
        return items;
    }

    private static Flux<ByteBuf> pieces(byte[] list) {
        return Flux.range(0, (list.length + PIECE - 1) / PIECE)
                .map(piece -> Unpooled.wrappedBuffer(list, piece * PIECE, Math.min(PIECE, list.length - piece * PIECE)));
    }
}
