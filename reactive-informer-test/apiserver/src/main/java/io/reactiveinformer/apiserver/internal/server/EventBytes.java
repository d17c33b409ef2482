package io.reactiveinformer.apiserver.internal.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.protobuf.ProtobufObjects;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** An event of a watch on the wire: a line of JSON, or a protocol buffer preceded by its length. The server sends each in one buffer. */
public final class EventBytes {

    private static final byte[] JSON_ERROR = Json.utf8("{\"type\":\"ERROR\"");
    private static final byte[] PROTOBUF_ERROR = {'\n', 5, 'E', 'R', 'R', 'O', 'R'};

    private EventBytes() {}

    /** The event as JSON; empty if the bytes are not an event. The buffer's indexes do not change. */
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

    /** Whether this is an ERROR event, which ends the watch. Cheap. */
    public static boolean isError(ByteBuf event) {
        return beginsWith(event, 0, JSON_ERROR) || beginsWith(event, Integer.BYTES, PROTOBUF_ERROR);
    }

    /** Whether this is a protocol buffer: the first byte of its length is 0, since no event is so long. */
    public static boolean isProtobuf(byte[] event) {
        return event.length > Integer.BYTES && event[0] == 0;
    }

    private static boolean beginsWith(ByteBuf event, int offset, byte[] start) {
        return ByteBufUtil.equals(event, event.readerIndex() + offset, Unpooled.wrappedBuffer(start), 0, start.length);
    }
}
