package io.reactiveinformer.processor;

import io.reactiveinformer.internal.OutageLog;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Queue;
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
 * A file with a line for each state that was finished, or of which the first work was begun. Lines are appended, so that a process that is
 * killed has lost none of those for which {@link #note} has completed; now and then the file is written anew, with a line for each row.
 * The content outlasts the process, but not a crash of the machine, after which rows are repeated.
 */
final class Positions<K, T> {

    private static final Logger LOG = LoggerFactory.getLogger(RowProcessor.class);
    private static final String HEADER = "reactive-informer positions 1";
    private static final String NONE = "~"; // not what any text is encoded as
    private static final Duration RETRY = Duration.ofSeconds(1);
    /** The file may have this many more lines than rows. */
    private static final int MOST_OUTDATED = 5_000;

    private final Path file;
    private final String name;
    private final ProcessedRows<K, T> rows;
    private final OutageLog outages;
    private final Scheduler threads = Schedulers.boundedElastic();
    private final Queue<Note> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger wip = new AtomicInteger();

    // Used by one task at a time.
    private @Nullable FileChannel lock;
    private @Nullable FileChannel channel; // null if the file is to be written anew first
    private int lines;

    private record Note(String line, MonoSink<Void> sink) {}

    Positions(Path directory, String name, ProcessedRows<K, T> rows, Scheduler timer) {
        this.file = directory.resolve("processor-" + name);
        this.name = name;
        this.rows = rows;
        this.outages = new OutageLog(LOG, name, timer);
    }

    /** Restores the rows. Fails if another processor has the file, or it cannot be read. */
    Mono<Void> open() {
        return Mono.<Void>fromCallable(() -> {
            Files.createDirectories(file.toAbsolutePath().getParent());
            lock = FileChannel.open(file.resolveSibling(file.getFileName() + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!isLocked(lock)) {
                close();
                throw new IllegalStateException(name + ": the positions " + file + " belong to a processor that runs; give each a name or"
                        + " directory of its own");
            }
            read();
            writeAnew();
            return null;
        }).subscribeOn(threads);
    }

    private static boolean isLocked(FileChannel lock) throws IOException {
        try {
            return lock.tryLock() != null;
        } catch (OverlappingFileLockException ofThisProcess) {
            return false;
        }
    }

    private void read() throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        String[] all = text.substring(0, text.lastIndexOf('\n') + 1).split("\n"); // the last line may not have been written whole
        try {
            if (!all[0].equals(HEADER)) {
                throw new IllegalArgumentException("it begins with \"" + all[0].substring(0, Math.min(40, all[0].length())) + "\"");
            }
            for (int i = 1; i < all.length; i++) {
                restore(all[i].split(" "));
            }
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException unusable) {
            Path aside = Files.move(file, file.resolveSibling(file.getFileName() + ".unusable"), StandardCopyOption.REPLACE_EXISTING);
            LOG.warn("{}: the positions {} cannot be used: {}. They were moved to {}, to be examined or deleted; the processor begins with"
                    + " all rows", name, file, unusable.getMessage(), aside);
            rows.clear();
        }
    }

    @SuppressWarnings("unchecked") // the keys of a processor with positions are these
    private void restore(String[] fields) {
        K key = (K) ObjectKey.of(orNone(fields[1]), decoded(fields[2]));
        switch (fields[0]) {
            case "finished", "begun" -> rows.restore(key, orNone(fields[3]), orNone(fields[4]), fields[0].equals("finished"));
            case "gone" -> rows.forget(key);
            default -> throw new IllegalArgumentException("a line begins with \"" + fields[0] + "\"");
        }
    }

    private static @Nullable String orNone(String field) {
        return field.equals(NONE) ? null : decoded(field);
    }

    private static String decoded(String field) {
        return URLDecoder.decode(field, StandardCharsets.UTF_8);
    }

    private static String encoded(@Nullable String text) {
        return text == null ? NONE : URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String line(Object key, @Nullable Versioned<?> state, boolean finished) {
        if (!(key instanceof ObjectKey of)) {
            throw new IllegalStateException("a processor with positions needs rows whose keys are ObjectKeys, this is a "
                    + key.getClass().getName());
        }
        String kind = state == null ? "gone" : finished ? "finished" : "begun";
        String row = kind + " " + encoded(of.namespace()) + " " + encoded(of.name());
        return (state == null ? row : row + " " + encoded(state.uid()) + " " + encoded(state.resourceVersion())) + "\n";
    }

    /** Completes when the line is in the file, or could not be written, which is logged. */
    Mono<Void> note(K key, @Nullable Versioned<?> state, boolean finished) {
        return Mono.create(sink -> {
            waiting.add(new Note(line(key, state, finished), sink));
            if (wip.getAndIncrement() == 0) {
                threads.schedule(this::write);
            }
        });
    }

    private void write() {
        for (int missed = wip.get(); missed != 0; missed = wip.addAndGet(-missed)) {
            var text = new StringBuilder();
            var written = new ArrayList<Note>();
            for (Note next = waiting.poll(); next != null; next = waiting.poll()) {
                text.append(next.line);
                written.add(next);
            }
            append(text.toString(), written.size());
            written.forEach(note -> note.sink.success());
        }
    }

    private void append(String text, int added) {
        try {
            FileChannel present = channel;
            writeTo(present == null || lines > MOST_OUTDATED + 2 * rows.size() ? writeAnew() : present, text);
            lines += added;
            outages.ended("its positions are written again", "");
        } catch (IOException failure) {
            drop();
            outages.failed(new IOException(name + ": the positions " + file + " cannot be written, and a restart repeats rows: " + failure,
                    failure), "writing again", RETRY);
        }
    }

    private FileChannel writeAnew() throws IOException {
        drop();
        Path next = file.resolveSibling(file.getFileName() + ".tmp");
        var text = new StringBuilder(HEADER).append('\n');
        rows.forEach((key, state, finished) -> text.append(line(key, state, finished)));
        FileChannel opened = FileChannel.open(next, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        channel = opened;
        writeTo(opened, text.toString());
        opened.force(true);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
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

    /** To be called when no work is left. */
    void close() {
        drop();
        close(lock);
        lock = null;
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
