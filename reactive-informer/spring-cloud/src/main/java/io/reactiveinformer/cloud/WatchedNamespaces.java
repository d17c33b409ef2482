package io.reactiveinformer.cloud;

import io.reactiveinformer.config.Cluster;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.config.ConfigException;
import io.reactiveinformer.resource.Namespaces;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import reactor.core.scheduler.Schedulers;

/** The namespaces whose services are found: as properties say, else that of the kubeconfig's context or the pod's service account. */
final class WatchedNamespaces {

    private static final String INSTEAD = "Set " + CloudProperties.PREFIX + ".namespaces or " + CloudProperties.PREFIX + ".all-namespaces.";

    /** Files only are read, so that more means a file system that hangs. */
    private static final Duration READING = Duration.ofSeconds(30);

    private WatchedNamespaces() {}

    /**
     * Reads the cluster's configuration only if no property names a namespace.
     *
     * @throws IllegalStateException if the own namespace is needed, and cannot be read
     */
    static Namespaces of(CloudProperties properties, Environment environment, ObjectProvider<ClusterConfig> cluster) {
        if (properties.allNamespaces()) {
            return Namespaces.all();
        }
        if (!properties.namespaces().isEmpty()) {
            return Namespaces.of(properties.namespaces());
        }
        List<String> ofAllInformers = Binder.get(environment)
                .bind("reactive-informer.namespaces", Bindable.listOf(String.class)).orElse(List.of());
        return ofAllInformers.isEmpty() ? Namespaces.of(own(cluster.getIfUnique())) : Namespaces.of(ofAllInformers);
    }

    private static String own(@Nullable ClusterConfig cluster) {
        if (cluster == null) {
            throw new IllegalStateException("cannot read the own namespace, since there is not exactly one ClusterConfig bean. " + INSTEAD);
        }
        if (Schedulers.isInNonBlockingThread()) {
            throw new IllegalStateException("cannot read the own namespace on the thread " + Thread.currentThread().getName()
                    + ", which must not block. " + INSTEAD);
        }
        try {
            return cluster.cluster().map(Cluster::namespace).blockOptional(READING).orElseThrow();
        } catch (ConfigException unreadable) {
            throw new IllegalStateException("cannot read the own namespace: " + unreadable.getMessage() + ". " + INSTEAD, unreadable);
        }
    }
}
