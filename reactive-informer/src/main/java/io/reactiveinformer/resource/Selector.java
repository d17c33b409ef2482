package io.reactiveinformer.resource;

import java.util.Map;
import java.util.stream.Stream;

/**
 * Which objects are meant, by labels and by fields. Labels are matched by the server and by listers alike, as {@code kubectl -l} reads them;
 * fields only by the server, which knows few of each type.
 *
 * @param labels a label selector in the server's syntax: {@code app=web,tier!=cache,env in (a, b),!canary}; empty for any
 * @param fields a field selector in the server's syntax: {@code spec.nodeName=node-7}; empty for any
 * @see <a href="https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors">Kubernetes: label selectors</a>
 */
public record Selector(String labels, String fields) {

    private static final Selector ANY = new Selector("", "");

    /** @throws IllegalArgumentException if either is not in the server's syntax; says where it goes wrong */
    public Selector {
        labels = LabelSelector.parse(labels).toString();
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

    /** Whether labels match; says nothing of {@link #fields}. */
    public boolean matchesLabels(Map<String, String> objectLabels) {
        return LabelSelector.parse(labels).matches(objectLabels);
    }

    private static String both(String one, String other) {
        return Stream.of(one, other).filter(part -> !part.isEmpty()).reduce((a, b) -> a + "," + b).orElse("");
    }
}
