package io.reactiveinformer.internal.trie;

/**
 * Marks the nodes that one series of edits has created. Such a node may be changed in place until the series ends, as no other thread has
 * seen it yet. An edit is dropped when its results are published, and never used again.
 */
public final class Edit {

    /** The number of entries that the last operation added; -1 if it removed one. */
    int grown;
}
