package io.reactiveinformer.spring;

import io.reactiveinformer.json.InformerModule;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Makes Boot's mappers write changes, snapshots and statuses of informers: they use every bean that is a Jackson module. */
@AutoConfiguration
@ConditionalOnProperty(prefix = ReactiveInformerProperties.PREFIX, name = "enabled", matchIfMissing = true)
final class InformerJsonAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    InformerModule informerJacksonModule() {
        return new InformerModule();
    }
}
