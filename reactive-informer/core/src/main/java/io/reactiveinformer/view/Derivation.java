package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/**
 * How the rows of a view follow from those it is derived from. Has the state of one connection: from the first who uses the view until the
 * last. Used by one thread at a time.
 */
interface Derivation<K, R> {

    /** Begins to take in what changes; disposing the result ends that. */
    Disposable attach();

    /** Works on what was taken in meanwhile; null if there is nothing new. */
    @Nullable Commit<K, R> derive(Table<K, R> table);

    /** Calls the user's functions. */
    RowFunction functions();

    /** Where the changes come in. */
    List<Inlet<?, ?>> inlets();
}
