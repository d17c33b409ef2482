package io.reactiveinformer.kafka;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * When a publisher began. The greatest term of a topic is the valid one. Written as {@code 7.1234}.
 *
 * @param token of the election that it won; 0 without one
 * @param fence the offset of the record with which it began, which orders those of one token
 */
record Term(long token, long fence) implements Comparable<Term> {

    /** Before the first publisher. */
    static final Term NONE = new Term(-1, -1);

    private static final Comparator<Term> ORDER = Comparator.comparingLong(Term::token).thenComparingLong(Term::fence);

    /** Null if {@code text} is no term. */
    static @Nullable Term parse(String text) {
        int dot = text.indexOf('.');
        try {
            return dot < 0 ? null : new Term(Long.parseLong(text.substring(0, dot)), Long.parseLong(text.substring(dot + 1)));
        } catch (NumberFormatException other) {
            return null;
        }
    }

    @Override
    public int compareTo(Term other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return token + "." + fence;
    }
}
