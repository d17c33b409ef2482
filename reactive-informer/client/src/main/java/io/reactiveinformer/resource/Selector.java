package io.reactiveinformer.resource;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Selects objects by labels, fields and shards; an object must match all that are given. Labels have the syntax of {@code kubectl -l}; the
 * server and the listers match them alike. Fields are matched only by the server, which supports few fields of each type. Shards are
 * matched by the server if it supports them, and otherwise by this library, before objects are decoded. Immutable.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors">Kubernetes: label selectors</a>
 */
public final class Selector {

    private static final Selector ANY = new Selector("", "", null);

    private final List<LabelRequirement> requirements; // without order and spelling: equal ones have one text
    private final String labels;
    private final String fields;
    private final @Nullable Shards shards;

    /**
     * A selector by labels and fields.
     *
     * @param labels a label selector in the server's syntax: {@code app=web,tier!=cache,env in (a, b),!canary}; empty for any
     * @param fields a field selector in the server's syntax: {@code spec.nodeName=node-7}; empty for any
     * @throws IllegalArgumentException if {@code labels} is not in the server's syntax; the message names the position
     */
    public Selector(String labels, String fields) {
        this(labels, fields, null);
    }

    private Selector(String labels, String fields, @Nullable Shards shards) {
        this.requirements = new LabelSelectorParser(labels).parse();
        this.labels = requirements.stream().map(LabelRequirement::toString).collect(Collectors.joining(","));
        this.fields = fields;
        this.shards = shards;
    }

    /** Selects all objects. */
    public static Selector any() {
        return ANY;
    }

    /**
     * Selects by labels only.
     *
     * @throws IllegalArgumentException if {@code labels} is not in the server's syntax; the message names the position
     */
    public static Selector labels(String labels) {
        return new Selector(labels, "");
    }

    /** Selects by fields only. The server checks the syntax. */
    public static Selector fields(String fields) {
        return new Selector("", fields);
    }

    /** Selects by shards only. */
    public static Selector shards(Shards shards) {
        return new Selector("", "", shards);
    }

    /**
     * Selects the objects that match both this and {@code other}.
     *
     * @throws IllegalArgumentException if both select shards, and not the same ones: a request has one shard selector
     */
    public Selector and(Selector other) {
        if (shards != null && other.shards != null && !shards.equals(other.shards)) {
            throw new IllegalArgumentException("a selector has one selection of shards, were " + shards + " and " + other.shards);
        }
        return new Selector(both(labels, other.labels), both(fields, other.fields), shards == null ? other.shards : shards);
    }

    /** The label selector in canonical form: sorted, without insignificant blanks. Empty for any. */
    public String labels() {
        return labels;
    }

    /** The field selector as it was given. Empty for any. */
    public String fields() {
        return fields;
    }

    /** The shard selector; null for any. */
    public @Nullable Shards shards() {
        return shards;
    }

    /** Whether these labels match the label selector. Ignores {@link #fields} and {@link #shards}. */
    public boolean matchesLabels(Map<String, String> objectLabels) {
        for (LabelRequirement requirement : requirements) {
            if (!requirement.matches(objectLabels)) {
                return false;
            }
        }
        return true;
    }

    private static String both(String one, String other) {
        return Stream.of(one, other).filter(part -> !part.isEmpty()).reduce((a, b) -> a + "," + b).orElse("");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Selector selector && labels.equals(selector.labels) && fields.equals(selector.fields)
                && Objects.equals(shards, selector.shards);
    }

    @Override
    public int hashCode() {
        return Objects.hash(labels, fields, shards);
    }

    @Override
    public String toString() {
        String text = both(labels.isEmpty() ? "" : "labels \"" + labels + "\"", fields.isEmpty() ? "" : "fields \"" + fields + "\"")
                .replace("\",", "\", ");
        return shards == null ? text : (text.isEmpty() ? "" : text + ", ") + "shards " + shards;
    }

    /**
     * Selects objects by ranges of a hash of their uid or namespace: 64-bit FNV-1a, as in Kubernetes from 1.36 on, where the feature is off
     * by default. A server that does not support it sends all objects, without a notice. This library therefore skips objects outside of
     * the ranges too, before they are decoded.
     *
     * <p>Uids spread evenly. Namespaces do so only if their names differ before the last two or three letters: FNV-1a turns those letters
     * into the lower bits of the hash only, and {@code team-00} to {@code team-99} are all in one range of 64.
     *
     * @param field the field that is hashed
     * @param ranges the ranges of hashes to select, at least one
     * @see <a href="https://kep.k8s.io/5866">KEP-5866: server-side sharded list and watch</a>
     */
    public record Shards(Field field, List<Range> ranges) {

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
         *
         * @param first the lowest hash
         * @param last the highest hash
         */
        public record Range(long first, long last) {

            /** @throws IllegalArgumentException if {@code first} is larger than {@code last}, as unsigned numbers */
            public Range {
                if (Long.compareUnsigned(first, last) > 0) {
                    throw new IllegalArgumentException("a range must begin with its lowest hash, was "
                            + Long.toHexString(first) + " to " + Long.toHexString(last));
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
                    throw new IllegalArgumentException("the index must be from 0 to " + (count - 1) + ", was " + index);
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
        public Shards {
            ranges = List.copyOf(ranges);
            if (ranges.isEmpty()) {
                throw new IllegalArgumentException("a shard selector needs at least one range");
            }
        }

        /**
         * One of {@code count} equal shares of all objects, by uid. For replicas that each process their share only, such as exporters.
         *
         * @param index from 0 to {@code count - 1}
         * @throws IllegalArgumentException if {@code count} is less than 1, or {@code index} out of range
         */
        public static Shards byUid(int index, int count) {
            return new Shards(Field.UID, List.of(Range.part(index, count)));
        }

        /** Whether an object with this namespace and uid is selected; null counts as empty. */
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

        /** The text that is sent as {@code shardSelector}. */
        @Override
        public String toString() {
            return ranges.stream().map(range -> range.wire(field)).collect(Collectors.joining(" || "));
        }
    }
}
