package io.reactiveinformer.internal.warmstart;

import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.internal.codec.WrittenObjects;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.UnreadableObjectException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads a snapshot that {@link SavedWriter} wrote, piece by piece. Emits it only when it is known to be complete. */
final class SavedReader<T> {

    /** The most bytes of a frame: more than any object that the server accepts. */
    private static final int LONGEST = 64 << 20;

    private static final int LONGEST_FIRST_LINE = SavedWriter.FORMAT.length() + 20;

    private final Map<String, String> wanted;
    private final WrittenObjects<T> objects;
    private final CRC32C checksum = new CRC32C();
    private final Map<Namespaces, List<Delta<T>>> rows = new LinkedHashMap<>();
    private ByteBuffer unread = ByteBuffer.allocate(1 << 17).flip();
    private boolean exists;
    private boolean begun;
    private boolean ended;
    private @Nullable SavedLabel label;

    private SavedReader(Map<String, String> wanted, WrittenObjects<T> objects) {
        this.wanted = wanted;
        this.objects = objects;
    }

    /** A saved snapshot cannot be used; the message has the reason. */
    static final class UnusableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnusableException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * Emits the snapshot; empty if there are no pieces at all. Fails with {@link UnusableException} if the bytes are not a complete
     * snapshot, or are one of something else.
     *
     * @param wanted the properties that the snapshot must have
     */
    static <T> Mono<Saved<T>> read(Flux<ByteBuffer> content, Map<String, String> wanted, WrittenObjects<T> objects) {
        return Mono.defer(() -> {
            var reader = new SavedReader<>(wanted, objects);
            return content.doOnNext(reader::take).then(Mono.fromCallable(reader::result));
        });
    }

    private void take(ByteBuffer piece) {
        exists = true;
        if (ended) {
            throw new UnusableException("it goes on after its end", null);
        }
        keep(piece);
        try {
            begun = begun || readFirstLine();
            for (boolean more = begun; more && !ended; ) {
                more = readFrame();
            }
        } catch (UnusableException known) {
            throw known;
        } catch (RuntimeException malformed) {
            throw new UnusableException("it cannot be read: " + malformed, malformed);
        }
        if (ended && unread.hasRemaining()) {
            throw new UnusableException("it goes on after its end", null);
        }
    }

    private void keep(ByteBuffer piece) {
        unread.compact();
        if (unread.remaining() < piece.remaining()) {
            int needed = unread.position() + piece.remaining();
            unread = ByteBuffer.wrap(Arrays.copyOf(unread.array(), Math.max(needed, 2 * unread.capacity()))).position(unread.position());
        }
        unread.put(piece).flip();
    }

    private boolean readFirstLine() {
        int from = unread.position();
        int to = from;
        while (to < unread.limit() && unread.get(to) != '\n') {
            to++;
        }
        String line = new String(unread.array(), from, to - from, StandardCharsets.UTF_8);
        if (to == unread.limit() && to - from <= LONGEST_FIRST_LINE) {
            return false;
        }
        if (!line.startsWith(SavedWriter.FORMAT)) {
            throw new UnusableException("it is not a snapshot", null);
        }
        String version = line.substring(SavedWriter.FORMAT.length());
        if (!version.equals(Integer.toString(SavedWriter.VERSION))) {
            throw new UnusableException("it is of format " + version + ", and this program reads format " + SavedWriter.VERSION, null);
        }
        count(to + 1 - from);
        return true;
    }

    /** Reads a frame; false if it is not complete yet. */
    private boolean readFrame() {
        if (unread.remaining() < Integer.BYTES) {
            return false;
        }
        int length = unread.getInt(unread.position());
        if (length < 0 || length > LONGEST) {
            throw new UnusableException("it is garbled", null);
        }
        if (unread.remaining() < length + 2 * Integer.BYTES) {
            return false;
        }
        count(Integer.BYTES);
        ByteBuffer frame = unread.duplicate();
        frame.limit(frame.position() + length);
        count(length);
        int expected = (int) checksum.getValue();
        if (unread.getInt(unread.position()) != expected) {
            throw new UnusableException("it is garbled", null);
        }
        count(Integer.BYTES);
        accept(frame, length);
        return true;
    }

    /** Marks the next {@code length} bytes as read, and adds them to the checksum. */
    private void count(int length) {
        checksum.update(unread.array(), unread.position(), length);
        unread.position(unread.position() + length);
    }

    private void accept(ByteBuffer frame, int length) {
        if (length == 0) {
            ended = true;
        } else if (label == null) {
            label = acceptable(SavedLabel.parse(StandardCharsets.UTF_8.decode(frame).toString()));
            label.versions().keySet().forEach(part -> rows.put(part, new ArrayList<>()));
        } else {
            row(new SavedFields(frame));
        }
    }

    private SavedLabel acceptable(SavedLabel read) {
        String difference = read.differenceTo(wanted);
        if (!difference.isEmpty()) {
            throw new UnusableException("it is a snapshot of something else: " + difference, null);
        }
        return read;
    }

    private void row(SavedFields fields) {
        int kind = fields.kind();
        ObjectKey key = ObjectKey.of(fields.text(), Objects.requireNonNull(fields.text(), "name"));
        Namespaces part = rows.containsKey(Namespaces.all())
                ? Namespaces.all() : Namespaces.of(Objects.requireNonNull(key.namespace(), "namespace"));
        List<Delta<T>> ofPart = Objects.requireNonNull(rows.get(part), "part");
        if (kind == SavedWriter.ROW) {
            String uid = fields.text();
            String version = fields.text();
            ByteBuffer object = fields.rest();
            int from = object.arrayOffset() + object.position();
            ofPart.add(new Delta.Upserted<>(part, key, objects.read(key, uid, version, object.array(), from, from + object.remaining())));
        } else if (kind == SavedWriter.STALE) {
            String version = fields.text();
            String reason = StandardCharsets.UTF_8.decode(fields.rest()).toString();
            ofPart.add(new Delta.Unreadable<>(part, key, version, new UnreadableObjectException(reason, null)));
        } else {
            throw new UnusableException("it has a frame of kind " + kind, null);
        }
    }

    private @Nullable Saved<T> result() {
        if (!exists) {
            return null;
        }
        if (!begun && !unread.hasRemaining()) {
            throw new UnusableException("it is empty", null);
        }
        if (!ended || label == null) {
            throw new UnusableException("its end is missing", null);
        }
        Map<Namespaces, Saved.Part<T>> parts = new LinkedHashMap<>();
        label.versions().forEach((part, version) -> parts.put(part, new Saved.Part<>(version, Objects.requireNonNull(rows.get(part)))));
        return new Saved<>(label.at(), parts);
    }
}
