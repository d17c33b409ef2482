package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;

/**
 * For native images: registers reflection hints for the class of each informer's objects and the classes of its properties, and for no
 * others.
 */
final class InformerAotProcessor implements BeanRegistrationAotProcessor {

    /** An attribute of a bean definition: the class that the properties name, which is not that of the objects if these are projected. */
    static final String TYPE = InformerAotProcessor.class.getName() + ".type";

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = bean.getBeanType().as(Informer.class).getGeneric(0).resolve();
        return type == null || type == Object.class
                ? null
                : (generation, code) -> {
                    ReflectionHints reflection = generation.getRuntimeHints().reflection();
                    new BindingReflectionHintsRegistrar().registerReflectionHints(reflection, type);
                    if (bean.getMergedBeanDefinition().getAttribute(TYPE) instanceof Class<?> named) {
                        reflection.registerType(named); // found by its name
                    }
                };
    }
}
