package io.reactiveinformer.apiserver.internal.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.protobuf.ProtobufObjects;
import java.util.Arrays;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** An event of a watch as it is on the wire: a line of JSON, or protocol buffers behind their length. The server sends each in one buffer. */
public final class EventBytes {

    private static final byte[] JSON_ERROR = Json.utf8("{\"type\":\"ERROR\"");
    private static final byte[] PROTOBUF_ERROR = {'\n', 5, 'E', 'R', 'R', 'O', 'R'};

    private EventBytes() {}

    /** What it says; empty if these are other bytes. The buffer is left as it is. */
    public static Optional<JsonNode> read(ByteBuf event) {
        if (!event.isReadable()) {
            return Optional.empty();
        }
        byte[] bytes = ByteBufUtil.getBytes(event);
        if (isProtobuf(bytes)) {
            return Optional.of(ProtobufObjects.readEvent(bytes));
        }
        try {
            return bytes[0] == '{' ? Optional.of(Json.read(bytes)) : Optional.empty();
        } catch (JacksonException partOfSomethingElse) {
            return Optional.empty();
        }
    }

    /** Whether it ends the watch with a failure. Cheap. */
    public static boolean isError(ByteBuf event) {
        return beginsWith(event, 0, JSON_ERROR) || beginsWith(event, Integer.BYTES, PROTOBUF_ERROR);
    }

    /** No event is so long that the first byte of its length would say something. */
    public static boolean isProtobuf(byte[] event) {
        return event.length > Integer.BYTES && event[0] == 0;
    }

    private static boolean beginsWith(ByteBuf event, int offset, byte[] start) {
        byte[] begun = new byte[start.length];
        if (event.readableBytes() < offset + begun.length) {
            return false;
        }
        event.getBytes(event.readerIndex() + offset, begun);
        return Arrays.equals(begun, start);
    }
}
