package io.reactiveinformer.apiserver.internal.protobuf;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.schema.FieldRules;
import io.reactiveinformer.internal.protobuf.Messages;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
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

    private static final MessageReader READER = new MessageReader(Messages.builtIn());
    private static final MessageWriter WRITER = new MessageWriter(Messages.builtIn());

    private static final KnownFields FIELDS = new KnownFields(Messages.builtIn());

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
        ObjectNode object = Json.object();
        byte[] raw = {};
        var wire = new WireReader(body, MAGIC.length, body.length);
        while (wire.hasMore()) {
            switch (wire.field()) {
                case 1 -> type(wire.message(), object);
                case 2 -> raw = wire.bytes();
                default -> wire.skip();
            }
        }
        var message = new WireReader(raw, 0, raw.length);
        if (isList(object)) {
            list(message, object);
        } else {
            READER.read(Messages.builtIn().get(message(object)), message, object);
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

    private static void list(WireReader wire, ObjectNode list) {
        var item = Messages.builtIn().get(Json.text(list, "apiVersion") + "." + itemKind(Json.text(list, "kind")));
        ArrayNode items = list.putArray("items");
        while (wire.hasMore()) {
            switch (wire.field()) {
                case 1 -> READER.read(Messages.builtIn().get(OF_ANY_GROUP + "ListMeta"), wire.message(), list.putObject("metadata"));
                case 2 -> READER.read(item, wire.message(), items.addObject());
                default -> wire.skip();
            }
        }
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

    /** Drops unknown fields of an object of a built-in type, and returns their paths. Changes nothing in an object of another type. */
    public static List<String> prune(ObjectNode object) {
        String message = Json.text(object, "apiVersion") + "." + Json.text(object, "kind");
        return Messages.builtIn().find(message).isPresent() ? FIELDS.prune(message, object) : List.of();
    }

    /**
     * Writes an object or a list, which must have its kind and apiVersion, as a {@code runtime.Unknown}.
     *
     * @throws ProtobufException if its type has no protocol buffers
     */
    public static byte[] write(ObjectNode object) {
        var unknown = new WireWriter()
                .bytes(1, new WireWriter().text(1, Json.text(object, "apiVersion")).text(2, Json.text(object, "kind")).bytes())
                .bytes(2, raw(object))
                .text(3, "")
                .text(4, "")
                .bytes();
        byte[] body = Arrays.copyOf(MAGIC, MAGIC.length + unknown.length);
        System.arraycopy(unknown, 0, body, MAGIC.length, unknown.length);
        return body;
    }

    /** Writes an event of a watch, preceded by its length in four bytes. */
    public static byte[] event(ObjectNode event) {
        byte[] object = write((ObjectNode) event.path("object"));
        byte[] message = new WireWriter().text(1, Json.text(event, "type")).bytes(2, new WireWriter().bytes(1, object).bytes()).bytes();
        return ByteBuffer.allocate(Integer.BYTES + message.length).putInt(message.length).put(message).array();
    }

    /** Reads an event that {@link #event} wrote. */
    public static ObjectNode readEvent(byte[] event) {
        ObjectNode read = Json.object();
        var wire = new WireReader(event, Integer.BYTES, event.length);
        while (wire.hasMore()) {
            if (wire.field() == 1) {
                read.put("type", wire.text());
            } else {
                WireReader raw = wire.message();
                raw.field();
                read.set("object", read(raw.bytes()));
            }
        }
        return read;
    }

    private static byte[] raw(ObjectNode object) {
        if (!isList(object)) {
            return WRITER.message(message(object), object);
        }
        String item = Json.text(object, "apiVersion") + "." + itemKind(Json.text(object, "kind"));
        var list = new WireWriter().bytes(1, WRITER.message(OF_ANY_GROUP + "ListMeta", object.path("metadata")));
        object.path("items").forEach(element -> list.bytes(2, WRITER.message(item, element)));
        return list.bytes();
    }

    private static void type(WireReader wire, ObjectNode object) {
        while (wire.hasMore()) {
            switch (wire.field()) {
                case 1 -> object.put("apiVersion", wire.text());
                case 2 -> object.put("kind", wire.text());
                default -> wire.skip();
            }
        }
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
