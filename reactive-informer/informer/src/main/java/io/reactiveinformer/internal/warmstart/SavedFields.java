package io.reactiveinformer.internal.warmstart;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The fields of one frame of a saved snapshot: a kind, texts that may be missing, and bytes up to the end. */
final class SavedFields {

    private static final int MISSING = -1;

    private final ByteBuffer frame;

    SavedFields(ByteBuffer frame) {
        this.frame = frame;
    }

    int kind() {
        return frame.get();
    }

    @Nullable String text() {
        int length = frame.getInt();
        if (length == MISSING) {
            return null;
        }
        if (length > frame.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        frame.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** The bytes that are not read yet. */
    ByteBuffer rest() {
        return frame;
    }

    /** Writes fields in the order in which they are read. */
    static final class Writer {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);

        Writer(int kind) {
            bytes.write(kind);
        }

        Writer text(@Nullable String text) {
            byte[] content = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
            bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(text == null ? MISSING : content.length).array());
            bytes.writeBytes(content);
            return this;
        }

        byte[] bytes(byte[] rest) {
            bytes.writeBytes(rest);
            return bytes.toByteArray();
        }
    }
}
