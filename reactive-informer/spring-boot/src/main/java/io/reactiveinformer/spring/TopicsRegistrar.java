package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import java.util.Map;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** Defines a bean of the type {@code Informer<T>} for each topic that properties declare, so that it can be injected by that type. */
final class TopicsRegistrar implements ImportBeanDefinitionRegistrar {

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
