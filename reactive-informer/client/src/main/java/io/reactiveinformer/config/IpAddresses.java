package io.reactiveinformer.config;

import io.netty.util.NetUtil;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Literal addresses, compared without DNS. */
final class IpAddresses {

    private IpAddresses() {}

    /** Null if {@code text} is no literal address. */
    static byte @Nullable [] parse(String text) {
        return unmapped(NetUtil.createByteArrayFromIpAddressString(text));
    }

    static boolean isLoopback(byte[] address) {
        if (address.length == 4) {
            return address[0] == 127;
        }
        byte[] one = new byte[16];
        one[15] = 1;
        return Arrays.equals(address, one);
    }

    static boolean areEqual(byte[] one, byte[] other) {
        return Arrays.equals(one, other);
    }

    /** Whether {@code address} begins with the first {@code length} bits of {@code block}; false if these are malformed. */
    static boolean inBlock(byte[] address, String block, String length) {
        byte[] start = parse(block);
        int bits = length.matches("[0-9]{1,3}") ? Integer.parseInt(length) : Integer.MAX_VALUE;
        if (start == null || start.length != address.length || bits > start.length * 8) {
            return false;
        }
        for (int i = 0; i < bits; i++) {
            if (((start[i / 8] ^ address[i / 8]) & 0x80 >> i % 8) != 0) {
                return false;
            }
        }
        return true;
    }

    /** An IPv4 address written as an IPv6 one ({@code ::ffff:10.0.0.1}) is the IPv4 address. */
    private static byte @Nullable [] unmapped(byte @Nullable [] address) {
        if (address == null || address.length == 4 || address[10] != -1 || address[11] != -1) {
            return address;
        }
        for (int i = 0; i < 10; i++) {
            if (address[i] != 0) {
                return address;
            }
        }
        return Arrays.copyOfRange(address, 12, 16);
    }
}
