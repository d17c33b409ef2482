package io.reactiveinformer.internal.operator;

/** Works in terms: before each of them, another replica or member may have worked on the same keys. */
public interface HasTerms {

    /** What was known from the server in the term before does not count for work that begins from now on. */
    void beginTerm();
}
