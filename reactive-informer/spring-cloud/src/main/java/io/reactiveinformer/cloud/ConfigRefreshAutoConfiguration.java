package io.reactiveinformer.cloud;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cloud.autoconfigure.RefreshAutoConfiguration;
import org.springframework.cloud.context.refresh.ContextRefresher;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import reactor.core.scheduler.Schedulers;

/** Refreshes an application that imports ConfigMaps or Secrets, unless {@code spring.cloud.refresh.enabled} is false. */
@AutoConfiguration(after = RefreshAutoConfiguration.class)
@ConditionalOnBean({WatchedConfig.class, ContextRefresher.class})
@EnableConfigurationProperties(CloudProperties.class)
final class ConfigRefreshAutoConfiguration {

    @Bean
    ConfigRefresh configRefresh(WatchedConfig config, ContextRefresher refresher, CloudProperties properties, Environment environment) {
        StrictVariables.check(environment);
        return new ConfigRefresh(config, refresher, properties.refreshDelay(), Schedulers.boundedElastic());
    }
}
