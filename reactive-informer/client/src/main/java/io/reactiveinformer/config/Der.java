package io.reactiveinformer.config;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * As much of DER as it takes to put older private keys into the PKCS#8 envelope, the only form that the Java runtime reads. Malformed input
 * fails with {@link IllegalArgumentException}, whose message quotes no content.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5208#section-5">RFC 5208, 5: PrivateKeyInfo</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5915#section-3">RFC 5915, 3: ECPrivateKey</a>
 * @see <a href="https://www.itu.int/rec/T-REC-X.690">X.690, 10.1: lengths in as few bytes as possible</a>
 */
final class Der {

    private static final int INTEGER = 0x02;
    private static final int OCTET_STRING = 0x04;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int SEQUENCE = 0x30;
    private static final int CURVE = 0xA0;

    private static final byte[] VERSION_0 = {INTEGER, 1, 0};
    /** rsaEncryption, 1.2.840.113549.1.1.1, and its NULL parameters. */
    private static final byte[] RSA = {OBJECT_IDENTIFIER, 9, 0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 0x0D, 1, 1, 1, 5, 0};
    /** id-ecPublicKey, 1.2.840.10045.2.1. */
    private static final byte[] EC = {OBJECT_IDENTIFIER, 7, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 2, 1};

    private Der() {}

    /**
     * The key in PKCS#8. Its form is detected by its content: labels of PEM blocks are wrong at times, and Go does not trust them either.
     *
     * @param key as PKCS#8, PKCS#1 or SEC1
     * @param parameters of the curve, if they are apart from the key; used only if the key names no curve
     */
    static byte[] pkcs8(byte[] key, byte @Nullable [] parameters) {
        List<byte[]> parts = parts(key, SEQUENCE);
        if (parts.size() < 2 || tag(parts.get(0)) != INTEGER) {
            throw new IllegalArgumentException("expected a version and a key");
        }
        return switch (tag(parts.get(1))) {
            case SEQUENCE -> key;
            case INTEGER -> element(SEQUENCE, VERSION_0, element(SEQUENCE, RSA), element(OCTET_STRING, key));
            case OCTET_STRING -> element(SEQUENCE, VERSION_0, element(SEQUENCE, EC, curveOf(parts, parameters)),
                    element(OCTET_STRING, key));
            default -> throw new IllegalArgumentException("expected PKCS#8, PKCS#1 or SEC1");
        };
    }

    /** ECPrivateKey is a sequence of version, key, [0] curve, [1] public key. */
    private static byte[] curveOf(List<byte[]> parts, byte @Nullable [] parameters) {
        for (byte[] part : parts) {
            if (tag(part) == CURVE && !parts(part, CURVE).isEmpty()) {
                return parts(part, CURVE).get(0);
            }
        }
        if (parameters == null || parameters.length == 0) {
            throw new IllegalArgumentException("it names no curve");
        }
        return parameters;
    }

    /**
     * The curve of an EC key by its object identifier, in hexadecimal: 2a8648ce3d030107 is 1.2.840.10045.3.1.7. Empty if the key gives the
     * numbers of a curve instead of a name; null for keys of other algorithms.
     *
     * @param pkcs8 a result of {@link #pkcs8}
     */
    static @Nullable String curve(byte[] pkcs8) {
        List<byte[]> algorithm = parts(parts(pkcs8, SEQUENCE).get(1), SEQUENCE);
        if (algorithm.size() != 2 || !Arrays.equals(algorithm.get(0), EC)) {
            return null;
        }
        byte[] curve = algorithm.get(1);
        return tag(curve) == OBJECT_IDENTIFIER ? HexFormat.of().formatHex(curve, contentStart(curve, 0), curve.length) : "";
    }

    /** The elements within an element of this tag. */
    private static List<byte[]> parts(byte[] element, int tag) {
        if (element.length < 2 || tag(element) != tag || end(element, 0) != element.length) {
            throw new IllegalArgumentException("expected an element of tag " + tag + " and nothing else");
        }
        var parts = new ArrayList<byte[]>();
        for (int at = contentStart(element, 0), end; at < element.length; at = end) {
            end = end(element, at);
            parts.add(Arrays.copyOfRange(element, at, end));
        }
        return parts;
    }

    private static int tag(byte[] element) {
        return element[0] & 0xFF;
    }

    private static int contentStart(byte[] der, int at) {
        int first = der[at + 1] & 0xFF;
        return at + 2 + (first < 0x80 ? 0 : first & 0x7F);
    }

    private static int end(byte[] der, int at) {
        int left = der.length - at - 2;
        int first = left < 0 ? 0xFF : der[at + 1] & 0xFF;
        int bytes = first < 0x80 ? 0 : first & 0x7F;
        if (bytes > Math.min(3, left)) {
            throw new IllegalArgumentException("an element without a length, or with one of more than 3 bytes");
        }
        int length = first < 0x80 ? first : 0;
        for (int i = 0; i < bytes; i++) {
            length = length << 8 | der[at + 2 + i] & 0xFF;
        }
        if (length > left - bytes) {
            throw new IllegalArgumentException("a length beyond the end");
        }
        return at + 2 + bytes + length;
    }

    private static byte[] element(int tag, byte[]... parts) {
        var content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        var element = new ByteArrayOutputStream();
        element.write(tag);
        int length = content.size();
        int bytes = length < 0x80 ? 0 : length < 0x100 ? 1 : length < 0x1_0000 ? 2 : 3; // a file of more than 4 MiB is not read
        if (bytes == 0) {
            element.write(length);
        } else {
            element.write(0x80 | bytes);
        }
        for (int i = bytes - 1; i >= 0; i--) {
            element.write(length >> 8 * i);
        }
        element.writeBytes(content.toByteArray());
        return element.toByteArray();
    }
}
