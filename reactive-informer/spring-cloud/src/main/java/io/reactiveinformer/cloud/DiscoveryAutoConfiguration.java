package io.reactiveinformer.cloud;

import io.kubernetes.client.openapi.models.V1EndpointSlice;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cloud.client.CommonsClientAutoConfiguration;
import org.springframework.cloud.client.ConditionalOnDiscoveryEnabled;
import org.springframework.cloud.client.ConditionalOnReactiveDiscoveryEnabled;
import org.springframework.cloud.client.ReactiveCommonsClientAutoConfiguration;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Configures discovery clients over one informer of EndpointSlices. The informer belongs to the application's factory, which starts and
 * stops it, and shows it in health, endpoint and meters.
 */
@AutoConfiguration(
        afterName = "io.reactiveinformer.spring.ReactiveInformerAutoConfiguration",
        before = {ReactiveCommonsClientAutoConfiguration.class, CommonsClientAutoConfiguration.class})
@ConditionalOnSingleCandidate(InformerFactory.class)
@ConditionalOnDiscoveryEnabled
@ConditionalOnReactiveDiscoveryEnabled
@ConditionalOnProperty(prefix = CloudProperties.PREFIX, name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(CloudProperties.class)
@RegisterReflectionForBinding(ServiceSlice.class)
final class DiscoveryAutoConfiguration {

    @Bean
    ServiceCatalogue serviceCatalogue(
            InformerFactory informers, ObjectProvider<ClusterConfig> cluster, CloudProperties properties, Environment environment) {
        StrictVariables.check(environment);
        Informer<ServiceSlice> slices = informers.of(
                ResourceType.of(V1EndpointSlice.class).as(ServiceSlice.class),
                WatchedNamespaces.of(properties, environment, cluster),
                Selector.labels(ServiceSlice.SERVICE_NAME));
        return new ServiceCatalogue(slices, properties.rules(), properties.firstListTimeout());
    }

    @Bean
    EndpointSliceDiscoveryClient endpointSliceDiscoveryClient(ServiceCatalogue catalogue, CloudProperties properties) {
        return new EndpointSliceDiscoveryClient(catalogue, properties.order());
    }

    @Bean
    @ConditionalOnProperty(name = "spring.cloud.discovery.blocking.enabled", matchIfMissing = true)
    BlockingEndpointSliceDiscoveryClient blockingEndpointSliceDiscoveryClient(ServiceCatalogue catalogue, CloudProperties properties) {
        return new BlockingEndpointSliceDiscoveryClient(catalogue, properties.order());
    }

    @Bean
    Heartbeats serviceHeartbeats(ServiceCatalogue catalogue, ApplicationEventPublisher listeners) {
        return new Heartbeats(catalogue, listeners);
    }
}
