package io.reactiveinformer.dashboard;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.View;

/**
 * The rows that a browser wants to see, and how fast.
 *
 * @param namespace empty for all
 * @param slow whether the browser plays a slow reader
 */
record Wish(String namespace, Selector labels, boolean slow) {

    /** The rows of a table with the wanted labels. */
    View<ObjectKey, Row> of(Table table) {
        return labels.labels().isEmpty() ? table.rows() : table.rows().filter(row -> labels.matchesLabels(row.labels()));
    }

    /** Whether the change is of a wanted namespace. Cluster-scoped objects are shown for every namespace. */
    boolean shows(Change<ObjectKey, Row> change) {
        return change.match(added -> shows(added.key()), updated -> shows(updated.key()), deleted -> shows(deleted.key()), synced -> true);
    }

    private boolean shows(ObjectKey key) {
        return namespace.isEmpty() || key.namespace() == null || key.namespace().equals(namespace);
    }

    String filter() {
        return (namespace + " " + labels.labels()).strip();
    }
}
