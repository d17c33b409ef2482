package io.reactiveinformer.spring;

import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.dashboard.Dashboard;
import io.reactiveinformer.informer.Informer;
import java.util.Optional;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
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
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** The actuator endpoint {@code informers}, if it is exposed, and its page, if that is enabled. */
@AutoConfiguration(after = ReactiveInformerAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@Conditional(InformersPresent.class)
@ConditionalOnAvailableEndpoint(InformersEndpoint.class)
final class InformersEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    InformersEndpoint informersEndpoint(ListableBeanFactory beans, ObjectProvider<InformersEndpoint.Described> operators) {
        InformersEndpoint.Described described = operators.getIfAvailable();
        return new InformersEndpoint(InformerFactories.of(beans), described == null ? Mono.empty() : described.operators());
    }

    /** In an application that has {@code reactive-informer-operator}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Controller.class)
    static class OfOperators {

        @Bean
        InformersEndpoint.Described informersEndpointOperators(ListableBeanFactory beans) {
            return new OperatorBeans(beans)::described;
        }
    }

    /** Events are streamed by WebFlux only. */
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnBooleanProperty("management.endpoint.informers.ui.enabled")
    InformersPage informersPage(
            ListableBeanFactory beans, ApplicationContext context, @Value("${spring.application.name:application}") String name) {
        InformerFactories informers = InformerFactories.of(beans);
        return new InformersPage(Dashboard.of(name, () -> informers.<Optional<Informer<?>>>each(Optional::of, unread -> Optional.empty())
                .stream().flatMap(Optional::stream).toList()).withOptional(informers::optional), context);
    }
}
