package io.reactiveinformer.spring;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.kafka.KafkaViews;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** An informer for each topic of {@link KafkaProperties#views}. Needs no cluster. */
@AutoConfiguration(before = ReactiveInformerAutoConfiguration.class)
@ConditionalOnClass(KafkaViews.class)
@Import(KafkaAutoConfiguration.TopicsRegistrar.class)
final class KafkaAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(prefix = KafkaProperties.PREFIX, name = "bootstrap-servers")
    @EnableConfigurationProperties(KafkaProperties.class)
    @Import(Lifecycles.class)
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

    /** Defines a bean of the type {@code Informer<T>} for each topic that properties declare, so that it can be injected by that type. */
    static final class TopicsRegistrar implements ImportBeanDefinitionRegistrar {

        private final Environment environment;

        TopicsRegistrar(Environment environment) {
            this.environment = environment;
        }

        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            StrictNames.check(environment);
            Map<String, KafkaProperties.Topic> views = Binder.get(environment)
                    .bind(KafkaProperties.PREFIX + ".views", Bindable.mapOf(String.class, KafkaProperties.Topic.class))
                    .orElse(Map.of());
            if (!views.isEmpty() && environment.getProperty(KafkaProperties.PREFIX + ".bootstrap-servers", "").isBlank()) {
                throw new InformerConfigurationException(KafkaProperties.PREFIX + ".bootstrap-servers is missing",
                        "Set it to addresses of brokers, such as broker-0:9092,broker-1:9092.");
            }
            views.forEach((name, topic) -> register(name, topic, registry));
        }

        private static void register(String name, KafkaProperties.Topic topic, BeanDefinitionRegistry registry) {
            String bean = name + "View";
            if (registry.containsBeanDefinition(bean)) {
                return; // the application has its own
            }
            var definition = new RootBeanDefinition();
            definition.setTargetType(ResolvableType.forClassWithGenerics(Informer.class, DeclaredTopics.rowsOf(name, topic)));
            definition.setFactoryBeanName("declaredTopics");
            definition.setFactoryMethodName(DeclaredTopics.METHOD);
            definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
            registry.registerBeanDefinition(bean, definition);
        }
    }
}
