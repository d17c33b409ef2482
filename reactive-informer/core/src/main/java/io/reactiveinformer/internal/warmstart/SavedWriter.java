package io.reactiveinformer.internal.warmstart;

import io.reactiveinformer.resource.InformerStatus.Stale;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Snapshot;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Function;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Turns the cached state into bytes, piece by piece: a line that names the format, then frames. A frame is a length, that many bytes, and
 * the CRC-32C of everything before it in the snapshot; so each frame is known to be correct, and in its place, before it is read. The first
 * is the {@link SavedLabel}, each other one is a row or a stale state, and an empty one is the last.
 */
final class SavedWriter<T> {

    static final String FORMAT = "reactive-informer snapshot ";
    static final int VERSION = 1;

    static final int ROW = 1;
    static final int STALE = 2;

    private static final int PIECE = 1 << 16;

    private final Snapshot.Cursor<ObjectKey, T> rows;
    private final Iterator<Map.Entry<ObjectKey, Stale>> stale;
    private final Function<Object, byte[]> objects;
    private final CRC32C checksum = new CRC32C();
    private final ByteArrayOutputStream piece = new ByteArrayOutputStream(PIECE + PIECE / 4);
    private boolean ended;

    private SavedWriter(SavedLabel label, Held<T> held, Function<Object, byte[]> objects) {
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
                row(rows.key(), rows.row());
            } else if (stale.hasNext()) {
                stale(stale.next());
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
