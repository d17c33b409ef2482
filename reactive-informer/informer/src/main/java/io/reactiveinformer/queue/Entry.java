package io.reactiveinformer.queue;

/** The state of one key in a queue, as long as it is delayed, in line, held, or worked on. Guarded by its queue. */
final class Entry<K> {

    static final long NEVER = Long.MAX_VALUE;
    static final long NO_PAUSE = Long.MIN_VALUE;

    final K key;
    final Object itsClass;

    /** To be worked on: it is in line, or gets there when its running work has ended and it is not held. */
    boolean dirty;

    boolean running;

    /** The number of holds. While it is above 0, the key does not get into line; if it is in line already, it stays there. */
    int holds;

    boolean inLine;

    /** When it got into line; while running, when it was taken. */
    long since;

    /** The priority while it is dirty. */
    int priority;

    /** The priority with which it was taken. */
    int runPriority;

    /** Its rank in line: smaller ones go first. */
    long rank;

    /** When its delay is over; {@link #NEVER} if it is not delayed. */
    long due = NEVER;

    /** When the pause after its last failure is over, also if an addition replaces it; {@link #NO_PAUSE} if it has not failed. */
    long pausedUntil = NO_PAUSE;

    /** The priority it gets when its delay is over. */
    int duePriority;

    /** Orders entries of the same rank. */
    long number;

    /** Orders entries that are due at the same time. */
    long alarmNumber;

    Entry(K key, Object itsClass) {
        this.key = key;
        this.itsClass = itsClass;
    }

    boolean isIdle() {
        return !dirty && !running && holds == 0 && due == NEVER;
    }

    /** Whether it stays out of line, dirty or not. */
    boolean isBlocked() {
        return running || holds > 0;
    }
}
