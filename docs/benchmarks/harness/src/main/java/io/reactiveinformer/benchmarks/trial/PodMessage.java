package io.reactiveinformer.benchmarks.trial;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A pod as {@code application/vnd.kubernetes.protobuf}, and where in it a change writes, as in {@link PodBytes}. */
final class PodMessage {

    private static final int DAY = 24 * 60 * 60;

    private final byte[] envelope;
    private final int begin;
    private final int length;
    private final int version;
    private final int mark;
    private final int readyTime;
    private final int restarts;
    private final long readySeconds;

    /**
     * Finds the version and the mark by their zeros, the other two by where {@code other} differs.
     *
     * @param other the same pod with another second of the time at which it became ready, and with another count of restarts
     */
    PodMessage(byte[] envelope, byte[] other) {
        this.envelope = envelope;
        int typeEnd = 6 + envelope[5];
        this.length = (int) Wire.readVarint(envelope, typeEnd + 1);
        this.begin = typeEnd + 1 + Wire.varintSize(length);
        this.version = find("0".repeat(10));
        this.mark = find("0".repeat(PodBytes.MARK));
        this.readyTime = Arrays.mismatch(envelope, other);
        this.readySeconds = Wire.readVarint(envelope, readyTime);
        this.restarts = lastMismatch(other);
        if (envelope[restarts] != 0 || readySeconds >> 28 == 0 || readySeconds >> 35 != 0) {
            throw new IllegalStateException("not where restarts, or a time, were expected");
        }
    }

    private int find(String digits) {
        int found = new String(envelope, StandardCharsets.ISO_8859_1).indexOf(digits);
        if (found < 0) {
            throw new IllegalStateException("no " + digits + " in the message");
        }
        return found;
    }

    private int lastMismatch(byte[] other) {
        int last = envelope.length - 1;
        while (envelope[last] == other[last]) {
            last--;
        }
        return last;
    }

    /** The pod alone, as in a list. */
    int length() {
        return length;
    }

    /** The pod and its kind, as in a watch. */
    int envelopeLength() {
        return envelope.length;
    }

    void write(byte[] target, int at, long resourceVersion, int number, int revision, long due, boolean last) {
        write(begin, length, target, at, resourceVersion, number, revision, due, last);
    }

    void writeEnvelope(byte[] target, int at, long resourceVersion, int number, int revision, long due, boolean last) {
        write(0, envelope.length, target, at, resourceVersion, number, revision, due, last);
    }

    private void write(int from, int size, byte[] target, int at, long resourceVersion, int number, int revision, long due, boolean last) {
        System.arraycopy(envelope, from, target, at, size);
        int shift = at - from;
        PodBytes.digits(target, shift + version, resourceVersion, 10);
        PodBytes.mark(target, shift + mark, number, due, last);
        if (revision > 0) {
            int minutes = revision % 24 * 60 + revision / 24 % 60;
            long time = readySeconds - readySeconds % DAY + minutes * 60L + readySeconds % 60;
            Wire.writeVarint(target, shift + readyTime, time);
            target[shift + restarts] = (byte) (revision % 10);
        }
    }
}
