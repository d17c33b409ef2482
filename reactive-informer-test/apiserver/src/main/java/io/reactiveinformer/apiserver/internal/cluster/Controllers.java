package io.reactiveinformer.apiserver.internal.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.JsonNode;

/**
 * The programs of a cluster that act on deletions: a kubelet that removes stopped pods, a {@link GarbageCollector}, a
 * {@link NamespaceController} and a {@link DefinitionController}. Each acts on the scheduler, after the write that caused it, and for the
 * whole cluster at once.
 */
final class Controllers implements Writes.Followers {

    private final Cluster cluster;
    private final Scheduler scheduler;
    private final @Nullable Duration podShutdown;
    private final Writes writes;
    private final GarbageCollector collector;
    private final NamespaceController namespaces;
    private final DefinitionController definitions;
    private final Quotas quotas;
    private final Duration establishing;
    private int life; // counts replacements of the store; guarded by the cluster's lock

    /** Carries out later steps. Each is a write of its own; none is carried out once the store has been replaced. */
    interface Steps {
        void take(Runnable step);
    }

    /**
     * @param podShutdown the time that pods take to stop, at most their grace period; null if nothing stops them
     * @param establishing the time from the creation of a definition until its type is served
     */
    Controllers(Cluster cluster, Scheduler scheduler, @Nullable Duration podShutdown, Duration establishing) {
        this.establishing = establishing;
        this.cluster = cluster;
        this.scheduler = scheduler;
        this.podShutdown = podShutdown;
        this.quotas = new Quotas(cluster);
        this.writes = new Writes(cluster, quotas, this);
        this.collector = new GarbageCollector(cluster, writes);
        this.namespaces = new NamespaceController(cluster, writes);
        this.definitions = new DefinitionController(cluster, writes);
    }

    Writes writes() {
        return writes;
    }

    /** Drops all later steps: the store that they are about has been replaced. Within a write. */
    void forget() {
        life++;
        collector.forget();
        namespaces.forget();
    }

    /** The uids of deleted owners whose dependents are not deleted yet. Within the cluster's lock. */
    List<String> ownersGone() {
        return collector.ownersGone();
    }

    /** Continues what was under way in the store that has replaced this one. Within a write. */
    void resume(StoredState backup) {
        backup.objects().forEach(collector::presumeOwners); // those that are gone follow
        backup.objects().forEach(this::resume);
        backup.ownersGone().forEach(uid -> {
            if (collector.ownerGone(uid)) {
                later(Duration.ZERO, steps -> collector.letDependentsGo(uid, steps));
            }
        });
    }

    /** Continues what is under way among objects that were printed by another server. Within a write. */
    void loaded(List<StoredObject> objects) {
        objects.forEach(collector::presumeOwners);
        objects.forEach(this::stored);
    }

    private void resume(StoredObject object) {
        String type = object.type().qualified();
        if (!type.equals(CustomTypes.DEFINITIONS) || !CustomTypes.isEstablished(object.tree()) || DefinitionController.isWaiting(object)) {
            stored(object);
        }
        if (type.equals("pods") && object.awaited().isEmpty()) {
            resumeStopping(object, object.tree().path("metadata"));
        }
    }

    private void resumeStopping(StoredObject pod, JsonNode metadata) {
        String end = Json.text(metadata, "deletionTimestamp");
        if (!end.isEmpty()) {
            Duration grace = Duration.ofSeconds(metadata.path("deletionGracePeriodSeconds").asInt(0));
            Duration left = Duration.between(cluster.now(), Instant.parse(end));
            // another server's clock may differ
            stopping(pod, left.isNegative() ? Duration.ZERO : left.compareTo(grace) < 0 ? left : grace);
        }
    }

    @Override
    public void stored(StoredObject object) {
        quotas.refresh(object);
        if (collector.stored(object)) {
            later(object, collector::cascade);
        }
        collector.absentOf(object).forEach(uid -> later(Duration.ZERO, steps -> collector.letDependentsGo(uid, steps)));
        switch (object.type().qualified()) {
            case "namespaces" -> {
                if (namespaces.stored(object)) {
                    later(object, namespaces::empty);
                }
            }
            case CustomTypes.DEFINITIONS -> {
                if (DefinitionController.isWaiting(object)) {
                    later(object, definitions::empty);
                }
                if (establishing.isZero() || CustomTypes.isEstablished(object.tree())) {
                    CustomTypes.establish(cluster, object);
                } else {
                    later(establishing, steps -> steps.take(() -> CustomTypes.establishLater(cluster, object)));
                }
            }
            default -> { }
        }
    }

    @Override
    public void removed(StoredObject last) {
        quotas.refresh(last);
        switch (last.type().qualified()) {
            case "namespaces" -> namespaces.removed(last);
            case CustomTypes.DEFINITIONS -> CustomTypes.remove(cluster, last).forEach(this::removed);
            default -> { }
        }
        if (collector.ownerGone(last.uid())) {
            later(Duration.ZERO, steps -> collector.letDependentsGo(last.uid(), steps));
        }
        collector.waitingFor(last).forEach(owner -> later(owner, collector::cascade));
        later(definitions.waitingFor(last), definitions::empty);
        later(namespaces.waitingFor(last), namespaces::empty);
    }

    @Override
    public void stopping(StoredObject pod, Duration grace) {
        if (podShutdown != null) {
            later(podShutdown.compareTo(grace) < 0 ? podShutdown : grace, steps -> steps.take(() -> writes.finish(pod)));
        }
    }

    private void later(@Nullable StoredObject object, BiConsumer<StoredObject, Steps> action) {
        if (object != null) {
            later(Duration.ZERO, steps -> action.accept(object, steps));
        }
    }

    private void later(Duration delay, Consumer<Steps> action) {
        int now = life;
        Steps steps = step -> cluster.write(() -> {
            boolean current = now == life;
            if (current) {
                step.run();
            }
            return current;
        });
        scheduler.schedule(() -> action.accept(steps), delay.toNanos(), TimeUnit.NANOSECONDS);
    }
}
