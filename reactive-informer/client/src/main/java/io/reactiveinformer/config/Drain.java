package io.reactiveinformer.config;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads all output of a program, so that it never blocks on a full pipe; keeps the beginning. On a thread of its own, since a process that
 * the program has started may keep the stream open forever.
 */
final class Drain {

    private final InputStream stream;
    private final int most;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream(); // guarded by itself
    private final Thread reader;

    /** @param most how many bytes are kept */
    Drain(InputStream stream, int most) {
        this.stream = stream;
        this.most = most;
        this.reader = new Thread(this::read, "reactive-informer-credential-plugin");
        this.reader.setDaemon(true);
        this.reader.start();
    }

    private void read() {
        byte[] buffer = new byte[8 << 10];
        try {
            for (int read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
                synchronized (kept) {
                    kept.write(buffer, 0, Math.min(read, most - kept.size()));
                }
            }
        } catch (IOException gone) {
            // the program has exited: what was read before is all
        }
    }

    /** What has been read by the end of the stream, or after {@code millis} at most. */
    byte[] content(long millis) throws InterruptedException {
        reader.join(millis);
        synchronized (kept) {
            return kept.toByteArray();
        }
    }

    /** Whether {@code most} bytes were read; more are dropped. */
    boolean isFull() {
        synchronized (kept) {
            return kept.size() == most;
        }
    }
}
