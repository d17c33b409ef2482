package io.reactiveinformer.informer;

import reactor.core.Disposable;

/** An informer, for as long as it is needed. Disposing of the last lease stops it after a grace time, unless it is asked for again. */
public interface InformerLease<T> extends Disposable {

    Informer<T> informer();
}
