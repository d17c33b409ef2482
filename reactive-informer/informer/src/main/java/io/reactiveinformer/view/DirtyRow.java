package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit.Difference;
import org.jspecify.annotations.Nullable;

/**
 * One row as the subscriber last received it, and how that object was deleted, if it was. The current state is in the latest snapshot, so
 * further changes of a dirty row need no note.
 */
final class DirtyRow<K, T> {

    /** The place in the order in which rows became dirty. */
    final long place;

    private final @Nullable Versioned<T> known;
    private boolean ended;
    private @Nullable DeletionCause cause; // valid only if it ended
    private @Nullable String endedAt;
    private boolean resync;
    private @Nullable Difference<K, T> end; // of a row that the subscriber has not received

    /** @param known the row that the subscriber received last; null if it received none */
    DirtyRow(@Nullable Versioned<T> known, long place) {
        this.known = known;
        this.place = place;
    }

    /** Notes the end of the known object, or its return. */
    void conflate(Difference<K, T> next) {
        if (known == null) {
            return;
        }
        Versioned<T> after = next.after();
        boolean isThere = after != null && !known.recreatedAs(after);
        if (isThere || !ended) {
            ended = !isThere;
            cause = next.cause();
            endedAt = next.deletedAt();
        }
        if (isThere) {
            end = null; // another object in between is not worth two more changes
        }
    }

    /** Whether there is nothing to emit, now that the row is in the state after {@code latest}. */
    boolean isClean(Difference<K, T> latest) {
        return latest.endsAt(known) && !(resync && latest.after() != null);
    }

    /** Whether {@code latest} ends an object that the subscriber has not received. */
    boolean isBrief(Difference<K, T> latest) {
        Versioned<T> ending = latest.before();
        return ending != null && DifferenceToChange.isEnd(latest) && (known == null || known.recreatedAs(ending));
    }

    /** Notes such an end. Of several with this key the last one counts. */
    void endsBriefly(Difference<K, T> latest) {
        end = new Difference<>(latest.key(), latest.before(), null, latest.cause(), latest.deletedAt());
    }

    /** Whether the subscriber has received the row. */
    boolean isKnown() {
        return known != null;
    }

    /** The end of the row, if it was there only briefly; the subscriber has received neither its beginning nor its end. */
    @Nullable Difference<K, T> briefEnd() {
        return end;
    }

    /** Emit an update even if the row returns to the known state. */
    void resync() {
        resync = true;
    }

    /** The difference from the known row to {@code now}. */
    Difference<K, T> to(K key, @Nullable Versioned<T> now) {
        return new Difference<>(key, known, now, cause, endedAt);
    }
}
