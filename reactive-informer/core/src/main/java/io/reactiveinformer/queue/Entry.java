package io.reactiveinformer.queue;

/** What a queue knows of one key, for as long as it is waited for, in line, or worked on. Guarded by its queue. */
final class Entry<K> {

    static final long NEVER = Long.MAX_VALUE;

    final K key;
    final Object itsClass;

    /** Is to be worked on: in line, or as soon as the work that goes on is over. */
    boolean dirty;

    boolean running;

    /** How often it is held: not to get into line until it is released as often; if it is in line, it stays there. */
    int holds;

    boolean inLine;

    /** When it got into line, or its work began. */
    long since;

    /** With which it is dirty. */
    int priority;

    /** With which its work began. */
    int runPriority;

    /** Its place in line: smaller ones go first. */
    long rank;

    /** When its delay is over. */
    long due = NEVER;

    /** With which it is then dirty. */
    int duePriority;

    /** Tells those of the same rank apart. */
    long number;

    /** Tells those that are due at the same time apart. */
    long alarmNumber;

    Entry(K key, Object itsClass) {
        this.key = key;
        this.itsClass = itsClass;
    }

    boolean isIdle() {
        return !dirty && !running && holds == 0 && due == NEVER;
    }

    /** Stays out of line, dirty or not. */
    boolean isBlocked() {
        return running || holds > 0;
    }
}
