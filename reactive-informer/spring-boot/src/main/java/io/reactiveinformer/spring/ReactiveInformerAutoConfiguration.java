package io.reactiveinformer.spring;

import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.RequestObserver;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.warmstart.WarmStartStorage;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * Configures a {@link KubernetesClient}, an {@link InformerFactory}, and an {@code Informer<T>} for each entry of
 * {@link ReactiveInformerProperties#informers}. A bean of the application replaces each of them.
 */
@AutoConfiguration
@ConditionalOnProperty(prefix = ReactiveInformerProperties.PREFIX, name = "enabled", matchIfMissing = true)
@Import({DeclaredInformers.Registrar.class, Lifecycles.class})
final class ReactiveInformerAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ClusterConfig kubernetesCluster(ReactiveInformerProperties properties, ObjectProvider<KubernetesConnectionDetails> connection) {
        KubernetesConnectionDetails details = connection.getIfAvailable();
        return details == null ? ConfiguredCluster.of(properties) : details.cluster();
    }

    @Bean
    @ConditionalOnMissingBean
    ClientOptions kubernetesClientOptions(ObjectProvider<RequestObserver> observers) {
        return ClientOptions.defaults().withObserver(observers.orderedStream().reduce(RequestObserver.NONE, RequestObserver::and));
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    KubernetesClient kubernetesClient(ClusterConfig cluster, ClientOptions options) {
        return KubernetesClient.create(cluster, options);
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    InformerFactory informerFactory(
            KubernetesClient client, ReactiveInformerProperties properties, ObjectProvider<WarmStartStorage> storage,
            ObjectProvider<InformerFactories.Metering> metering) {
        ReflectorOptions options = ReflectorOptions.defaults().withStreaming(properties.streamingLists());
        WarmStartStorage snapshots = snapshots(storage, properties);
        InformerFactory factory = snapshots == null
                ? InformerFactory.create(client, options)
                : InformerFactory.create(client, options, InformerFactory.GRACE, snapshots);
        return metering.stream().reduce(factory, (informers, meters) -> meters.apply(informers), (one, other) -> other);
    }

    /** The bean of the application, else the directory of the properties. No bean of ours: a native image reads properties when it runs. */
    private static @Nullable WarmStartStorage snapshots(
            ObjectProvider<WarmStartStorage> storage, ReactiveInformerProperties properties) {
        WarmStartStorage own = storage.getIfAvailable();
        Path directory = properties.snapshots();
        return own != null || directory == null ? own : WarmStartStorage.inDirectory(directory);
    }

    @Bean
    @ConditionalOnMissingBean
    DeclaredInformers declaredInformers(
            ObjectProvider<InformerFactory> informers, ReactiveInformerProperties properties, ObjectProvider<WarmStartStorage> storage,
            Environment environment) {
        StrictNames.check(environment); // the registrar did so too, if this application was not processed ahead of time
        return new DeclaredInformers(informers, properties, snapshots(storage, properties));
    }
}
