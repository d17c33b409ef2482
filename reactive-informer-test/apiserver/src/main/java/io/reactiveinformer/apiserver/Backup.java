package io.reactiveinformer.apiserver;

import io.reactiveinformer.apiserver.internal.cluster.StoredState;

/**
 * The state of a cluster at one moment: its objects, types and version, and the deleted owners whose dependents were not deleted yet;
 * without its history. Immutable. It can be restored on any server.
 */
public interface Backup {

    /** The backup as JSON, to be stored in a file. A server of another process can be restored from it, with the same uids and versions. */
    String text();

    /** The resourceVersion of the cluster at that moment. */
    long version();

    /**
     * Reads a backup that {@link #text} wrote. Its custom types are those of its definitions, as far as they were served.
     *
     * @throws IllegalArgumentException if the text is no backup, or incomplete; the message says what is wrong
     */
    static Backup parse(String text) {
        return StoredState.parse(text);
    }
}
