package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the laws say that one subscriber receives next, in plain and slow code. What changed waits in a line; a resync marks rows as due, in
 * no order, and the two take turns.
 */
abstract class Model<K, T> {

    /** Law 11: to be emitted again, though nothing of them waits in line. */
    final Set<K> due = new HashSet<>();

    private int ofLine; // since one that was due, while others were
    private int ofDue; // since one of the line, while others waited

    /** First: the rows that commits start from. */
    abstract void begin(Snapshot<K, T> rows);

    abstract void file(Commit<K, T> commit);

    /** Its period is over. */
    abstract void resync();

    /** What must come of the line, which then counts as received. Null if nothing must. */
    abstract @Nullable Change<K, T> next();

    /** What comes again of a row that is due. */
    abstract Change<K, T> again(K key);

    /** How much waits in line. */
    abstract long waiting();

    /** Law 10: whether more waits than it may. */
    abstract boolean overflowed();

    /** Received. */
    void take(Change<K, T> change) {
        if (change instanceof Change.Updated<K, T> updated && due.remove(updated.key())) {
            assertThat(change).isEqualTo(again(updated.key()));
            ofLine = 0;
            ofDue = waiting() == 0 ? 0 : ofDue + 1;
        } else {
            assertThat(change).isEqualTo(next());
            ofDue = 0;
            ofLine = due.isEmpty() ? 0 : ofLine + 1;
        }
        assertThat(ofLine).as("what is due starves").isLessThanOrEqualTo(1);
        assertThat(ofDue).as("what changed starves").isLessThanOrEqualTo(1);
    }

    /** Law 6. */
    long backlog() {
        return waiting() + due.size();
    }
}
