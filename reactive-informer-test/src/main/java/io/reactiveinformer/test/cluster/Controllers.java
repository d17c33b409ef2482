package io.reactiveinformer.test.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * What other programs of a cluster do about deletions: a kubelet that lets stopping pods go, a garbage collector for what has no owner any
 * more, and the controller that empties a terminating namespace. Each acts after the write that caused it, on the scheduler.
 */
final class Controllers implements Writes.Followers {

    private final Cluster cluster;
    private final Scheduler scheduler;
    private final @Nullable Duration podShutdown;
    private final Writes writes;

    /** @param podShutdown how long pods take to stop, at most their grace period; null if nothing stops them */
    Controllers(Cluster cluster, Scheduler scheduler, @Nullable Duration podShutdown) {
        this.cluster = cluster;
        this.scheduler = scheduler;
        this.podShutdown = podShutdown;
        this.writes = new Writes(cluster, this);
    }

    Writes writes() {
        return writes;
    }

    @Override
    public void stored(StoredObject object) {
        switch (object.type().qualified()) {
            case "namespaces" -> {
                if (!Json.text(object.tree(), "metadata", "deletionTimestamp").isEmpty()) {
                    later(Duration.ZERO, () -> empty(object));
                }
            }
            case "customresourcedefinitions.apiextensions.k8s.io" -> CustomTypes.establish(cluster, object);
            default -> { }
        }
    }

    @Override
    public void removed(StoredObject last) {
        if (last.type().qualified().equals("customresourcedefinitions.apiextensions.k8s.io")) {
            CustomTypes.remove(cluster, last);
        }
        later(Duration.ZERO, () -> collectDependents(last.uid()));
    }

    @Override
    public void stopping(StoredObject pod, Duration grace) {
        if (podShutdown != null) {
            later(podShutdown.compareTo(grace) < 0 ? podShutdown : grace, () -> writes.finish(pod));
        }
    }

    private void empty(StoredObject namespace) {
        for (ResourceDefinition type : List.copyOf(cluster.types().all())) {
            if (type.namespaced() && type.verbs().contains("deletecollection")) {
                writes.deleteAll(type, Selection.namespace(namespace.name()), new DeleteOptions(false, 0, "", "", ""));
            }
        }
        writes.finish(namespace);
    }

    private void collectDependents(String uid) {
        for (StoredObject dependent : dependents(uid)) {
            if (cluster.get(dependent.type(), dependent.namespace(), dependent.name()) != null) {
                writes.delete(dependent.type(), dependent.namespace(), dependent.name(), new DeleteOptions(false, null, "", dependent.uid(), ""));
            }
        }
    }

    /** Those of which {@code uid} was the only owner. */
    private List<StoredObject> dependents(String uid) {
        List<StoredObject> found = new ArrayList<>();
        for (ResourceDefinition type : List.copyOf(cluster.types().all())) {
            for (StoredObject object : cluster.list(type, Selection.all(), null).objects()) {
                if (object.owners().equals(List.of(uid))) {
                    found.add(object);
                }
            }
        }
        return found;
    }

    private void later(Duration delay, Runnable action) {
        scheduler.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
    }
}
