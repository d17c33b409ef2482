package io.reactiveinformer.spring;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.autoconfigure.info.InfoContributorFallback;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Informers in the actuator's info. Disabled by default: info is often shown to more people than health is, and the informers name
 * namespaces.
 */
@AutoConfiguration(after = ReactiveInformerAutoConfiguration.class)
@ConditionalOnClass({InfoContributor.class, ConditionalOnEnabledInfoContributor.class})
@Conditional(InformersPresent.class)
@ConditionalOnEnabledInfoContributor(value = InformersInfoContributor.NAME, fallback = InfoContributorFallback.DISABLE)
final class InformersInfoAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = InformersInfoContributor.NAME + "InfoContributor")
    InfoContributor informersInfoContributor(ListableBeanFactory beans) {
        return new InformersInfoContributor(Factories.of(beans));
    }
}
