package io.reactiveinformer.test.cluster;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * What other programs of a cluster do about deletions: a kubelet that lets stopping pods go, a {@link GarbageCollector}, and the controller
 * that empties a terminating namespace. Each acts after the write that caused it, on the scheduler.
 */
final class Controllers implements Writes.Followers {

    private final Cluster cluster;
    private final Scheduler scheduler;
    private final @Nullable Duration podShutdown;
    private final Writes writes;
    private final GarbageCollector collector;
    private final Duration establishing;

    /**
     * @param podShutdown how long pods take to stop, at most their grace period; null if nothing stops them
     * @param establishing how long after its definition a custom type is served
     */
    Controllers(Cluster cluster, Scheduler scheduler, @Nullable Duration podShutdown, Duration establishing) {
        this.establishing = establishing;
        this.cluster = cluster;
        this.scheduler = scheduler;
        this.podShutdown = podShutdown;
        this.writes = new Writes(cluster, this);
        this.collector = new GarbageCollector(cluster, writes);
    }

    Writes writes() {
        return writes;
    }

    @Override
    public void stored(StoredObject object) {
        if (collector.stored(object)) {
            later(Duration.ZERO, () -> collector.cascade(object));
        }
        switch (object.type().qualified()) {
            case "namespaces" -> {
                if (!Json.text(object.tree(), "metadata", "deletionTimestamp").isEmpty()) {
                    later(Duration.ZERO, () -> empty(object));
                }
            }
            case "customresourcedefinitions.apiextensions.k8s.io" -> {
                if (establishing.isZero() || CustomTypes.isEstablished(object)) {
                    CustomTypes.establish(cluster, object);
                } else {
                    later(establishing, () -> CustomTypes.establishLater(cluster, object));
                }
            }
            default -> { }
        }
    }

    @Override
    public void removed(StoredObject last) {
        if (last.type().qualified().equals("customresourcedefinitions.apiextensions.k8s.io")) {
            CustomTypes.remove(cluster, last);
        }
        later(Duration.ZERO, () -> collector.removed(last));
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

    private void later(Duration delay, Runnable action) {
        scheduler.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
    }
}
