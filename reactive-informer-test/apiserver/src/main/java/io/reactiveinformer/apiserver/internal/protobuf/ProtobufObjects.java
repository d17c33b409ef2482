package io.reactiveinformer.apiserver.internal.protobuf;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.schema.FieldRules;
import io.reactiveinformer.internal.protobuf.Messages;
import java.nio.ByteBuffer;
import java.util.Arrays;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Objects as {@code application/vnd.kubernetes.protobuf}, read into the JSON that Go would have sent instead, and written from it.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/api-concepts/#protobuf-encoding">Kubernetes API concepts: Protobuf
 *     encoding</a>
 */
public final class ProtobufObjects {

    private static final byte[] MAGIC = {'k', '8', 's', 0};

    /** The group of options, which every group uses: their API version is that of the resource that they are sent to. */
    private static final String OF_ANY_GROUP = "meta.k8s.io/v1.";



    private ProtobufObjects() {}

    /** Reads the tables of messages and of their rules, once, so that no event loop has to. */
    public static void prepare() {
        Messages.builtIn();
        FieldRules.prepare();
    }

    /**
     * Reads a {@code runtime.Unknown}, which has the kind of an object and its bytes, into the JSON of that object or list.
     *
     * @throws ProtobufException if the bytes are none, or of a type that has no protocol buffers
     */
    public static ObjectNode read(byte[] body) {
        if (body.length < MAGIC.length || !Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new ProtobufException("the body does not begin with k8s\\0");
        }
        WireMessage unknown = WireMessage.of(ByteString.copyFrom(body, MAGIC.length, body.length - MAGIC.length));
        ObjectNode object = Json.object();
        unknown.messages(1).forEach(type -> object.put("apiVersion", type.text(1)).put("kind", type.text(2)));
        WireMessage message = unknown.messages(2).reduce(WireMessage.of(ByteString.EMPTY), (one, next) -> next);
        if (isList(object)) {
            list(message, object);
        } else {
            MessageReader.read(Messages.builtIn().get(message(object)), message, object);
        }
        return object;
    }

    /** Whether this is a list. All lists have the same two fields; the table has only the types of their items. */
    private static boolean isList(ObjectNode object) {
        String kind = Json.text(object, "kind");
        return kind.endsWith("List")
                && !has(Json.text(object, "apiVersion"), kind)
                && has(Json.text(object, "apiVersion"), itemKind(kind));
    }

    private static String itemKind(String kind) {
        return kind.substring(0, kind.length() - "List".length());
    }

    private static void list(WireMessage wire, ObjectNode list) {
        var item = Messages.builtIn().get(Json.text(list, "apiVersion") + "." + itemKind(Json.text(list, "kind")));
        ArrayNode items = list.putArray("items");
        wire.messages(1).forEach(metadata ->
                MessageReader.read(Messages.builtIn().get(OF_ANY_GROUP + "ListMeta"), metadata, list.putObject("metadata")));
        wire.messages(2).forEach(each -> MessageReader.read(item, each, items.addObject()));
    }

    /** Whether this kind has protocol buffers. Custom types have none. */
    public static boolean has(String apiVersion, String kind) {
        return Messages.builtIn().find(apiVersion + "." + kind).isPresent();
    }

    /** Whether {@link #write} can write this object or list. */
    public static boolean canWrite(ObjectNode object) {
        return isList(object) || has(Json.text(object, "apiVersion"), Json.text(object, "kind"))
                || Messages.builtIn().find(OF_ANY_GROUP + Json.text(object, "kind")).isPresent();
    }

    /**
     * Writes an object or a list, which must have its kind and apiVersion, as a {@code runtime.Unknown}.
     *
     * @throws ProtobufException if its type has no protocol buffers
     */
    public static byte[] write(ObjectNode object) {
        byte[] unknown = WireMessage.with(
                WireMessage.message(WireMessage.with(WireMessage.text(Json.text(object, "apiVersion")),
                        WireMessage.text(Json.text(object, "kind")))),
                WireMessage.message(raw(object)), WireMessage.text(""), WireMessage.text("")).toByteArray();
        return ByteBuffer.allocate(MAGIC.length + unknown.length).put(MAGIC).put(unknown).array();
    }

    /** Writes an event of a watch, preceded by its length in four bytes. */
    public static byte[] event(ObjectNode event) {
        ByteString object = ByteString.copyFrom(write((ObjectNode) event.path("object")));
        byte[] message = WireMessage.with(WireMessage.text(Json.text(event, "type")),
                WireMessage.message(WireMessage.with(WireMessage.bytes(object)))).toByteArray();
        return ByteBuffer.allocate(Integer.BYTES + message.length).putInt(message.length).put(message).array();
    }

    /** Reads an event that {@link #event} wrote. */
    public static ObjectNode readEvent(byte[] event) {
        WireMessage wire = WireMessage.of(ByteString.copyFrom(event, Integer.BYTES, event.length - Integer.BYTES));
        ObjectNode read = Json.object().put("type", wire.text(1));
        wire.messages(2).flatMap(raw -> raw.bytes(1)).forEach(object -> read.set("object", read(object.toByteArray())));
        return read;
    }

    private static UnknownFieldSet raw(ObjectNode object) {
        if (!isList(object)) {
            return MessageWriter.message(message(object), object);
        }
        String item = Json.text(object, "apiVersion") + "." + itemKind(Json.text(object, "kind"));
        var list = UnknownFieldSet.newBuilder()
                .addField(1, WireMessage.message(MessageWriter.message(OF_ANY_GROUP + "ListMeta", object.path("metadata"))));
        object.path("items").forEach(element -> list.mergeField(2, WireMessage.message(MessageWriter.message(item, element))));
        return list.build();
    }

    private static String message(ObjectNode object) {
        String kind = Json.text(object, "kind");
        String message = Json.text(object, "apiVersion") + "." + kind;
        if (Messages.builtIn().find(message).isPresent()) {
            return message;
        }
        if (Messages.builtIn().find(OF_ANY_GROUP + kind).isPresent()) {
            return OF_ANY_GROUP + kind;
        }
        throw new ProtobufException("no protocol buffers are known of " + message);
    }
}
