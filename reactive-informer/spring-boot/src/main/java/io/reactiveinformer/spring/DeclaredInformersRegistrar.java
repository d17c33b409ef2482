package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.spring.ReactiveInformerProperties.Declared;
import java.util.Map;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** Defines a bean of the type {@code Informer<T>} for each informer that properties declare, so that it can be injected by that type. */
final class DeclaredInformersRegistrar implements ImportBeanDefinitionRegistrar {

    private final Environment environment;

    DeclaredInformersRegistrar(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        StrictNames.check(environment);
        Binder.get(environment)
                .bind(ReactiveInformerProperties.PREFIX + ".informers", Bindable.mapOf(String.class, Declared.class))
                .orElse(Map.of())
                .forEach((name, declared) -> register(name, declared, registry));
    }

    private static void register(String name, Declared declared, BeanDefinitionRegistry registry) {
        String bean = DeclaredInformers.beanOf(name);
        if (registry.containsBeanDefinition(bean)) {
            return; // the application has its own
        }
        var definition = new RootBeanDefinition();
        definition.setTargetType(ResolvableType.forClassWithGenerics(Informer.class, DeclaredType.of(name, declared).objectClass()));
        definition.setFactoryBeanName("declaredInformers");
        definition.setFactoryMethodName(DeclaredInformers.METHOD);
        definition.setAttribute(InformerAotProcessor.TYPE, DeclaredType.classOf(name, declared));
        definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
        registry.registerBeanDefinition(bean, definition);
    }
}
