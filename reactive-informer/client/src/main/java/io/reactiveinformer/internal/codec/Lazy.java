package io.reactiveinformer.internal.codec;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes a value on the first call; concurrent callers wait for it. */
public final class Lazy<V> implements Supplier<V> {

    private final Supplier<V> make;
    private volatile @Nullable V made;

    public Lazy(Supplier<V> make) {
        this.make = make;
    }

    @Override
    public V get() {
        V known = made;
        return known == null ? make() : known;
    }

    private synchronized V make() {
        V known = made;
        if (known == null) {
            known = make.get();
            made = known;
        }
        return known;
    }
}
