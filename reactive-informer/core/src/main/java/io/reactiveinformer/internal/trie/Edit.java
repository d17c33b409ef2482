package io.reactiveinformer.internal.trie;

/**
 * One series of edits to tries. A node made in it belongs to it, and may be changed in place until the series ends: no other thread has
 * seen it yet. An edit is dropped when its results are published, and never used again.
 */
public final class Edit {

    /** By how many entries the last operation made a trie larger; -1 if it removed one. */
    int grown;
}
