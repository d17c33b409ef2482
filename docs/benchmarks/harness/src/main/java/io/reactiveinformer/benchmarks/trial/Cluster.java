package io.reactiveinformer.benchmarks.trial;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** All pods, and what has happened to them: each change is an entry of a few numbers, from which the state of that time can be written. */
final class Cluster {

    private static final long FIRST_VERSION = 1_000_000_000L;
    private static final int MOST_CHANGES = 4_000_000;

    private final PodBytes[] pods;
    private final int[] last;
    private final int[] changes;

    private final int[] podOf = new int[MOST_CHANGES];
    private final int[] revisionOf = new int[MOST_CHANGES];
    private final long[] dueOf = new long[MOST_CHANGES];
    private final boolean[] isLast = new boolean[MOST_CHANGES];
    private int size;
    private int compacted;
    private final @Nullable Encoding encoding;

    Cluster(Corpus corpus, int count, @Nullable Encoding encoding) {
        this.encoding = encoding;
        pods = IntStream.range(0, count).parallel().mapToObj(corpus::pod).toArray(PodBytes[]::new);
        if (encoding != null) {
            Arrays.stream(pods).parallel().forEach(pod -> pod.encode(encoding));
        }
        last = new int[count];
        changes = new int[count];
        Arrays.fill(last, -1);
    }

    /** Null if this server serves JSON only. */
    @Nullable Encoding encoding() {
        return encoding;
    }

    int count() {
        return pods.length;
    }

    PodBytes pod(int number) {
        return pods[number];
    }

    synchronized long version() {
        return FIRST_VERSION + pods.length + size - 1;
    }

    /** The entry of the last change so far of a pod; below zero if there was none. */
    synchronized int lastOf(int number) {
        return last[number];
    }

    long versionOf(int number, int entry) {
        return entry < 0 ? FIRST_VERSION + number : FIRST_VERSION + pods.length + entry;
    }

    /** The entry after {@code version}; below zero if that is not known any more. */
    synchronized int entryAfter(long version) {
        int entry = (int) Math.max(version - FIRST_VERSION - pods.length + 1, 0);
        return entry < compacted ? -1 : entry;
    }

    int podOf(int entry) {
        return podOf[entry];
    }

    /** Waits for the entry, or until the time is up. */
    synchronized int awaitSizeBeyond(int entry, long millis) throws InterruptedException {
        long limit = System.nanoTime() + millis * 1_000_000;
        for (long left = millis; size <= entry && left > 0; left = (limit - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
        return size;
    }

    synchronized void append(int pod, long due, boolean lastOne) {
        podOf[size] = pod;
        dueOf[size] = due;
        isLast[size] = lastOne;
        revisionOf[size] = ++changes[pod];
        last[pod] = size++;
        notifyAll();
    }

    /** Forgets the history: a client that resumes from an older version receives 410. */
    synchronized void compact() {
        compacted = size + 1;
        append(0, System.nanoTime(), false);
    }

    /** @return how many bytes the state takes that the pod had at that entry */
    int write(byte[] target, int at, PodForm form, int number, int entry) {
        PodBytes pod = pods[number];
        boolean initial = entry < 0;
        long version = versionOf(number, entry);
        long due = initial ? 0 : dueOf[entry];
        boolean last = !initial && isLast[entry];
        if (form == PodForm.METADATA) {
            return pod.writeMetadata(target, at, version, number, due, last);
        }
        pod.write(target, at, version, number, initial ? 0 : revisionOf[entry], due, last);
        return pod.length();
    }

    /** Writes it in protocol buffers: {@code whole} with its kind, of the length that {@link PodMessage} says. */
    void writeMessage(byte[] target, int at, boolean whole, int number, int entry) {
        PodMessage pod = pods[number].message();
        boolean initial = entry < 0;
        long version = versionOf(number, entry);
        int revision = initial ? 0 : revisionOf[entry];
        long due = initial ? 0 : dueOf[entry];
        boolean last = !initial && isLast[entry];
        if (whole) {
            pod.writeEnvelope(target, at, version, number, revision, due, last);
        } else {
            pod.write(target, at, version, number, revision, due, last);
        }
    }

    /** Which pods change, one after the other: each about equally often. */
    int[] plan(int count, long seed) {
        var random = new Random(seed);
        int[] plan = new int[count];
        for (int i = 0; i < count; i++) {
            plan[i] = i % pods.length;
        }
        for (int i = count - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int swapped = plan[i];
            plan[i] = plan[other];
            plan[other] = swapped;
        }
        return plan;
    }
}
