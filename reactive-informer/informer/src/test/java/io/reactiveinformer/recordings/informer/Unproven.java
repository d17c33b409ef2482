package io.reactiveinformer.recordings.informer;

import io.reactiveinformer.source.ListerWatcher;

/** Asks for no proof after a broken watch: what was recorded has no answer to that. */
final class Unproven<T> extends ListerWatcher.Forwarding<T> {

    Unproven(ListerWatcher<T> source) {
        super(source);
    }

    @Override
    public Identity identity() {
        Identity all = super.identity();
        return new Identity(all.description(), all.part(), all.redefinable(), Past.NONE);
    }
}
