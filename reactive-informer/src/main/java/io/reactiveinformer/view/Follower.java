package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import org.jspecify.annotations.Nullable;

/** Who is told of commits. Called by one thread after the other, never by two at once: takes note, and returns at once. */
interface Follower<K, T> {

    /** First: the rows that all commits from now on start from. */
    void begin(Snapshot<K, T> rows);

    void file(Commit<K, T> commit);

    /** Whether commits may not be folded into one on the way here. */
    default boolean needsEachCommit() {
        return true;
    }

    /**
     * Last: no commits come any more; because of {@code failure}, if there is one. It may be called again, with a failure, when what was noted is to
     * be told no longer.
     */
    void end(@Nullable Throwable failure);
}
