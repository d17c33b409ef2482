package io.reactiveinformer.test.faults;

/** A place in an answer: after a number of events or bytes. */
record Point(long count, Unit unit) {

    static final Point START = new Point(0, Unit.EVENTS);

    enum Unit {
        EVENTS, BYTES
    }

    Point {
        if (count < 0) {
            throw new IllegalArgumentException("a fault happens after 0 or more " + unit + ", was " + count);
        }
    }

    @Override
    public String toString() {
        return count == 0 ? "" : " after " + count + " " + (unit == Unit.EVENTS ? "events" : "bytes");
    }
}
