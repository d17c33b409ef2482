package io.reactiveinformer.store;

/**
 * One series of edits to tries. A node made in it belongs to it, and may be changed in place until the series ends: nobody else has seen
 * it yet. An edit is forgotten when its results are published; it never edits again.
 */
final class Edit {

    /** By how many entries the last operation made a trie larger; -1 where it removed one. */
    int grown;
}
