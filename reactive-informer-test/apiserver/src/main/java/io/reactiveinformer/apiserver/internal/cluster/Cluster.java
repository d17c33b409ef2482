package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.Backup;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.node.ObjectNode;

/**
 * Types, objects and history behind one version counter. Safe for use by several threads. Waiters are notified after the lock is released,
 * in no particular order.
 */
public final class Cluster {

    /** Real clusters do not begin at 1 either; code that expects small versions should fail. */
    private static final long FIRST_VERSION = 100;

    /** The namespaces that clients cannot delete. */
    static final List<String> FOR_EVER = List.of("default", "kube-public", "kube-system");

    private final Map<String, ObjectTable> tables = new HashMap<>();
    private final Set<ObjectTable> changed = new LinkedHashSet<>();
    private final int history;
    private final Supplier<Instant> clock;
    private final Random random;
    private long version = FIRST_VERSION;
    private volatile Types types = Types.builtIn();
    private volatile boolean restored;
    private @Nullable Controllers controllers;
    private @Nullable Journal journal;

    /**
     * An empty cluster; {@link #open} must be called before use.
     *
     * @param history the number of events that are kept for each type
     * @param clock the server's time
     * @param seed the seed of uids and generated names
     */
    public Cluster(int history, Supplier<Instant> clock, long seed) {
        this.history = history;
        this.clock = clock;
        this.random = new Random(seed);
    }

    /** The types that are served now. */
    public Types types() {
        return types;
    }

    /** The present instant of the server's time. */
    public Instant now() {
        return clock.get();
    }

    /** The present time in whole seconds, as objects tell it. */
    String timestamp() {
        return now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** The object in its present state, if it is still the same one; null otherwise. */
    @Nullable StoredObject current(StoredObject object) {
        StoredObject current = get(object.type(), object.namespace(), object.name());
        return current != null && current.uid().equals(object.uid()) ? current : null;
    }

    /** The latest resourceVersion. */
    public synchronized long version() {
        return version;
    }

    /** The object in its present state; null if there is none. */
    public synchronized @Nullable StoredObject get(ResourceDefinition type, @Nullable String namespace, String name) {
        return table(type).get(namespace, name);
    }

    /**
     * The objects of a list.
     *
     * @param version the version at which the objects are in this state
     */
    public record Listing(long version, List<StoredObject> objects) {}

    /**
     * The selected objects in their present state, in the order of their keys.
     *
     * @param start the key in the store after which the list begins; null for the first
     */
    public synchronized Listing list(ResourceDefinition type, Selection selection, @Nullable String start) {
        return new Listing(version, table(type).select(selection, start));
    }

    /** The selected objects in their state at the version {@code at}; null if that history is forgotten. */
    public synchronized @Nullable Listing listAt(long at, ResourceDefinition type, Selection selection, @Nullable String start) {
        ObjectTable table = table(type);
        return at < table.log().forgottenThrough() ? null : new Listing(at, table.selectAt(at, selection, start));
    }

    /**
     * A cursor of the events after {@code from}. With a version from the future there are no events until it is reached.
     *
     * @param wake is run, on the writer's thread and outside the lock, whenever there may be more events
     * @throws ApiFailure if the history after {@code from} is forgotten
     */
    public synchronized EventCursor follow(ResourceDefinition type, Selection selection, long from, Runnable wake) {
        EventLog log = table(type).log();
        if (from < log.forgottenThrough()) {
            throw ApiFailure.expired("too old resource version: " + from + " (" + log.forgottenThrough() + ")");
        }
        return cursor(type, selection, log.after(from), from, List.of(), wake);
    }

    /** A cursor of the events after the present state, which {@link EventCursor#initial} returns. */
    public synchronized EventCursor followPresent(ResourceDefinition type, Selection selection, Runnable wake) {
        ObjectTable table = table(type);
        return cursor(type, selection, table.log().end(), version, table.select(selection, null), wake);
    }

    private EventCursor cursor(
            ResourceDefinition type, Selection selection, long position, long from, List<StoredObject> initial, Runnable wake) {
        ObjectTable table = table(type);
        table.await(wake, selection);
        return new EventCursor(this, table, selection, position, from, initial, wake);
    }

    /**
     * Carries out a change under the lock; after the outermost change, without the lock, notifies those that wait for it. Nested calls are
     * allowed.
     */
    <T> T write(Supplier<T> change) {
        if (Thread.holdsLock(this)) {
            return change.get();
        }
        List<Runnable> wakes = new ArrayList<>();
        try {
            synchronized (this) {
                try {
                    return change.get();
                } finally {
                    changed.forEach(table -> wakes.addAll(table.waiting()));
                    changed.clear();
                    if (journal != null) {
                        journal.flush(this);
                    }
                }
            }
        } finally {
            wakes.forEach(Runnable::run);
        }
    }

    /** Within {@link #write}: the next version. */
    long nextVersion() {
        return ++version;
    }

    /** Within {@link #write}: stores {@code tree} at a version of its own. */
    StoredObject store(ResourceDefinition type, ObjectNode tree) {
        StoredObject object = versioned(type, tree);
        change(type).put(object);
        if (journal != null) {
            journal.add(object, false);
        }
        return object;
    }

    /** Within {@link #write}. */
    StoredObject remove(ResourceDefinition type, ObjectNode tree) {
        StoredObject last = versioned(type, tree);
        change(type).remove(last);
        if (journal != null) {
            journal.add(last, true);
        }
        return last;
    }

    private StoredObject versioned(ResourceDefinition type, ObjectNode tree) {
        Json.child(tree, "metadata").put("resourceVersion", Long.toString(nextVersion()));
        return ObjectForm.store(types.storing(type), tree);
    }

    /** Within {@link #write}: adds or changes a type. Readers of the old one end. */
    void define(ResourceDefinition type) {
        ResourceDefinition before = types.find(type.group(), type.plural()).orElse(null);
        types = types.with(type);
        ObjectTable table = change(type);
        if (before != null && !before.equals(type)) {
            table.redefine(type);
            table.log().forgetThrough(version);
            table.endReaders();
        } else if (before == null) {
            table.log().forgetThrough(version);
        }
    }

    /** Within {@link #write}: removes a type, and before that its objects, whatever they wait for. Returns their last states. */
    List<StoredObject> undefine(ResourceDefinition type) {
        ObjectTable table = change(type);
        List<StoredObject> last = table.all().stream().map(object -> remove(type, object.settledTree())).toList();
        table.endReaders();
        types = types.without(type.qualified());
        return last;
    }

    private ObjectTable change(ResourceDefinition type) {
        ObjectTable table = table(type);
        changed.add(table);
        return table;
    }

    ObjectTable table(ResourceDefinition type) {
        ResourceDefinition storing = types.storing(type);
        return tables.computeIfAbsent(storing.qualified(), name -> new ObjectTable(storing, history));
    }

    /**
     * Opens this cluster, once: starts the programs that act on deletions, and creates the first namespaces. Returns the way to change the
     * cluster.
     *
     * @param podShutdown see {@link Controllers}
     * @param establishing see {@link Controllers}
     */
    public Writes open(Scheduler scheduler, @Nullable Duration podShutdown, Duration establishing) {
        var programs = new Controllers(this, scheduler, podShutdown, establishing);
        controllers = programs;
        firstNamespaces(programs.writes());
        return programs.writes();
    }

    private Controllers controllers() {
        return Objects.requireNonNull(controllers, "the cluster is open");
    }

    private void firstNamespaces(Writes writes) {
        List.of("default", "kube-node-lease", "kube-public", "kube-system").forEach(name -> writes.createNamespace(name, WriteOptions.TRUSTED));
    }

    /** Stores {@code tree} as it is, at the resourceVersion that it has; for states that were saved or recorded. */
    public void load(ResourceDefinition type, ObjectNode tree) {
        write(() -> {
            replacing();
            StoredObject object = ObjectForm.store(types.storing(type), types.storing(type).equals(type)
                    ? tree : ObjectForm.toStorage(type, tree));
            change(type).put(object);
            version = Math.max(version, object.version());
            return object;
        });
    }

    /** See {@link PrintedObjects#load}. */
    void load(Map<ResourceDefinition, List<StoredObject>> byType) {
        write(() -> {
            replacing();
            byType.values().forEach(objects -> objects.forEach(object -> version = Math.max(version, object.version())));
            byType.forEach((type, objects) -> {
                ObjectTable table = change(type);
                table.endReaders();
                table.replace(Stream.concat(table.all().stream(), objects.stream()).toList(), version);
            });
            byType.values().forEach(controllers()::loaded);
            return version;
        });
    }

    /** Removes an object, as if it were deleted at the version {@code at}. */
    public void unload(StoredObject object, long at) {
        write(() -> {
            replacing();
            change(object.type()).remove(object.atVersion(at));
            version = Math.max(version, at);
            return object;
        });
    }

    /** Keeps the present state and later changes in this journal. */
    synchronized void keepIn(Journal journal) {
        journal.flush(this);
        this.journal = journal;
    }

    /** Within {@link #write}: objects change otherwise than one by one. */
    private void replacing() {
        if (journal != null) {
            journal.replaced();
        }
    }

    /** Raises the version to {@code at}, as if other types had changed. Does nothing if it is higher already. */
    public synchronized void advanceTo(long at) {
        version = Math.max(version, at);
    }

    /** Removes all objects and all custom types, with their history, and creates the first namespaces. Readers end; versions continue. */
    public void clear() {
        write(() -> {
            replacing();
            controllers().forget();
            types = Types.builtIn();
            restart(table -> table.replace(List.of(), version));
            firstNamespaces(controllers().writes());
            return version;
        });
    }

    /** Forgets all events and ends their readers, as when the server's process restarts on the same store. */
    public void restart() {
        restart(table -> table.log().clear(version));
    }

    /** As {@link #restart}, but keeps the latest {@code events} of each type. */
    public void restartKeeping(int events) {
        restart(table -> table.log().keep(events));
    }

    private void restart(Consumer<ObjectTable> forget) {
        write(() -> {
            tables.values().forEach(table -> {
                table.endReaders();
                forget.accept(table);
                changed.add(table);
            });
            return version;
        });
    }

    /** A copy of the present state. */
    public synchronized StoredState backup() {
        List<StoredObject> objects = types.stored().stream().flatMap(type -> table(type).all().stream()).toList();
        return new StoredState(version, types, objects, controllers().ownersGone());
    }

    /**
     * Replaces the store: versions continue from the backup's, even if that is lower, and there is no history. Readers end. Deletions and
     * definitions that were under way in the backup go on here.
     */
    public void restore(Backup backup) {
        StoredState state = StoredState.of(backup);
        write(() -> {
            replacing();
            restored = true;
            types = state.types();
            version = state.version();
            types.stored().forEach(type -> table(type).redefine(type));
            restart(table -> table.replace(state.objects().stream()
                    .filter(object -> object.type().qualified().equals(table.type().qualified())).toList(), version));
            controllers().forget();
            controllers().resume(state);
            return version;
        });
    }

    /** Whether the store was ever replaced by a backup, so that versions may have decreased. */
    public boolean wasRestored() {
        return restored;
    }

    /** Forgets the history through the version {@code at}, and raises the version to it if it is lower. Open readers go on. */
    public synchronized void forgetThrough(long at) {
        version = Math.max(version, at);
        types.all().forEach(type -> table(type).log().forgetThrough(at));
    }

    /** Forgets the history up to now: old versions and continue tokens are expired; open watches go on. */
    public synchronized void compact() {
        forgetThrough(version);
    }

    synchronized String newUid() {
        return new UUID((random.nextLong() & ~0xF000L) | 0x4000L, (random.nextLong() & ~(0xC000L << 48)) | (0x8000L << 48)).toString();
    }

    /** A random suffix for {@code generateName}. */
    synchronized String newSuffix() {
        String letters = "bcdfghjklmnpqrstvwxz2456789";
        return IntStream.range(0, 5).mapToObj(i -> letters.substring(random.nextInt(letters.length())).substring(0, 1))
                .collect(Collectors.joining());
    }
}
