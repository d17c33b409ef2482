package io.reactiveinformer.apiserver.internal.cluster;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps a cluster in a file, so that a later server continues with it: a state, and after it each change.
 *
 * <pre>
 *   {"version":4711}
 *   {"type":"pods","object":{…}}                   an object of the state, or the new state of one that has changed
 *   {"type":"pods","gone":true,"object":{…}}       the last state of one that was removed
 * </pre>
 *
 * A change is handed to the operating system, in one piece, before it is answered or sent to a watch: it survives the end of the process,
 * however that ends, but perhaps not that of the machine. A change that was cut off at the end of the file was not answered, and is
 * ignored. When the changes take more space than the state, the file is replaced by one with the present state. History is not kept: later
 * watches from earlier versions are expired. Guarded by the cluster's lock.
 */
public final class Journal implements AutoCloseable {

    /** The space that changes may take in any case. */
    private static final long ROOM = 64 << 20;

    private final Path file;
    private final FileChannel lock;
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private OutputStream output = OutputStream.nullOutputStream();
    private long length;
    private long most;
    private boolean replaced = true;

    private Journal(Path directory) throws IOException {
        this.file = directory.resolve("cluster.jsonl");
        this.lock = FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    /**
     * Replaces the cluster by the one that an earlier server has kept in this directory, or else runs {@code begin}; from then on keeps the
     * cluster there.
     *
     * @throws IllegalArgumentException if another server uses the directory, or what it contains cannot be read
     */
    public static Journal keep(Cluster cluster, Path directory, Runnable begin) throws IOException {
        Files.createDirectories(directory);
        var journal = new Journal(directory);
        try {
            journal.requireAlone();
            if (Files.exists(journal.file)) {
                cluster.restore(journal.read());
            } else {
                begin.run();
            }
            cluster.keepIn(journal);
            return journal;
        } catch (RuntimeException | IOException failure) {
            journal.lock.close();
            throw failure;
        }
    }

    private void requireAlone() throws IOException {
        boolean alone;
        try {
            alone = lock.tryLock() != null;
        } catch (OverlappingFileLockException ours) {
            alone = false;
        }
        if (!alone) {
            throw new IllegalArgumentException(
                    "another server keeps its cluster in " + file.getParent() + "; stop it, or choose another directory");
        }
    }

    private StoredState read() throws IOException {
        Map<String, JsonNode> objects = new LinkedHashMap<>();
        Set<String> ownersGone = new LinkedHashSet<>();
        long version = 0;
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            int number = 0;
            for (String line = lines.readLine(); line != null; ) {
                String next = lines.readLine();
                if (next == null && !endsWithALine()) {
                    break;
                }
                number++;
                JsonNode entry = entry(line, number);
                JsonNode metadata = entry.path("object").path("metadata");
                version = Math.max(Math.max(version, entry.path("version").asLong(0)), metadata.path("resourceVersion").asLong(0));
                ownersGone.addAll(BuiltInTypes.strings(entry.path("ownersGone")));
                String key = Json.text(entry, "type") + " " + Json.text(metadata, "namespace") + "/" + Json.text(metadata, "name");
                if (entry.has("gone")) {
                    objects.remove(key);
                    ownersGone.add(Json.text(metadata, "uid"));
                } else if (entry.has("object")) {
                    objects.put(key, entry);
                }
                line = next;
            }
        }
        ObjectNode backup = Json.object().put("version", version);
        backup.putArray("objects").addAll(objects.values());
        ownersGone.forEach(backup.putArray("ownersGone")::add);
        return StoredState.of(backup);
    }

    private JsonNode entry(String line, int number) {
        try {
            return Json.read(line);
        } catch (JacksonException damaged) {
            throw new IllegalArgumentException(file + ", line " + number + ": not a change of the cluster: " + damaged.getOriginalMessage()
                    + "; remove the line, or choose another directory", damaged);
        }
    }

    private boolean endsWithALine() throws IOException {
        try (var end = new RandomAccessFile(file.toFile(), "r")) {
            end.seek(end.length() - 1);
            return end.read() == '\n';
        }
    }

    /** Notes a new state, or the last one of an object that is gone. */
    void add(StoredObject object, boolean gone) {
        pending.writeBytes(Json.utf8("{\"type\":\"" + object.type().qualified() + (gone ? "\",\"gone\":true" : "\"") + ",\"object\":"));
        pending.writeBytes(ObjectForm.head(object.type(), object.storedIn()));
        pending.writeBytes(object.stored());
        pending.writeBytes(Json.utf8("}\n"));
    }

    /** Other changes than those noted were made: the file is to be replaced. */
    void replaced() {
        replaced = true;
    }

    /** Writes what was noted. */
    void flush(Cluster cluster) {
        try {
            if (replaced || length > most) {
                replace(cluster);
            } else {
                write();
            }
        } catch (IOException failure) {
            replaced = true; // the file may end with a part of a change
            throw new UncheckedIOException("cannot keep a change in " + file + ": " + failure.getMessage(), failure);
        } finally {
            pending.reset();
        }
    }

    private void write() throws IOException {
        pending.writeTo(output);
        length += pending.size();
        pending.reset();
    }

    private void replace(Cluster cluster) throws IOException {
        StoredState state = cluster.backup();
        Path next = file.resolveSibling("cluster.next");
        pending.reset();
        length = 0;
        output.close();
        var written = new FileOutputStream(next.toFile());
        output = written;
        pending.writeBytes(Json.utf8(state.head() + "\n"));
        for (StoredObject object : state.objects()) {
            add(object, false);
            write();
        }
        write();
        written.getFD().sync();
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        most = 2 * length + ROOM;
        replaced = false;
    }

    /** Releases the directory; the cluster must not change any more. */
    @Override
    public void close() throws IOException {
        output.close();
        lock.close();
    }
}
