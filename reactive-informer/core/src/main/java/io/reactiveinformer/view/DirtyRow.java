package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit.Difference;
import org.jspecify.annotations.Nullable;

/**
 * One row as a subscriber knows it, and how that object ended, if it did. How the row is by now is in the rows: where a dirty row changes again,
 * nothing has to be noted.
 */
final class DirtyRow<K, T> {

    /** In line: grows from one dirty row to the next. */
    final long place;

    private final @Nullable Versioned<T> known;
    private boolean ended;
    private @Nullable DeletionCause cause;
    private @Nullable String endedAt;
    private boolean resync;

    /** @param known null where the subscriber knows of none */
    DirtyRow(@Nullable Versioned<T> known, long place) {
        this.known = known;
        this.place = place;
    }

    /** Notes the end of the known object, or that it is there after all. */
    void conflate(Difference<K, T> next) {
        if (known == null || !ended && next.isOfOneObject()) {
            return;
        }
        Versioned<T> after = next.after();
        boolean isThere = after != null && !known.recreatedAs(after);
        if (isThere || !ended) {
            ended = !isThere;
            cause = isThere ? null : next.cause();
            endedAt = isThere ? null : next.deletedAt();
        }
    }

    /** Whether there is nothing to tell, now that the row is as after {@code latest}. */
    boolean isClean(Difference<K, T> latest) {
        return latest.endsAt(known) && !(resync && latest.after() != null);
    }

    /** Is to be told even if it goes back to what the subscriber knows. */
    void resync() {
        resync = true;
    }

    /** From what the subscriber knows to {@code now}. */
    Difference<K, T> to(K key, @Nullable Versioned<T> now) {
        return new Difference<>(key, known, now, cause, endedAt);
    }
}
