package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;

/** In a native image: has the class of each informer's objects, and all that it is made of, be read and written by reflection. Of no other classes. */
final class InformerAotProcessor implements BeanRegistrationAotProcessor {

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = bean.getBeanType().as(Informer.class).getGeneric(0).resolve();
        return type == null || type == Object.class
                ? null
                : (generation, code) -> new BindingReflectionHintsRegistrar().registerReflectionHints(generation.getRuntimeHints().reflection(), type);
    }
}
