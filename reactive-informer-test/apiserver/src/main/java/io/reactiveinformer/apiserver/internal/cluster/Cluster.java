package io.reactiveinformer.apiserver.internal.cluster;

import java.time.Duration;
import java.time.Instant;
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
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.node.ObjectNode;

/**
 * Types, objects and history behind one version counter. Safe for use by several threads; waiters are woken after the lock was left, in no
 * order.
 */
public final class Cluster {

    /** Real clusters do not begin at 1 either, and code that takes versions for small numbers should find out. */
    private static final long FIRST_VERSION = 100;

    private final Map<String, ObjectTable> tables = new HashMap<>();
    private final Set<ObjectTable> changed = new LinkedHashSet<>();
    private final int history;
    private final Supplier<Instant> clock;
    private final Random random;
    private long version = FIRST_VERSION;
    private volatile Types types = Types.builtIn();
    private @Nullable Controllers controllers;

    /** @param history events that are kept of each type */
    public Cluster(int history, Supplier<Instant> clock, long seed) {
        this.history = history;
        this.clock = clock;
        this.random = new Random(seed);
    }

    public Types types() {
        return types;
    }

    public Instant now() {
        return clock.get();
    }

    public synchronized long version() {
        return version;
    }

    public synchronized @Nullable StoredObject get(ResourceDefinition type, @Nullable String namespace, String name) {
        return table(type).get(namespace, name);
    }

    /**
     * What a list is made of.
     *
     * @param version at which all objects are as they are shown
     */
    public record Listing(long version, List<StoredObject> objects) {}

    /**
     * The present.
     *
     * @param start a key in the store to begin at; null for the first
     */
    public synchronized Listing list(ResourceDefinition type, Selection selection, @Nullable String start) {
        return new Listing(version, table(type).select(selection, start));
    }

    /** The past. Empty if it is forgotten. */
    public synchronized @Nullable Listing listAt(long at, ResourceDefinition type, Selection selection, @Nullable String start) {
        ObjectTable table = table(type);
        return at < table.log().forgottenThrough() ? null : new Listing(at, table.selectAt(at, selection, start));
    }

    /**
     * Reads what happens after {@code from}. A version from the future is silence until it is reached.
     *
     * @param wake is run, on the writer's thread, whenever there may be more
     * @throws ApiFailure if the history after {@code from} is forgotten
     */
    public synchronized EventCursor follow(ResourceDefinition type, Selection selection, long from, Runnable wake) {
        EventLog log = table(type).log();
        if (from < log.forgottenThrough()) {
            throw ApiFailure.expired("too old resource version: " + from + " (" + log.forgottenThrough() + ")");
        }
        return cursor(type, selection, log.after(from), from, List.of(), wake);
    }

    /** The same, from the present state on, which {@link EventCursor#initial} has. */
    public synchronized EventCursor followPresent(ResourceDefinition type, Selection selection, Runnable wake) {
        ObjectTable table = table(type);
        return cursor(type, selection, table.log().end(), version, table.select(selection, null), wake);
    }

    private EventCursor cursor(
            ResourceDefinition type, Selection selection, long position, long from, List<StoredObject> initial, Runnable wake) {
        ObjectTable table = table(type);
        table.await(wake);
        return new EventCursor(this, table, selection, position, from, initial, wake);
    }

    /** Carries out a change under the lock, then, at the end of the outermost change, wakes who waits for it. */
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
        return object;
    }

    /** Within {@link #write}. */
    StoredObject remove(ResourceDefinition type, ObjectNode tree) {
        StoredObject last = versioned(type, tree);
        change(type).remove(last);
        return last;
    }

    private StoredObject versioned(ResourceDefinition type, ObjectNode tree) {
        Json.child(tree, "metadata").put("resourceVersion", Long.toString(nextVersion()));
        return ObjectForm.store(types.storing(type), tree);
    }

    /** Within {@link #write}: a type that is new, or no longer what it was. Those who read the old one come to their end. */
    void define(ResourceDefinition type) {
        ResourceDefinition before = types.find(type.group(), type.plural()).orElse(null);
        types = types.with(type);
        ObjectTable table = change(type);
        if (before != null && !before.equals(type)) {
            table.redefine(type);
            table.redefineObjects();
            table.log().forgetThrough(version);
            table.endReaders();
        } else if (before == null) {
            table.log().forgetThrough(version);
        }
    }

    /** Within {@link #write}: a type that is no longer served. Its objects are deleted first, whatever they wait for: their last states. */
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
     * The way to change this cluster, once, with the programs that act on deletions.
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
        ResourceDefinition namespaces = types.find("", "namespaces").orElseThrow();
        for (String name : List.of("default", "kube-node-lease", "kube-public", "kube-system")) {
            ObjectNode namespace = Json.object();
            namespace.putObject("metadata").put("name", name);
            writes.create(namespaces, null, namespace, WriteOptions.TRUSTED);
        }
    }

    /** Stores {@code tree}, as it is, at the version that it carries; for states that were saved or recorded. */
    public void load(ResourceDefinition type, ObjectNode tree) {
        write(() -> {
            StoredObject object = ObjectForm.store(types.storing(type), types.storing(type).equals(type) ? tree : ObjectForm.toStorage(type, tree));
            change(type).put(object);
            version = Math.max(version, object.version());
            return object;
        });
    }

    /** Takes an object away, as if it were deleted at {@code at}. */
    public void unload(StoredObject object, long at) {
        write(() -> {
            change(object.type()).remove(ObjectForm.atVersion(object, at));
            version = Math.max(version, at);
            return object;
        });
    }

    /** Lets versions go on after {@code at}, as if other types had changed. */
    public synchronized void advanceTo(long at) {
        version = Math.max(version, at);
    }

    /** Takes away every object and every type that is not built in, and forgets that they were. Versions go on. */
    public void clear() {
        write(() -> {
            controllers().forget();
            types = Types.builtIn();
            tables.values().forEach(table -> {
                table.endReaders();
                table.replace(List.of(), version);
                changed.add(table);
            });
            firstNamespaces(controllers().writes());
            return version;
        });
    }

    /** Events are forgotten, and those who read them come to an end, as when the server's process begins anew over the same store. */
    public void restart() {
        restart(table -> table.log().clear(version));
    }

    /** The same, but the latest events of each type are remembered. */
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

    public synchronized Backup backup() {
        List<StoredObject> objects = new ArrayList<>();
        types.stored().forEach(type -> objects.addAll(table(type).all()));
        return new Backup(version, types, objects, controllers().ownersGone());
    }

    /**
     * Another store takes the place of this one: versions go on from there, back too, and there is no history. Readers come to an end. Deletions
     * and definitions that were under way in it go on here.
     */
    public void restore(Backup backup) {
        write(() -> {
            types = backup.types();
            version = backup.version();
            types.stored().forEach(type -> table(type).redefine(type));
            tables.values().forEach(table -> {
                table.endReaders();
                table.replace(backup.objects().stream().filter(object -> object.type().qualified().equals(table.type().qualified())).toList(), version);
                changed.add(table);
            });
            controllers().forget();
            controllers().resume(backup);
            return version;
        });
    }

    /** Nothing of before {@code at} is remembered. */
    public synchronized void forgetThrough(long at) {
        version = Math.max(version, at);
        types.all().forEach(type -> table(type).log().forgetThrough(at));
    }

    /** History of before now is forgotten: old versions and continue tokens are expired, open watches go on. */
    public synchronized void compact() {
        forgetThrough(version);
    }

    synchronized String newUid() {
        return new UUID((random.nextLong() & ~0xF000L) | 0x4000L, (random.nextLong() & ~(0xC000L << 48)) | (0x8000L << 48)).toString();
    }

    /** For {@code generateName}. */
    synchronized String newSuffix() {
        String letters = "bcdfghjklmnpqrstvwxz2456789";
        var suffix = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            suffix.append(letters.charAt(random.nextInt(letters.length())));
        }
        return suffix.toString();
    }
}
