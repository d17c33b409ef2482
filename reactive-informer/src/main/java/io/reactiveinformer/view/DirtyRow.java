package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit.Difference;

/** One row as a subscriber knows it, and as it is by now. */
final class DirtyRow<K, T> {

    /** In line: grows from one dirty row to the next. */
    final long place;

    private Difference<K, T> difference;
    private boolean resync;

    DirtyRow(Difference<K, T> difference, long place) {
        this.difference = difference;
        this.place = place;
    }

    Difference<K, T> difference() {
        return difference;
    }

    void fold(Difference<K, T> next) {
        difference = difference.then(next);
    }

    /** Is to be told even if it goes back to what the subscriber knows. */
    void resync() {
        resync = true;
    }

    boolean isClean() {
        return difference.isNothing() && !(resync && difference.after() != null);
    }
}
