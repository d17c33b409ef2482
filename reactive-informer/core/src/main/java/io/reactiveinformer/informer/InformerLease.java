package io.reactiveinformer.informer;

import reactor.core.Disposable;

/**
 * An informer, for as long as it is needed. Disposing of the last lease stops it after a grace time, unless it is asked for again.
 * Disposing of a lease twice has no further effect.
 */
public interface InformerLease<T> extends Disposable {

    /** The leased informer; the same each time. Not to be used after this is disposed of, since it may be stopped then. */
    Informer<T> informer();
}
