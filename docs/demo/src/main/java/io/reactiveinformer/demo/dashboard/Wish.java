package io.reactiveinformer.demo.dashboard;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.view.View;
import org.springframework.util.MultiValueMap;

/**
 * The rows that a browser wants to see, and how fast.
 *
 * @param namespace empty for all
 * @param slow whether the browser plays a slow reader
 */
record Wish(String namespace, Selector labels, boolean slow) {

    /** @throws IllegalArgumentException if the label selector cannot be read; says where it goes wrong */
    static Wish of(MultiValueMap<String, String> query) {
        return new Wish(first(query, "namespace"), Selector.labels(first(query, "labels")), first(query, "slow").equals("true"));
    }

    /** The wanted rows of a table. Cluster-scoped objects are shown for every namespace. */
    View<ObjectKey, Row> of(Table table) {
        boolean all = namespace.isEmpty() && labels.labels().isEmpty();
        return all ? table.rows() : table.rows().filter(this::shows);
    }

    String filter() {
        return (namespace + " " + labels.labels()).strip();
    }

    private boolean shows(Row row) {
        return (namespace.isEmpty() || row.namespace() == null || row.namespace().equals(namespace)) && labels.matchesLabels(row.labels());
    }

    private static String first(MultiValueMap<String, String> query, String name) {
        String value = query.getFirst(name);
        return value == null ? "" : value;
    }
}
