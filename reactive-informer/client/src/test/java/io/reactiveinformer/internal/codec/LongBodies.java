package io.reactiveinformer.internal.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.Chance;
import io.reactiveinformer.CollidingNames;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import reactor.core.publisher.Flux;

/**
 * Bodies of some hundred kilobytes from a few bytes of chance: one scalar that is long, many names of one hash, or pieces of JSON, each
 * again and
 * again. The whole is cut into chunks of one size.
 */
final class LongBodies {

    static final int LONGEST = 256 << 10;

    private static final int MOST_NAMES = 8 << 10;

    /** What a scalar may be made of. */
    private static final String[] UNITS = {"9", "0", "1", "a", "A", ".", "-", "+", "e", "E9", ",", ":", "/", " ", "\t", "\\n", "\\u0061",
    "\\\\", "\\\"", "é", "\uFFFD", "Ei", "m",
        "0.", "PT9", "9D", "%", "=", "::", "ffff:"};
    private static final String[] BEGINNINGS = {"", "-", "+", "0", "0.", "1e", "1E-", "1.", "0x", "PT", "P1DT", "2026-11-21T01:52:58.",
            "2026-11-21T01:52:58+", "2026", "::", "file:/"};
    private static final String[] ENDS = {"", "Ei", "Ki", "m", "n", "k", "Z", "+0000", "e9", "E99999", ".0", "S", "H", "D", "==", "=", "%",
            "/"};

    /** What a body without sense may be made of. */
    private static final String[] PIECES = {"[", "]", "{", "}", "[{", "}]", "\"a\":", "\"", "\\", ",", "1,", "{\"a\":", "[[],", "{},",
    "\"a\",", " ", "\n", "\r\n", "\t", "null,", "{\"items\":[", "\"items\":",
        "{\"metadata\":{\"name\":\"a\"}},", "\"metadata\":{", "\"annotations\":{\"a\":\"b\"},", "\"managedFields\":[],",
        "{\"type\":\"ADDED\",\"object\":", "{\"type\":\"BOOKMARK\",\"object\":{}}\n",
        "\"kind\":\"Status\",", "\"details\":{\"causes\":[", "{\"reason\":\"a\"},", "{\"containers\":[", "{\"name\":\"c\",\"env\":[],",
        "\"spec\":{\"containers\":[{\"name\":\"c\"},"};

    /** Objects in which one scalar, or name, is chosen. */
    private static final String[] PLACES = {
        "\"data\":{\"a\":@}", "\"stringData\":{\"a\":@}", "\"spec\":{\"activeDeadlineSeconds\":@}",
        "\"spec\":{\"containers\":[{\"name\":@}]}",
        "\"spec\":{\"containers\":[{\"name\":\"c\",\"resources\":{\"limits\":{\"cpu\":@}}}]}",
        "\"spec\":{\"containers\":[{\"ports\":[{\"containerPort\":@}]}]}",
        "\"spec\":{\"containers\":[{\"livenessProbe\":{\"httpGet\":{\"port\":@}}}]}", "\"spec\":{\"hostNetwork\":@}",
        "\"status\":{\"conditions\":[{\"lastTransitionTime\":@}]}",
        "\"status\":{\"startTime\":@}", "\"status\":{\"podIP\":@}", "\"spec\":{@:1}", "@:{\"a\":1}", "@:\"a\"", "\"kind\":@",
        "\"apiVersion\":@", "\"code\":@", "\"message\":@",
        "\"kind\":\"Status\",\"code\":@", "\"kind\":\"Status\",\"code\":500,\"message\":@",
        "\"kind\":\"Status\",\"code\":429,\"details\":{\"retryAfterSeconds\":@}",
        "\"kind\":\"Status\",\"code\":422,\"details\":{\"causes\":[{\"message\":@}]}", "\"quantity\":@", "\"time\":@", "\"whole\":@",
        "\"large\":@", "\"decimal\":@", "\"integer\":@", "\"fraction\":@", "\"yes\":@",
        "\"bytes\":@", "\"duration\":@", "\"instant\":@", "\"date\":@", "\"address\":@", "\"uri\":@", "\"uuid\":@", "\"port\":@",
        "\"tree\":@", "\"numbers\":[@]", "\"byNumber\":{@:1}", "\"quantities\":{\"a\":@}"};

    /** Metadata in which one scalar is chosen. */
    private static final String[] METADATA = {
        "\"name\":@", "\"namespace\":@", "\"uid\":@", "\"resourceVersion\":@", "\"generation\":@", "\"creationTimestamp\":@",
        "\"deletionGracePeriodSeconds\":@", "\"labels\":{\"a\":@}", "\"labels\":{@:\"a\"}",
        "\"annotations\":{@:\"a\"}", "\"annotations\":{\"k8s.io/initial-events-end\":@}", "\"managedFields\":[{\"time\":@}]",
        "\"ownerReferences\":[{\"uid\":@}]", "\"continue\":@", "\"remainingItemCount\":@"};

    private LongBodies() {}

    static byte[] body(Chance chance) {
        String text = switch (chance.number(0, 3)) {
            case 0 -> around(object("\"metadata\":{\"name\":\"a\",\"namespace\":\"n\",\"uid\":\"u\",\"resourceVersion\":\"7\"},"
                    + chance.of(PLACES).replace("@", scalar(chance))), chance);
            case 1 -> around(object("\"metadata\":{\"name\":\"a\",\"namespace\":\"n\"," + chance.of(METADATA).replace("@", scalar(chance))
                    + "}"), chance);
            case 2 -> names(chance);
            default -> pieces(chance);
        };
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        return body.length <= LONGEST ? body : Arrays.copyOf(body, LONGEST);
    }

    static Flux<ByteBuf> chunks(byte[] body, int size) {
        return Flux.generate(() -> 0, (at, sink) -> {
            int length = Math.min(size, body.length - at);
            sink.next(Unpooled.wrappedBuffer(body, at, length));
            if (at + length == body.length) {
                sink.complete();
            }
            return at + length;
        });
    }

    private static String object(String properties) {
        return "{" + properties + "}";
    }

    /** A list, a watch, the object alone. */
    private static String around(String object, Chance chance) {
        return switch (chance.number(0, 4)) {
            case 0 -> "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[" + object + ","
                    + object + "]}";
            case 1 -> "{\"items\":[]," + object.substring(1);
            case 2 -> "{\"type\":\"ADDED\",\"object\":" + object + "}\n{\"type\":\"BOOKMARK\",\"object\":" + object + "}";
            case 3 -> "{\"type\":\"ERROR\",\"object\":" + object + "}";
            default -> object;
        };
    }

    private static String scalar(Chance chance) {
        String quote = chance.onceIn(2) ? "\"" : "";
        String unit = chance.onceIn(4) ? chance.text(8) : chance.of(UNITS);
        return quote + chance.of(BEGINNINGS) + unit.repeat(times(unit, chance)) + chance.of(ENDS) + quote;
    }

    /** Often few, sometimes as many as fit. */
    private static int times(String unit, Chance chance) {
        return Math.min(1 << chance.number(0, 18), LONGEST / Math.max(unit.length(), 1));
    }

    /** Of objects, or within one. */
    private static String names(Chance chance) {
        List<String> names = CollidingNames.of(chance.number(1, MOST_NAMES));
        return switch (chance.number(0, 4)) {
            case 0 -> all(names, "{\"items\":[", "{\"metadata\":{\"name\":\"@\",\"namespace\":\"n\"}}", ",",
                    "],\"metadata\":{\"resourceVersion\":\"9\"}}");
            case 1 -> all(names, "",
                    "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"@\",\"namespace\":\"n\",\"resourceVersion\":\"9\"}}}",
                    "\n", "");
            case 2 -> around(all(names, "{\"metadata\":{\"name\":\"a\",\"labels\":{", "\"@\":\"@\"", ",", "}}}"), chance);
            case 3 -> around(all(names, "{\"metadata\":{\"name\":\"a\"},\"data\":{", "\"@\":\"YWFh\"", ",", "}}"), chance);
            default -> around(all(names, "{\"metadata\":{\"name\":\"a\"},\"tree\":{", "\"@\":{\"@\":{}}", ",", "}}"), chance);
        };
    }

    private static String all(List<String> names, String before, String each, String between, String after) {
        return names.stream().map(name -> each.replace("@", name)).collect(Collectors.joining(between, before, after));
    }

    private static String pieces(Chance chance) {
        var text = new StringBuilder();
        for (int i = chance.number(1, 8); i > 0; i--) {
            String piece = chance.onceIn(8) ? chance.text(16) : chance.of(PIECES);
            text.append(piece.repeat(Math.min(times(piece, chance), LONGEST / Math.max(piece.length(), 1))));
            if (text.length() > LONGEST) {
                break;
            }
        }
        return text.toString();
    }
}
