package io.reactiveinformer.informer;

import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.store.Lister;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns of reads in a namespace that its informer does not watch: what is there looks absent. */
final class WatchedLister<T> implements Lister<T> {

    private static final Logger LOG = LoggerFactory.getLogger(Informer.class);

    private final Lister<T> lister;
    private final @Nullable String namespace;
    private final Reads reads;

    WatchedLister(Lister<T> lister, Reads reads) {
        this(lister, null, reads);
    }

    private WatchedLister(Lister<T> lister, @Nullable String namespace, Reads reads) {
        this.lister = lister;
        this.namespace = namespace;
        this.reads = reads;
    }

    /** The namespaces of which no warning is due: it was given, or they are watched, or were, as readers may lag behind a resize. */
    static final class Reads {

        /** Callers may read each namespace that their own callers name. */
        private static final int MOST_WARNINGS = 16;

        private final String description;
        private final Set<String> expected = ConcurrentHashMap.newKeySet();
        private final AtomicInteger warnings = new AtomicInteger(MOST_WARNINGS);

        Reads(String description, Namespaces watched) {
            this.description = description;
            watched(watched);
        }

        void watched(Namespaces namespaces) {
            expected.addAll(namespaces.names());
        }

        void of(@Nullable String namespace) {
            if (namespace != null && !expected.contains(namespace) && warnings.get() > 0 && expected.add(namespace)) {
                warnings.decrementAndGet();
                LOG.warn("{}: namespace {} is read, which this informer does not watch: what is there looks absent. Use an informer of"
                        + " that namespace", description, namespace);
            }
        }
    }

    private Lister<T> read() {
        reads.of(namespace);
        return lister;
    }

    @Override
    public Lister<T> inNamespace(String narrower) {
        return new WatchedLister<>(lister.inNamespace(narrower), narrower, reads);
    }

    @Override
    public <V> Lister<T> by(Index<T, V> index, V value) {
        return new WatchedLister<>(lister.by(index, value), namespace, reads);
    }

    @Override
    public Optional<T> get(ObjectKey key) {
        reads.of(key.namespace());
        return read().get(key);
    }

    @Override
    public List<T> list() {
        return read().list();
    }

    @Override
    public List<T> list(Selector selector) {
        return read().list(selector);
    }

    @Override
    public List<T> list(Predicate<? super T> predicate) {
        return read().list(predicate);
    }

    @Override
    public List<ObjectKey> keys() {
        return read().keys();
    }

    @Override
    public int count() {
        return read().count();
    }
}
