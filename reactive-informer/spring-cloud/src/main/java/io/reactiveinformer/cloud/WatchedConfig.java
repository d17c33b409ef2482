package io.reactiveinformer.cloud;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.cloud.ConfigKind.Entries;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.view.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
    private final Map<String, ConfigSource> sources = new ConcurrentHashMap<>();
    private volatile Runnable listener = () -> {};

    /**
     * @param namespace of locations that name none
     * @param patience longest wait for the first list of an object
     */
    WatchedConfig(ClusterConfig cluster, String namespace, Duration patience) {
        this.client = KubernetesClient.create(cluster);
        this.informers = InformerFactory.create(client);
        this.namespace = namespace;
        this.patience = patience;
        informers.start();
    }

    String namespace() {
        return namespace;
    }

    /**
     * The same instance for the same object and file. Its informer begins at once; nothing waits for it here.
     *
     * @param optional whether the application starts although the object cannot be read in time
     * @param absentIsFine whether an object that does not exist has no properties
     */
    ConfigSource source(ConfigKind kind, ObjectKey key, String file, boolean optional, boolean absentIsFine) {
        return sources.computeIfAbsent(kind + "/" + key + "/" + file, absent -> {
            Informer<Entries> informer = informers.of(
                    kind.type(), Namespaces.of(String.valueOf(key.namespace())), Selector.fields("metadata.name=" + key.name()));
            informer.changes(Delivery.conflated().brief().named("properties of " + key)).subscribe(
                    change -> listener.run(), failure -> LOG.warn("no further changes of {} {}", kind, key, failure));
            return new ConfigSource(kind, key, file, informer, patience, optional, absentIsFine);
        });
    }

    /** Calls {@code changed} after each change of an object from now on, on threads that must not be blocked. */
    void onChange(Runnable changed) {
        listener = changed;
    }

    /** The sources that differ from what was loaded last. */
    List<ConfigSource> stale() {
        return sources.values().stream().filter(ConfigSource::isStale).toList();
    }

    @Override
    public void close() {
        informers.close();
        client.close();
    }
}
