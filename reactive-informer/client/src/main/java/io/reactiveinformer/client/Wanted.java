package io.reactiveinformer.client;

import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.resource.Versioned;
import org.jspecify.annotations.Nullable;

/**
 * The known states, and which objects are wanted. Shards are checked here, whether or not the server selects by them: of a cluster's
 * several API servers, one may support them and another one not.
 *
 * @param shards null for all
 */
record Wanted<T>(Known<T> known, Selector.@Nullable Shards shards) implements ObjectCodec.Lookup<T> {

    @Override
    public @Nullable Versioned<T> find(ObjectKey key) {
        return known.find(key);
    }

    @Override
    public boolean wants(ObjectKey key, @Nullable String uid) {
        return known.wants(key) && (shards == null || shards.matches(key.namespace(), uid));
    }

    @Override
    public boolean selects() {
        return shards != null || known.selects();
    }

    @Override
    public boolean shares() {
        return known.shares();
    }
}
