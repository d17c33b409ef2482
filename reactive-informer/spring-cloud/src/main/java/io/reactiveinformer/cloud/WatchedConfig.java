package io.reactiveinformer.cloud;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.cloud.ConfigKind.Entries;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.view.Delivery;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import reactor.core.Disposable;
import reactor.core.Disposables;

/**
 * The ConfigMaps and Secrets that properties are read from: an informer of each object, which receives nothing else. They have a client of
 * their own, since the application's beans do not exist when it is needed. Lives from the first import to the end of the application.
 */
final class WatchedConfig implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WatchedConfig.class);

    private final KubernetesClient client;
    private final InformerFactory informers;
    private final String namespace;
    private final Duration patience;
    private final long startDeadline;
    private final Map<String, ConfigSource> sources = new ConcurrentHashMap<>();
    private volatile @Nullable Runnable listener;
    private final AtomicInteger generation = new AtomicInteger(); // counts refreshes

    /**
     * @param namespace of locations that name none
     * @param patience longest time from now that the start waits for first lists, in total; later, each new import waits for so long from
     *     its beginning
     */
    WatchedConfig(ClusterConfig cluster, String namespace, Duration patience) {
        this.client = KubernetesClient.create(cluster);
        this.informers = InformerFactory.create(client, ReflectorOptions.defaults(), Duration.ZERO);
        this.namespace = namespace;
        this.patience = patience;
        this.startDeadline = System.nanoTime() + patience.toNanos();
        informers.start();
    }

    String namespace() {
        return namespace;
    }

    /**
     * The same instance for the same object and file, until a refresh does not import it. Its informer begins at once; nothing waits for it
     * here. If several imports of one refresh, or of the start, name it, it is optional only if all of them say so.
     *
     * @param optional whether the application starts although the object cannot be read in time
     * @param absentIsFine whether an object that does not exist has no properties
     */
    ConfigSource source(ConfigKind kind, ObjectKey key, String file, boolean optional, boolean absentIsFine) {
        ConfigSource source = sources.computeIfAbsent(kind + "/" + key + "/" + file, absent -> watched(kind, key, file));
        source.importedBy(generation.get(), optional, absentIsFine);
        return source;
    }

    private ConfigSource watched(ConfigKind kind, ObjectKey key, String file) {
        InformerFactory.Handle<Entries> lease = informers.lease(InformerSpec.of(kind.type())
                .withNamespaces(Namespaces.of(String.valueOf(key.namespace())))
                .withSelector(Selector.fields("metadata.name=" + key.name())));
        Disposable changes = lease.informer().changes(Delivery.conflated().brief().named("properties of " + key)).subscribe(
                change -> changed(), failure -> LOG.warn("no further changes of {} {}", kind, key, failure));
        long deadline = listener == null ? startDeadline : System.nanoTime() + patience.toNanos();
        return new ConfigSource(kind, key, file, lease.informer(), deadline, Disposables.composite(changes, lease));
    }

    private void changed() {
        Runnable current = listener;
        if (current != null) {
            current.run();
        }
    }

    /** Calls {@code changed} after each change of an object from now on, on threads that must not be blocked. */
    void onChange(Runnable changed) {
        listener = changed;
    }

    /** Those that are watched. */
    Collection<ConfigSource> sources() {
        return sources.values();
    }

    /** The sources that differ from what was loaded last. */
    List<ConfigSource> stale() {
        return sources().stream().filter(ConfigSource::isStale).toList();
    }

    /** Imports from now on belong to a new refresh. */
    void beginRefresh() {
        generation.incrementAndGet();
    }

    /** Stops watching for each source that was not imported since the last {@link #beginRefresh}. */
    void dropUnused() {
        sources.forEach((name, source) -> {
            if (source.generation() != generation.get()) {
                sources.remove(name);
                source.end();
            }
        });
    }

    /** Makes this a bean, which ends with the application. */
    void register(ConfigurableListableBeanFactory beans) {
        beans.registerSingleton("watchedConfig", this);
        ((DefaultSingletonBeanRegistry) beans).registerDisposableBean("watchedConfig", this::close);
    }

    @Override
    public void close() {
        informers.close();
        client.close();
    }
}
