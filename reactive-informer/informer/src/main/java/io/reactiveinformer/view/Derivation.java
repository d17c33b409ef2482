package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/** Computes the rows of a view from those of its sources. Keeps the state of one {@link Connection}. Used by one thread at a time. */
interface Derivation<K, R> {

    /** Starts receiving changes; disposing of the result stops that. */
    Disposable attach();

    /** Processes the changes received since the last call; null if there are none. */
    @Nullable Commit<K, R> derive(Table<K, R> table);

    /** Guards the calls of user functions. */
    RowFunction functions();

    /** The inlets, which receive the changes of the sources. */
    List<Inlet<?, ?>> inlets();
}
