package io.reactiveinformer.test.protobuf;

import io.reactiveinformer.test.cluster.Json;
import io.reactiveinformer.test.protobuf.Messages.Field;
import java.util.Arrays;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads objects that are sent as {@code application/vnd.kubernetes.protobuf} into the JSON that Go would have sent instead.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/api-concepts/#protobuf-encoding">Kubernetes API concepts: Protobuf encoding</a>
 */
public final class ProtobufObjects {

    private static final byte[] MAGIC = {'k', '8', 's', 0};

    /** Options are everyone's: their API version is that of whom they are sent to. */
    private static final String OF_ANY_GROUP = "meta.k8s.io/v1.";

    private ProtobufObjects() {}

    /** Reads the table of messages now, once, so that no event loop has to. */
    public static void prepare() {
        Messages.builtIn();
    }

    /**
     * Reads a {@code runtime.Unknown}: what kind of object it is, and its bytes.
     *
     * @throws ProtobufException if this is none, or of a type that has no protocol buffers
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
        new MessageReader(Messages.builtIn()).read(fields(object), new WireReader(raw, 0, raw.length), object);
        return object;
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

    private static Map<Integer, Field> fields(ObjectNode object) {
        String kind = Json.text(object, "kind");
        String message = Json.text(object, "apiVersion") + "." + kind;
        return Messages.builtIn()
                .find(message)
                .or(() -> Messages.builtIn().find(OF_ANY_GROUP + kind))
                .orElseThrow(() -> new ProtobufException("no protocol buffers are known of " + message));
    }
}
