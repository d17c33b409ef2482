package io.reactiveinformer.processor;

import io.reactiveinformer.internal.OutageLog;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A file with a line for each state that was finished, or whose work was begun. Lines are appended, so that a process that is killed has
 * lost none of those that are noted; now and then the file is written anew, with a line for each row. The content outlasts the process, but
 * not a crash of the machine, after which rows are repeated.
 */
final class Positions<K, T> {

    private static final Logger LOG = LoggerFactory.getLogger(RowProcessor.class);
    /** The files of this process: closing a second channel to a locked file would unlock it. */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();
    private static final String HEADER = "reactive-informer positions 1";
    private static final String NONE = "~"; // not what any text is encoded as
    private static final String FINISHED = "finished";
    private static final String BEGUN = "begun";
    private static final String GONE = "gone";
    /** The file may have this many more lines than rows. */
    private static final int MOST_OUTDATED = 5_000;

    private final Path file;
    private final String name;
    private final ProcessedRows<K, T> rows;
    private final OutageLog outages;
    private final Scheduler threads = Schedulers.boundedElastic();
    private final Queue<Note> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger wip = new AtomicInteger();

    // Guarded by this.
    private boolean own; // whether the file is ours
    private @Nullable FileChannel lock;
    private @Nullable FileChannel channel; // null if the file is to be written anew first
    private boolean closed;
    private int lines;

    /** @param required whether the work must not go on without it */
    private record Note(String line, boolean required, MonoSink<Void> sink) {}

    Positions(Path directory, String name, ProcessedRows<K, T> rows, Scheduler timer) {
        this.file = directory.toAbsolutePath().normalize().resolve("processor-" + name);
        this.name = name;
        this.rows = rows;
        this.outages = new OutageLog(LOG, name, timer);
    }

    /** Restores the rows, once. Fails if another processor has the file, or it cannot be read. */
    Mono<Void> open() {
        return Mono.<Void>fromRunnable(this::begin).subscribeOn(threads);
    }

    private synchronized void begin() {
        if (closed || own) {
            return;
        }
        own = OWN.add(file);
        if (!own) {
            throw taken();
        }
        try {
            Files.createDirectories(file.getParent());
            lock = FileChannel.open(sibling(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock.tryLock() == null) {
                throw taken();
            }
            read();
            writeAnew();
        } catch (IOException failure) {
            release();
            throw new IllegalStateException(name + ": the positions " + file + " cannot be used: " + failure, failure);
        } catch (Throwable failure) { // the file must be free for the next try
            release();
            throw failure;
        }
    }

    private IllegalStateException taken() {
        return new IllegalStateException(name + ": the positions " + file + " belong to a processor that runs; give each a name or directory"
                + " of its own");
    }

    private Path sibling(String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }

    private void read() throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        List<String> all = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList(); // the last one may not have been written whole
        Map<ObjectKey, String[]> last = new LinkedHashMap<>();
        try {
            if (all.isEmpty() || !all.get(0).equals(HEADER)) {
                throw new IllegalArgumentException("it does not begin with \"" + HEADER + "\"");
            }
            for (int i = 1; i < all.size(); i++) {
                String[] fields = all.get(i).split(" ", -1);
                if (fields.length != 5 || !Set.of(FINISHED, BEGUN, GONE).contains(fields[0])) {
                    throw new IllegalArgumentException("line " + (i + 1) + " is no position");
                }
                last.put(ObjectKey.of(decoded(fields[1]), String.valueOf(decoded(fields[2]))), fields);
            }
        } catch (IllegalArgumentException unusable) {
            Path aside = Files.move(file, sibling(".unusable"), StandardCopyOption.REPLACE_EXISTING);
            LOG.warn("{}: the positions {} cannot be used: {}. They were moved to {}, to be examined or deleted; the processor begins with"
                    + " all rows, and rows that went meanwhile stay where it has written them", name, file, unusable.getMessage(), aside);
            return;
        }
        last.forEach(this::restore);
    }

    @SuppressWarnings("unchecked") // the keys of a processor with positions are these
    private void restore(ObjectKey key, String[] fields) {
        if (!fields[0].equals(GONE)) {
            rows.restore((K) key, decoded(fields[3]), decoded(fields[4]), fields[0].equals(FINISHED));
        }
    }

    private static @Nullable String decoded(String field) {
        return field.equals(NONE) ? null : URLDecoder.decode(field, StandardCharsets.UTF_8);
    }

    private static String encoded(@Nullable String text) {
        return text == null ? NONE : URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String line(String kind, Object key, @Nullable Versioned<?> state) {
        if (!(key instanceof ObjectKey of)) {
            throw new IllegalStateException("a processor with positions needs rows whose keys are ObjectKeys, this is a "
                    + key.getClass().getName());
        }
        return kind + " " + encoded(of.namespace()) + " " + encoded(of.name()) + " " + encoded(state == null ? null : state.uid()) + " "
                + encoded(state == null ? null : state.resourceVersion()) + "\n";
    }

    /** Completes when the line is in the file: without it the work must not begin, as its effect could be forgotten. */
    Mono<Void> begun(RowChange<K, T> row) {
        return note(line(BEGUN, row.key(), row.deleted() ? row.before() : row.after()), true);
    }

    /** Completes when the line is in the file, or could not be written, which is logged. */
    Mono<Void> finished(RowChange<K, T> row) {
        return note(line(row.deleted() ? GONE : FINISHED, row.key(), row.after()), false);
    }

    private Mono<Void> note(String line, boolean required) {
        return Mono.create(sink -> {
            waiting.add(new Note(line, required, sink));
            schedule();
        });
    }

    private void schedule() {
        if (wip.getAndIncrement() == 0) {
            try {
                threads.schedule(this::write);
            } catch (Throwable refused) { // the next note tries again
                wip.set(0);
                throw refused;
            }
        }
    }

    private void write() {
        for (int missed = wip.get(); missed != 0; missed = wip.addAndGet(-missed)) {
            List<Note> notes = new ArrayList<>();
            Throwable failure = null;
            try {
                for (Note next = waiting.poll(); next != null; next = waiting.poll()) {
                    notes.add(next);
                }
                append(notes);
            } catch (Throwable thrown) { // also an Error: the notes after these must be written
                failure = thrown;
            }
            for (Note note : notes) {
                tell(note, failure);
            }
        }
    }

    private static void tell(Note note, @Nullable Throwable failure) {
        try {
            if (failure != null && note.required) {
                note.sink.error(failure);
            } else {
                note.sink.success();
            }
        } catch (Throwable thrown) { // by what continues there: not a matter of the other notes
            LOG.warn("what followed a note was aborted", thrown);
        }
    }

    private synchronized void append(List<Note> notes) throws IOException {
        if (!own) {
            return; // closed: what is not noted is repeated
        }
        var text = new StringBuilder();
        notes.forEach(note -> text.append(note.line));
        try {
            FileChannel present = channel;
            writeTo(present == null || lines > MOST_OUTDATED + 2 * rows.size() ? writeAnew() : present, text.toString());
            lines += notes.size();
            outages.ended("its positions are written again", "");
        } catch (Throwable failure) { // what was written of it is not known
            drop();
            outages.failed(new IOException(name + ": the positions " + file + " cannot be written: " + failure, failure),
                    "writing again with the next row", Duration.ZERO);
            throw failure;
        }
    }

    private FileChannel writeAnew() throws IOException {
        drop();
        var text = new StringBuilder(HEADER).append('\n');
        rows.forEach((key, state, finished) -> text.append(line(finished ? FINISHED : BEGUN, key, state)));
        FileChannel opened = FileChannel.open(
                sibling(".tmp"), StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        channel = opened;
        writeTo(opened, text.toString());
        opened.force(true);
        Files.move(sibling(".tmp"), file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        lines = 0;
        return opened;
    }

    private static void writeTo(FileChannel to, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
        while (bytes.hasRemaining()) {
            to.write(bytes);
        }
    }

    private void drop() {
        close(channel);
        channel = null;
    }

    /** Gives the file back soon, on a thread that may block; nothing is written any more. */
    void close() {
        threads.schedule(() -> {
            synchronized (this) {
                closed = true;
                release();
            }
        });
    }

    private synchronized void release() {
        drop();
        close(lock);
        lock = null;
        if (own) {
            own = false;
            OWN.remove(file);
        }
    }

    private void close(@Nullable FileChannel open) {
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException failure) {
            LOG.warn("{}: {} was not closed: {}", name, file, failure.toString());
        }
    }
}
