package io.reactiveinformer.queue;

/** The state of one key in a queue, as long as it is delayed, in line, held, or worked on. Guarded by its queue. */
final class KeyState<K> {

    static final long NEVER = Long.MAX_VALUE;
    static final long NO_PAUSE = Long.MIN_VALUE;

    final K key;
    final Object itsClass;

    /**
     * To be worked on: it is in line, or gets there when its running work has ended and it is not held. Then it is not
     * delayed.
     */
    boolean dirty;

    boolean running;

    /**
     * The number of holds. While it is above 0, the key does not get into line; if it is in line already, it stays
     * there.
     */
    int holds;

    boolean inLine;

    /** When it got into line; while running, when it was taken. */
    long since;

    /** The priority while it is dirty; while it is delayed, the one that it gets when the delay is over. */
    int priority;

    /** The priority with which it was taken. */
    int runPriority;

    /** Its rank in line: smaller ones go first. Not a long, which the highest priorities would overflow. */
    double rank;

    /** When its delay is over; {@link #NEVER} if it is not delayed. */
    long due = NEVER;

    /** At the end of its work: when it is to be worked on again, unless it is dirty; {@link #NEVER} for not at all. */
    long next;

    /**
     * When the pause after its last failure is over, also if an addition replaces it; {@link #NO_PAUSE} if it has not
     * failed.
     */
    long pausedUntil = NO_PAUSE;

    /** Orders keys of the same rank, and keys that are due at the same time. */
    long number;

    KeyState(K key, Object itsClass) {
        this.key = key;
        this.itsClass = itsClass;
    }

    boolean isIdle() {
        return !dirty && !running && holds == 0 && due == NEVER;
    }

    /** Whether it is to get into line now. */
    boolean lacksPlace() {
        return dirty && !running && holds == 0 && !inLine;
    }
}
