package io.reactiveinformer.resource;

import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Selects objects by labels, fields and shards; an object must match all that are given. Labels are matched by the server and by listers
 * alike, as {@code kubectl -l} reads them. Fields are matched only by the server, which supports few of each type. Shards are matched by
 * the server if it supports them, and otherwise by this library, before objects outside are decoded. Immutable.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors">Kubernetes: label selectors</a>
 */
public final class Selector {

    private static final Selector ANY = new Selector("", "", null);

    private final LabelSelector wanted;
    private final String labels;
    private final String fields;
    private final @Nullable ShardSelector shards;

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

    private Selector(String labels, String fields, @Nullable ShardSelector shards) {
        this.wanted = LabelSelector.parse(labels);
        this.labels = wanted.toString();
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
    public static Selector shards(ShardSelector shards) {
        return new Selector("", "", shards);
    }

    /**
     * Selects the objects that match both this and {@code other}.
     *
     * @throws IllegalArgumentException if both select shards, and not the same ones: a request has one shard selector
     */
    public Selector and(Selector other) {
        if (shards != null && other.shards != null && !shards.equals(other.shards)) {
            throw new IllegalArgumentException("shards are selected once, were " + shards + " and " + other.shards);
        }
        return new Selector(both(labels, other.labels), both(fields, other.fields), shards == null ? other.shards : shards);
    }

    /** The label selector in canonical form: sorted, without insignificant blanks. Empty for any. */
    public String labels() {
        return labels;
    }

    /** The field selector as it was passed. Empty for any. */
    public String fields() {
        return fields;
    }

    /** The shard selector; null for any. */
    public @Nullable ShardSelector shards() {
        return shards;
    }

    /** Whether the labels match; ignores {@link #fields} and {@link #shards}. */
    public boolean matchesLabels(Map<String, String> objectLabels) {
        return wanted.matches(objectLabels);
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
        String text = both(labels.isEmpty() ? "" : "labels \"" + labels + "\"", fields.isEmpty() ? "" : "fields \"" + fields + "\"").replace("\",", "\", ");
        return shards == null ? text : (text.isEmpty() ? "" : text + ", ") + "shards " + shards;
    }
}
