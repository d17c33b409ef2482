package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import org.jspecify.annotations.Nullable;

/** What the laws say that one subscriber hears next, in plain and slow code. */
interface Model<K, T> {

    /** First: the rows that commits start from. */
    void begin(Snapshot<K, T> rows);

    void file(Commit<K, T> commit);

    /** Its period is over. */
    void resync();

    /** What must come now, if there is demand; it then counts as told. Null if nothing must. */
    @Nullable Change<K, T> next();

    /** Law 6. */
    long backlog();

    /** Law 10: whether more waits than it may. */
    boolean overflowed();
}
