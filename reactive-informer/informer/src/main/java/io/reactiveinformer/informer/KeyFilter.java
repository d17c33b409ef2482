package io.reactiveinformer.informer;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.source.ListerWatcher;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Decides by key which objects of its namespaces an informer caches. Sources get the decision, so that they need not decode other objects;
 * events of other objects that they emit nevertheless are left out. The predicate must not throw.
 */
final class KeyFilter {

    private volatile @Nullable Predicate<? super ObjectKey> which;

    void only(Predicate<? super ObjectKey> next) {
        which = next;
    }

    boolean has(ObjectKey key) {
        Predicate<? super ObjectKey> now = which;
        return now == null || now.test(key);
    }

    boolean isAll() {
        return which == null;
    }

    <T> ListerWatcher<T> around(ListerWatcher<T> source) {
        return isAll() ? source : new KeepingListerWatcher<>(source, this);
    }

    /** The part of {@code delta} that concerns objects that are kept; null if there is none. */
    <T> @Nullable Delta<T> in(Delta<T> delta) {
        if (isAll()) {
            return delta;
        }
        if (delta instanceof Delta.Replaced<T> list) {
            return new Delta.Replaced<>(list.part(), list.differences().stream().filter(this::concerns).toList(),
                    list.resourceVersion(), list.newEpoch());
        }
        if (concerns(delta)) {
            return delta;
        }
        String version = delta.completeTo();
        return version == null ? null : new Delta.Progressed<>(delta.part(), version);
    }

    private boolean concerns(Delta<?> delta) {
        ObjectKey key = delta.key();
        return key == null || has(key);
    }

    private static final class KeepingListerWatcher<T> extends ListerWatcher.Forwarding<T> {

        private final KeyFilter kept;

        KeepingListerWatcher(ListerWatcher<T> source, KeyFilter kept) {
            super(source);
            this.kept = kept;
        }

        /** Most of the first objects may be unwanted. */
        @Override
        public Identity identity() {
            Identity all = super.identity();
            return new Identity(all.description(), all.part(), all.redefinable(), all.past() == Past.ALL ? Past.ONE : all.past());
        }

        /** One object is listed, kept or not. */
        @Override
        public Flux<ObjectEvent<T>> list(ListOptions options, Reading<T> reading) {
            return super.list(options, options.key() == null ? kept(reading) : reading);
        }

        @Override
        public Flux<ObjectEvent<T>> watch(WatchOptions options, Reading<T> reading) {
            return super.watch(options, kept(reading));
        }

        private Reading<T> kept(Reading<T> reading) {
            return reading.only((key, uid) -> kept.has(key));
        }
    }
}
