package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.store.Snapshot;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.autoconfigure.info.InfoContributorFallback;
import org.springframework.boot.actuate.info.Info;
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
@ConditionalOnEnabledInfoContributor(value = InformersInfoAutoConfiguration.InformersInfoContributor.NAME,
        fallback = InfoContributorFallback.DISABLE)
final class InformersInfoAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = InformersInfoContributor.NAME + "InfoContributor")
    InfoContributor informersInfoContributor(ListableBeanFactory beans) {
        return new InformersInfoContributor(InformerFactories.of(beans));
    }

    /** A summary of the informers: how many objects each has, and whether these are complete. */
    static final class InformersInfoContributor implements InfoContributor {

        static final String NAME = "informers";

        private final InformerFactories informers;

        InformersInfoContributor(InformerFactories informers) {
            this.informers = informers;
        }

        @Override
        public void contribute(Info.Builder builder) {
            builder.withDetail(NAME, informers.each(
                    InformersInfoContributor::summary,
                    unread -> Map.<String, Object>of("description", unread.name(), "cause", unread.why())));
        }

        private static Map<String, Object> summary(Informer<?> informer) {
            Snapshot<?, ?> rows = informer.snapshot();
            return Map.of("description", informer.description(), "objects", rows.size(), "complete", rows.complete());
        }
    }
}
