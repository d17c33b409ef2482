package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;

/** An informer factory is a bean, or an informer. */
final class InformersPresent extends AnyNestedCondition {

    InformersPresent() {
        super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnBean(InformerFactory.class)
    static final class OfFactory {}

    @ConditionalOnBean(Informer.class)
    static final class OfInformer {}
}
