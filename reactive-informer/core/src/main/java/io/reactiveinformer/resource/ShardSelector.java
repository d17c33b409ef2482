package io.reactiveinformer.resource;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Selects objects by ranges of a hash of their uid or namespace: 64-bit FNV-1a, as in Kubernetes from 1.36 on, where it is off by default.
 * A server that does not support it sends everything, without a notice; therefore objects outside the ranges are skipped here too, before
 * they are decoded.
 *
 * <p>Uids spread evenly. Namespaces do so only if their names differ before the last two or three letters: FNV-1a turns those letters into
 * the lower bits of the hash only, and {@code team-00} to {@code team-99} are all in one range of 64.
 *
 * @param field what is hashed
 * @param ranges at least one
 * @see <a href="https://kep.k8s.io/5866">KEP-5866: server-side sharded list and watch</a>
 */
public record ShardSelector(Field field, List<Range> ranges) {

    /** The field that is hashed. Neither changes while an object exists. */
    public enum Field {
        /** {@code metadata.uid}. */
        UID,
        /** {@code metadata.namespace}; empty for cluster-scoped objects. */
        NAMESPACE;

        private String path() {
            return this == UID ? "object.metadata.uid" : "object.metadata.namespace";
        }
    }

    /**
     * The hashes from {@code first} to {@code last}, both included, as unsigned numbers.
     */
    public record Range(long first, long last) {

        /** @throws IllegalArgumentException if {@code first} is larger than {@code last}, as unsigned numbers */
        public Range {
            if (Long.compareUnsigned(first, last) > 0) {
                throw new IllegalArgumentException("a range begins with its lowest hash, was " + Long.toHexString(first) + " to " + Long.toHexString(last));
            }
        }

        /**
         * One of {@code count} ranges of equal length that cover all hashes.
         *
         * @param index from 0 to {@code count - 1}
         * @throws IllegalArgumentException if {@code count} is less than 1, or {@code index} out of range
         */
        public static Range part(int index, int count) {
            if (count < 1 || index < 0 || index >= count) {
                throw new IllegalArgumentException("a part is one of 0 to " + (count - 1) + ", was " + index);
            }
            return new Range(begin(index, count).longValue(), begin(index + 1, count).subtract(BigInteger.ONE).longValue());
        }

        private static BigInteger begin(int index, int count) {
            return BigInteger.ONE.shiftLeft(Long.SIZE).multiply(BigInteger.valueOf(index)).divide(BigInteger.valueOf(count));
        }

        boolean has(long hash) {
            return Long.compareUnsigned(first, hash) <= 0 && Long.compareUnsigned(hash, last) <= 0;
        }

        private String wire(Field field) {
            String end = last == -1 ? "10000000000000000" : String.format("%016x", last + 1);
            return String.format("shardRange(%s, '0x%016x', '0x%s')", field.path(), first, end);
        }
    }

    /** @throws IllegalArgumentException if {@code ranges} is empty */
    public ShardSelector {
        ranges = List.copyOf(ranges);
        if (ranges.isEmpty()) {
            throw new IllegalArgumentException("a shard selector has at least one range");
        }
    }

    /**
     * The share of one of {@code count} replicas of all objects, by uid. For replicas that process their own objects only, such as
     * exporters.
     *
     * @param index from 0 to {@code count - 1}
     * @throws IllegalArgumentException if {@code count} is less than 1, or {@code index} out of range
     */
    public static ShardSelector byUid(int index, int count) {
        return new ShardSelector(Field.UID, List.of(Range.part(index, count)));
    }

    /** Whether an object is selected; a null field counts as an empty one. */
    public boolean matches(@Nullable String namespace, @Nullable String uid) {
        String value = field == Field.UID ? uid : namespace;
        long hash = hash(value == null ? "" : value);
        return ranges.stream().anyMatch(range -> range.has(hash));
    }

    /** The 64-bit FNV-1a hash of the UTF-8 bytes, as the server computes it. */
    public static long hash(String value) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        return hash;
    }

    /** The text sent as {@code shardSelector}. */
    @Override
    public String toString() {
        return ranges.stream().map(range -> range.wire(field)).collect(Collectors.joining(" || "));
    }
}
