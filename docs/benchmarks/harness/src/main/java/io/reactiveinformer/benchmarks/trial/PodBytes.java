package io.reactiveinformer.benchmarks.trial;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A pod as JSON, and where in it a change writes. All that changes is of a fixed width, so a state is a copy and a few digits. */
public final class PodBytes {

    /**
     * Digits of the mark: the time at which the change was due by {@link System#nanoTime}, whether it is the pod's last one, and its
     * number.
     */
    static final int MARK = 19 + 1 + 7;

    /** Where to write. */
    static final class Places {
        int version;
        int metadataEnd;
        int mark;
        int readyTime;
        int restarts;
    }

    private final String namespace;
    private final String name;
    private final byte[] json;
    private final Places places;
    private @Nullable PodMessage message;

    PodBytes(String namespace, String name, String json, Places places) {
        this.namespace = namespace;
        this.name = name;
        this.json = json.getBytes(StandardCharsets.ISO_8859_1);
        this.places = places;
    }

    /** Encodes this pod for {@link #message}; the other one differs in the last digit of a time, and in a count. */
    void encode(Encoding encoding) {
        byte[] other = json.clone();
        other[places.readyTime + "2026-11-20T10:11:1".length()] ^= 1;
        other[places.restarts] = '9';
        message = new PodMessage(encoding.encode(withKind(json)), encoding.encode(withKind(other)));
    }

    private static byte[] withKind(byte[] json) {
        return (PodForm.WHOLE.opening + new String(json, 1, json.length - 1, StandardCharsets.ISO_8859_1))
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    /** This pod in protocol buffers. */
    PodMessage message() {
        return Objects.requireNonNull(message);
    }

    public String namespace() {
        return namespace;
    }

    public String name() {
        return name;
    }

    public int length() {
        return json.length;
    }

    /**
     * Writes a state of this pod.
     *
     * @param revision how often it has changed
     * @param due by {@link System#nanoTime}
     */
    public void write(byte[] target, int at, long version, int number, int revision, long due, boolean last) {
        System.arraycopy(json, 0, target, at, json.length);
        digits(target, at + places.version, version, 10);
        mark(target, at + places.mark, number, due, last);
        if (revision > 0) {
            digits(target, at + places.readyTime + "2026-11-20T".length(), revision % 24, 2);
            digits(target, at + places.readyTime + "2026-11-20T10:".length(), revision / 24 % 60, 2);
            digits(target, at + places.restarts, revision % 10, 1);
        }
    }

    /**
     * Writes a state of this pod's metadata, in braces.
     *
     * @param due by {@link System#nanoTime}
     * @return how many bytes it takes
     */
    int writeMetadata(byte[] target, int at, long version, int number, long due, boolean last) {
        System.arraycopy(json, 0, target, at, places.metadataEnd);
        digits(target, at + places.version, version, 10);
        mark(target, at + places.mark, number, due, last);
        target[at + places.metadataEnd] = '}';
        return places.metadataEnd + 1;
    }

    static void mark(byte[] target, int at, int number, long due, boolean last) {
        digits(target, at, due, 19);
        digits(target, at + 19, last ? 1 : 0, 1);
        digits(target, at + 20, number, 7);
    }

    static void digits(byte[] target, int at, long number, int width) {
        long rest = number;
        for (int i = at + width - 1; i >= at; i--) {
            target[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }
}
