package io.reactiveinformer.internal.codec;

import io.reactiveinformer.Chance;
import io.reactiveinformer.CollidingNames;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.ResourceType;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Lists and watches in protocol buffers, of some hundred kilobytes, from a few bytes of chance: fields that are long, again and again,
 * within each other, in no order, or of a wrong length.
 */
final class LongMessages {

    private static final int MOST_NAMES = 4 << 10;

    /** As JSON that stands in a message, such as that of managed fields, may be. */
    private static final String[] EMBEDDED = {"{", "[", "{\"f:a\":{", "\"f:a\":{},", "\"", "9", "{}", " ", "\\u0061", "[[],"};

    private LongMessages() {}

    static byte[] body(Chance chance, ResourceType<?> type, boolean list) {
        byte[] raw = joined(metadata(chance), message(chance, 0));
        boolean metadataAlone = type.objectClass() == PartialObjectMetadata.class;
        String kind = metadataAlone ? "PartialObjectMetadata" : String.valueOf(type.kind());
        String apiVersion = metadataAlone ? "meta.k8s.io/v1" : type.apiVersion();
        byte[] body = list ^ chance.onceIn(16)
                ? unknown(apiVersion, kind + "List", joined(field(1, text(2, "7")), repeated(field(2, raw), chance)))
                : repeated(event(chance.onceIn(8) ? "BOOKMARK" : "ADDED", unknown(apiVersion, kind, raw)), chance);
        if (chance.onceIn(8)) {
            body[chance.number(0, body.length - 1)] = (byte) chance.number(0, 255);
        }
        return body.length <= LongBodies.LONGEST ? body : Arrays.copyOf(body, LongBodies.LONGEST);
    }

    private static byte[] metadata(Chance chance) {
        byte[] known = joined(text(1, "a"), text(3, "n"), text(5, "u"), text(6, "7"));
        return field(1, chance.onceIn(2) ? known : joined(known, chance.onceIn(2) ? names(chance) : message(chance, 1)));
    }

    /** A map whose keys have one hash. */
    private static byte[] names(Chance chance) {
        int number = chance.of(new Integer[] {11, 12, 2, 4});
        List<String> names = CollidingNames.of(chance.number(1, MOST_NAMES));
        return joined(names.stream().map(name -> field(number, joined(text(1, name), text(2, name)))).toArray(byte[][]::new));
    }

    private static byte[] message(Chance chance, int depth) {
        var message = new ByteArrayOutputStream();
        for (int i = chance.number(1, 6); i > 0 && message.size() < LongBodies.LONGEST; i--) {
            message.writeBytes(repeated(anyField(chance, depth), chance));
        }
        byte[] whole = message.toByteArray();
        return whole.length <= LongBodies.LONGEST ? whole : Arrays.copyOf(whole, LongBodies.LONGEST);
    }

    private static byte[] anyField(Chance chance, int depth) {
        int number = chance.onceIn(8) ? chance.number(1, 1 << 20) : chance.number(1, 40);
        return switch (chance.number(0, depth > 5 ? 5 : 8)) {
            case 0 -> field(number, new byte[0]);
            case 1 -> text(number, chance.text(8));
            case 2 -> field(number, repeated(chance.of(EMBEDDED).getBytes(StandardCharsets.UTF_8), chance));
            case 3 -> joined(varint((long) number << 3), varint(chance.number(Integer.MIN_VALUE / 2, Integer.MAX_VALUE / 2)));
            case 4 -> joined(varint((long) number << 3 | chance.number(0, 7)), repeated(new byte[] {(byte) 0x80}, chance));
            case 5 -> joined(varint((long) number << 3 | 2), varint(chance.number(0, 1 << 30)));
            case 6 -> deep(number, chance);
            default -> field(number, message(chance, depth + 1));
        };
    }

    /** Within itself, some thousand times at the most. */
    private static byte[] deep(int number, Chance chance) {
        byte[] inner = {};
        for (int i = chance.number(1, 1 << chance.number(0, 12)); i > 0; i--) {
            inner = field(number, inner);
        }
        return inner;
    }

    /** Often a few times, sometimes as often as fits. */
    private static byte[] repeated(byte[] unit, Chance chance) {
        int times = Math.min(1 << chance.number(0, 16), LongBodies.LONGEST / Math.max(unit.length, 1) + 1);
        var all = new ByteArrayOutputStream();
        for (int i = 0; i < times; i++) {
            all.writeBytes(unit);
        }
        return all.toByteArray();
    }

    private static byte[] unknown(String apiVersion, String kind, byte[] raw) {
        return joined(new byte[] {'k', '8', 's', 0}, field(1, joined(text(1, apiVersion), text(2, kind))), field(2, raw));
    }

    private static byte[] event(String type, byte[] object) {
        byte[] event = joined(text(1, type), field(2, field(1, object)));
        return joined(ByteBuffer.allocate(Integer.BYTES).putInt(event.length).array(), event);
    }

    private static byte[] text(int number, String text) {
        return field(number, text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] field(int number, byte[] value) {
        return joined(varint((long) number << 3 | 2), varint(value.length), value);
    }

    private static byte[] varint(long value) {
        var varint = new ByteArrayOutputStream();
        long rest = value;
        for (; (rest & ~0x7fL) != 0; rest >>>= 7) {
            varint.write((int) (rest & 0x7f | 0x80));
        }
        varint.write((int) rest);
        return varint.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
