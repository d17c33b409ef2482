package io.reactiveinformer.spring.test;

import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.spring.KubernetesConnectionDetails;
import io.reactiveinformer.test.FakeApiServer;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Connects the application to a {@link FakeApiServer} that is a bean, and starts that if it is not started yet. */
@AutoConfiguration(beforeName = "io.reactiveinformer.spring.ReactiveInformerAutoConfiguration")
@ConditionalOnClass(FakeApiServer.class)
@ConditionalOnBean(FakeApiServer.class)
final class FakeApiServerAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    KubernetesConnectionDetails fakeApiServerConnection(FakeApiServer server) {
        return () -> ClusterConfig.of(server.start().url());
    }
}
