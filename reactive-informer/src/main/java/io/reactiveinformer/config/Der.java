package io.reactiveinformer.config;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * As much of DER as it takes to put older private keys into the PKCS#8 envelope, the only form that the Java runtime reads.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5208#section-5">RFC 5208, 5: PrivateKeyInfo</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5915#section-3">RFC 5915, 3: ECPrivateKey</a>
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

    static byte[] pkcs8FromPkcs1(byte[] key) {
        return element(SEQUENCE, VERSION_0, element(SEQUENCE, RSA), element(OCTET_STRING, key));
    }

    /**
     * @param parameters the curve, where it stands apart from the key
     * @throws IllegalArgumentException if neither names a curve
     * @throws IndexOutOfBoundsException if the key ends too soon
     */
    static byte[] pkcs8FromSec1(byte[] key, byte @Nullable [] parameters) {
        byte[] curve = parameters == null ? curveOf(key) : parameters;
        if (curve.length == 0 || curve[0] != OBJECT_IDENTIFIER) {
            throw new IllegalArgumentException("expected the name of a curve");
        }
        return element(SEQUENCE, VERSION_0, element(SEQUENCE, EC, curve), element(OCTET_STRING, key));
    }

    /** ECPrivateKey is a sequence of version, key, [0] curve, [1] public key. */
    private static byte[] curveOf(byte[] key) {
        int at = contentStart(key, 0);
        while (at < key.length) {
            int start = contentStart(key, at);
            int end = start + length(key, at);
            if ((key[at] & 0xFF) == CURVE) {
                return Arrays.copyOfRange(key, start, end);
            }
            at = end;
        }
        throw new IllegalArgumentException("no curve in the key");
    }

    private static int contentStart(byte[] der, int at) {
        int first = der[at + 1] & 0xFF;
        return at + 2 + (first < 0x80 ? 0 : first & 0x7F);
    }

    private static int length(byte[] der, int at) {
        int first = der[at + 1] & 0xFF;
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = 0; i < (first & 0x7F); i++) {
            length = length << 8 | der[at + 2 + i] & 0xFF;
        }
        if (length < 0 || length > der.length) {
            throw new IllegalArgumentException("a length beyond the end");
        }
        return length;
    }

    private static byte[] element(int tag, byte[]... parts) {
        var content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        var element = new ByteArrayOutputStream();
        element.write(tag);
        int length = content.size();
        if (length < 0x80) {
            element.write(length);
        } else {
            element.write(0x82); // two bytes of length reach 64 KiB, and no key does
            element.write(length >> 8);
            element.write(length);
        }
        element.writeBytes(content.toByteArray());
        return element.toByteArray();
    }
}
