package io.reactiveinformer.spring;

import io.reactiveinformer.json.InformerModule;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Has Boot's mappers write what informers tell: they take every bean that is a Jackson module. */
@AutoConfiguration
@ConditionalOnProperty(prefix = ReactiveInformerProperties.PREFIX, name = "enabled", matchIfMissing = true)
public final class InformerJsonAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    InformerModule informerJacksonModule() {
        return new InformerModule();
    }
}
