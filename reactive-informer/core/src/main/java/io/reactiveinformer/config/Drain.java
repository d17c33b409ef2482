package io.reactiveinformer.config;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads what a program prints, for as long as it prints, so that it never waits for us; keeps the beginning. On a thread of its own, since a
 * program that it has started may hold the stream open for ever.
 */
final class Drain {

    private final InputStream stream;
    private final int most;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream(); // guarded by itself
    private final Thread reader;

    /** @param most bytes that are kept */
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
            // with the program: what came before it is all there is
        }
    }

    /** What has been read by the end of the stream, or when {@code millis} are over. */
    byte[] content(long millis) throws InterruptedException {
        reader.join(millis);
        synchronized (kept) {
            return kept.toByteArray();
        }
    }

    /** Whether more has come than is kept. */
    boolean isFull() {
        synchronized (kept) {
            return kept.size() == most;
        }
    }
}
