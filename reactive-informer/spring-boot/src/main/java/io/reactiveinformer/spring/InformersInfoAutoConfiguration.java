package io.reactiveinformer.spring;

import io.reactiveinformer.informer.InformerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.autoconfigure.info.InfoContributorFallback;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Informers in the actuator's info. Disabled by default: info is often shown to more people than health is, and the informers name
 * namespaces.
 */
@AutoConfiguration(after = ReactiveInformerAutoConfiguration.class)
@ConditionalOnClass({InfoContributor.class, ConditionalOnEnabledInfoContributor.class})
@ConditionalOnBean(InformerFactory.class)
@ConditionalOnEnabledInfoContributor(value = InformersInfoContributor.NAME, fallback = InfoContributorFallback.DISABLE)
final class InformersInfoAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = InformersInfoContributor.NAME + "InfoContributor")
    InfoContributor informersInfoContributor(ObjectProvider<InformerFactory> informers, ObjectProvider<DeclaredInformers> declared) {
        return new InformersInfoContributor(new Factories(informers, declared));
    }
}
