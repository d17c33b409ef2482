package io.reactiveinformer.spring;

import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.permissions.Permissions;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.Authentication;
import org.springframework.web.server.ResponseStatusException;

/** What users may do, if the application asks for it; and, if it has Spring Security, what the one who is signed in may do. */
@AutoConfiguration(after = ReactiveInformerAutoConfiguration.class)
@ConditionalOnBooleanProperty(PermissionsAutoConfiguration.ENABLED)
@ConditionalOnBean(InformerFactory.class)
final class PermissionsAutoConfiguration {

    static final String ENABLED = ReactiveInformerProperties.PREFIX + ".permissions.enabled";

    @Bean
    @ConditionalOnMissingBean
    Permissions permissions(InformerFactory informers) {
        return Permissions.of(informers);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Authentication.class, ResponseStatusException.class})
    static class OfSpringSecurity {

        /** No mapping by default: whoever can choose a name in the application would have the rights of that name in the cluster. */
        @Bean
        @ConditionalOnMissingBean
        UserRights userRights(Permissions permissions, ObjectProvider<UserRights.Mapping> users) {
            return UserRights.of(permissions, users.getIfAvailable(() -> {
                throw new InformerConfigurationException(
                        "With " + ENABLED + ", the application must say which user of the cluster a user of Spring Security is.",
                        "Define a bean of the type UserRights.Mapping, such as who -> User.of(who.getName(), groups), if the"
                                + " names are those of the cluster; a name that people choose for themselves may be somebody else's there.");
            }));
        }
    }
}
