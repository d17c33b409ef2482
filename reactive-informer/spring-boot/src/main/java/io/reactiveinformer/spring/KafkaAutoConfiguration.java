package io.reactiveinformer.spring;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.reactiveinformer.kafka.KafkaViews;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An informer for each topic of {@link KafkaProperties#views}. Needs no cluster. */
@AutoConfiguration(before = ReactiveInformerAutoConfiguration.class)
@ConditionalOnClass(KafkaViews.class)
@Import(TopicsRegistrar.class)
final class KafkaAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(prefix = KafkaProperties.PREFIX, name = "bootstrap-servers")
    @EnableConfigurationProperties(KafkaProperties.class)
    @Import(LifecycleConfiguration.class)
    static class Topics {

        @Bean
        @ConditionalOnMissingBean
        DeclaredTopics declaredTopics(KafkaProperties properties, BeanFactory beans) {
            return new DeclaredTopics(properties, beans);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(prefix = KafkaProperties.PREFIX, name = "bootstrap-servers")
    @ConditionalOnClass(MeterBinder.class)
    static class Meters {

        @Bean
        MeterBinder topicLags(DeclaredTopics topics) {
            return registry -> topics.lags().forEach((informer, lag) -> Gauge.builder("informer.kafka.lag", lag, AtomicLong::doubleValue)
                    .description("Records of the topic that the view has yet to read")
                    .tag("informer", informer)
                    .register(registry));
        }
    }
}
