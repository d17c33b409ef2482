package io.reactiveinformer.resource;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which objects are meant, by ranges of a hash of their uid or namespace: 64 bits of FNV-1a, as Kubernetes has it from 1.36 on, where it is off by default.
 * A server that does not know it sends everything, and says nothing: so what is outside is passed by here too, before it is decoded.
 *
 * <p>Uids spread evenly. Namespaces do so only where their names differ before the last two or three letters: FNV-1a turns those into the lower bits of the
 * hash alone, and {@code team-00} to {@code team-99} are all in one range of 64.
 *
 * @param ranges at least one
 * @see <a href="https://kep.k8s.io/5866">KEP-5866: server-side sharded list and watch</a>
 */
public record ShardSelector(Field field, List<Range> ranges) {

    /** What is hashed. Neither changes while an object lives. */
    public enum Field {
        UID, NAMESPACE;

        private String path() {
            return this == UID ? "object.metadata.uid" : "object.metadata.namespace";
        }
    }

    /**
     * Hashes from {@code first} to {@code last}, both included, as unsigned numbers.
     */
    public record Range(long first, long last) {

        public Range {
            if (Long.compareUnsigned(first, last) > 0) {
                throw new IllegalArgumentException("a range begins with its lowest hash, was " + Long.toHexString(first) + " to " + Long.toHexString(last));
            }
        }

        /** One of {@code count} of equal length. */
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

    public ShardSelector {
        ranges = List.copyOf(ranges);
        if (ranges.isEmpty()) {
            throw new IllegalArgumentException("a shard selector has at least one range");
        }
    }

    /** One of {@code count} replicas' share of all objects, by uid: for those that work on their own objects alone, as exporters do. */
    public static ShardSelector byUid(int index, int count) {
        return new ShardSelector(Field.UID, List.of(Range.part(index, count)));
    }

    /** Whether an object is meant; one without the field counts as one where it is empty. */
    public boolean matches(@Nullable String namespace, @Nullable String uid) {
        String value = field == Field.UID ? uid : namespace;
        long hash = hash(value == null ? "" : value);
        return ranges.stream().anyMatch(range -> range.has(hash));
    }

    /** FNV-1a of 64 bits over UTF-8, as the server has it. */
    public static long hash(String value) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        return hash;
    }

    /** As sent in {@code shardSelector}. */
    @Override
    public String toString() {
        return ranges.stream().map(range -> range.wire(field)).collect(Collectors.joining(" || "));
    }
}
