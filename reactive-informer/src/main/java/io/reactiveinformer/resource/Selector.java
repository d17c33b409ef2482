package io.reactiveinformer.resource;

import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which objects are meant, by labels and by fields. Labels are matched by the server and by listers alike, as {@code kubectl -l} reads them;
 * fields only by the server, which knows few of each type.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors">Kubernetes: label selectors</a>
 */
public final class Selector {

    private static final Selector ANY = new Selector("", "");

    private final LabelSelector wanted;
    private final String labels;
    private final String fields;

    /**
     * @param labels a label selector in the server's syntax: {@code app=web,tier!=cache,env in (a, b),!canary}; empty for any
     * @param fields a field selector in the server's syntax: {@code spec.nodeName=node-7}; empty for any
     * @throws IllegalArgumentException if {@code labels} is not in the server's syntax; says where it goes wrong
     */
    public Selector(String labels, String fields) {
        this.wanted = LabelSelector.parse(labels);
        this.labels = wanted.toString();
        this.fields = fields;
    }

    public static Selector any() {
        return ANY;
    }

    public static Selector labels(String labels) {
        return new Selector(labels, "");
    }

    public static Selector fields(String fields) {
        return new Selector("", fields);
    }

    /** Both. */
    public Selector and(Selector other) {
        return new Selector(both(labels, other.labels), both(fields, other.fields));
    }

    /** The label selector, the same for all that mean the same: sorted, without blanks that mean nothing. Empty for any. */
    public String labels() {
        return labels;
    }

    /** The field selector as it was given. Empty for any. */
    public String fields() {
        return fields;
    }

    /** Whether labels match; says nothing of {@link #fields}. */
    public boolean matchesLabels(Map<String, String> objectLabels) {
        return wanted.matches(objectLabels);
    }

    private static String both(String one, String other) {
        return Stream.of(one, other).filter(part -> !part.isEmpty()).reduce((a, b) -> a + "," + b).orElse("");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Selector selector && labels.equals(selector.labels) && fields.equals(selector.fields);
    }

    @Override
    public int hashCode() {
        return 31 * labels.hashCode() + fields.hashCode();
    }

    @Override
    public String toString() {
        return both(labels.isEmpty() ? "" : "labels \"" + labels + "\"", fields.isEmpty() ? "" : "fields \"" + fields + "\"").replace("\",", "\", ");
    }
}
