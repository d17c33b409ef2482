package io.reactiveinformer.spring;

import io.reactiveinformer.dashboard.Dashboard;
import io.reactiveinformer.informer.Informer;
import java.util.Optional;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;

/** The actuator endpoint {@code informers}, if it is exposed, and its page, if that is enabled. */
@AutoConfiguration(after = ReactiveInformerAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@Conditional(InformersPresent.class)
@ConditionalOnAvailableEndpoint(InformersEndpoint.class)
final class InformersEndpointAutoConfiguration {

    private static final boolean HAS_OPERATORS = ClassUtils.isPresent(
            "io.reactiveinformer.controller.Controller", InformersEndpointAutoConfiguration.class.getClassLoader());

    @Bean
    @ConditionalOnMissingBean
    InformersEndpoint informersEndpoint(ListableBeanFactory beans) {
        return new InformersEndpoint(Factories.of(beans), HAS_OPERATORS ? new Operators(beans).described() : Mono.empty());
    }

    /** Events are streamed by WebFlux only. */
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnBooleanProperty("management.endpoint.informers.ui.enabled")
    InformersPage informersPage(
            ListableBeanFactory beans, ApplicationContext context, @Value("${spring.application.name:application}") String name) {
        Factories informers = Factories.of(beans);
        return new InformersPage(Dashboard.of(name, () -> informers.<Optional<Informer<?>>>each(Optional::of, unread -> Optional.empty())
                .stream().flatMap(Optional::stream).toList()).withOptional(informers::optional), context);
    }
}
