package io.reactiveinformer.resource;

import io.reactiveinformer.internal.ResourceVersion;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Uid and resourceVersion as numbers: 40 bytes instead of 136. */
record PackedIdentity(long uidHigh, long uidLow, long version) {

    private static final int UID_LENGTH = 36;
    /** This many digits always fit into a long. */
    private static final int MOST_DIGITS = 18;

    /** The packed form; null if the two strings could not be restored exactly from it. */
    static @Nullable PackedIdentity of(@Nullable String uid, @Nullable String resourceVersion) {
        if (uid == null || resourceVersion == null || uid.length() != UID_LENGTH || resourceVersion.length() > MOST_DIGITS
                || !ResourceVersion.isNumber(resourceVersion)) {
            return null;
        }
        long high = 0;
        long low = 0;
        for (int i = 0; i < UID_LENGTH; i++) {
            char c = uid.charAt(i);
            if (i == 8 || i == 13 || i == 18 || i == 23) {
                if (c != '-') {
                    return null;
                }
                continue;
            }
            int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
            if (digit < 0) {
                return null;
            }
            if (i < 18) {
                high = high << 4 | digit;
            } else {
                low = low << 4 | digit;
            }
        }
        return new PackedIdentity(high, low, Long.parseLong(resourceVersion));
    }

    String uid() {
        return new UUID(uidHigh, uidLow).toString();
    }

    String resourceVersion() {
        return Long.toString(version);
    }

    boolean hasUidOf(PackedIdentity other) {
        return uidHigh == other.uidHigh && uidLow == other.uidLow;
    }
}
