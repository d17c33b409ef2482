package io.reactiveinformer.internal.warmstart;

import io.reactiveinformer.client.Known.Stale;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Snapshot;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Turns the cached state into bytes, piece by piece: a line that names the format, then frames. A frame is a length, that many bytes, and
 * the CRC-32C of all bytes before it in the snapshot, so that each frame is known to be correct, and in its place, before it is decoded.
 * The first frame is the {@link SavedLabel}, the following ones are rows and stale states, and the last is empty.
 */
final class SavedWriter<T> {

    static final String FORMAT = "reactive-informer snapshot ";
    static final int VERSION = 1;

    static final int ROW = 1;
    static final int STALE = 2;

    private static final int PIECE = 1 << 16;

    /** The parts that have a version. Rows of others were not confirmed since an earlier process saved them, and are left out. */
    private final Namespaces saved;

    private final Snapshot.Cursor<ObjectKey, T> rows;
    private final Iterator<Map.Entry<ObjectKey, Stale>> stale;
    private final Function<Object, byte[]> objects;
    private final CRC32C checksum = new CRC32C();
    private final ByteArrayOutputStream piece = new ByteArrayOutputStream(PIECE + PIECE / 4);
    private boolean ended;

    private SavedWriter(SavedLabel label, Held<T> held, Function<Object, byte[]> objects) {
        Set<Namespaces> parts = label.versions().keySet();
        this.saved = parts.contains(Namespaces.all()) ? Namespaces.all()
                : Namespaces.of(parts.stream().flatMap(part -> part.names().stream()).toList());
        this.rows = held.rows().cursor();
        this.stale = held.stale().entrySet().iterator();
        this.objects = objects;
        write((FORMAT + VERSION + "\n").getBytes(StandardCharsets.UTF_8));
        frame(label.text().getBytes(StandardCharsets.UTF_8));
    }

    /** @param objects turns an object into bytes */
    static <T> Flux<ByteBuffer> write(SavedLabel label, Held<T> held, Function<Object, byte[]> objects) {
        return Flux.generate(() -> new SavedWriter<>(label, held, objects), (writer, sink) -> {
            ByteBuffer next = writer.next();
            if (next == null) {
                sink.complete();
            } else {
                sink.next(next);
            }
            return writer;
        });
    }

    private @Nullable ByteBuffer next() {
        while (!ended && piece.size() < PIECE) {
            if (rows.advance()) {
                if (saved.covers(rows.key())) {
                    row(rows.key(), rows.row());
                }
            } else if (stale.hasNext()) {
                Map.Entry<ObjectKey, Stale> next = stale.next();
                if (saved.covers(next.getKey())) {
                    stale(next);
                }
            } else {
                frame(new byte[0]);
                ended = true;
            }
        }
        ByteBuffer next = piece.size() == 0 ? null : ByteBuffer.wrap(piece.toByteArray());
        piece.reset();
        return next;
    }

    private void row(ObjectKey key, Versioned<T> row) {
        var fields = new SavedFields.Writer(ROW);
        fields.text(key.namespace()).text(key.name()).text(row.uid()).text(row.resourceVersion());
        frame(fields.bytes(objects.apply(row.object())));
    }

    private void stale(Map.Entry<ObjectKey, Stale> state) {
        var fields = new SavedFields.Writer(STALE);
        fields.text(state.getKey().namespace()).text(state.getKey().name()).text(state.getValue().resourceVersion());
        frame(fields.bytes(state.getValue().reason().getBytes(StandardCharsets.UTF_8)));
    }

    private void frame(byte[] content) {
        write(number(content.length));
        write(content);
        write(number((int) checksum.getValue()));
    }

    private void write(byte[] bytes) {
        piece.writeBytes(bytes);
        checksum.update(bytes);
    }

    private static byte[] number(int value) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
    }
}
