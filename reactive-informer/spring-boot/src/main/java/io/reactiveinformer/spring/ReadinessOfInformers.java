package io.reactiveinformer.spring;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.AdditionalPathsMapper;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.health.actuate.endpoint.AdditionalHealthEndpointPath;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroup;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroupsPostProcessor;
import org.springframework.boot.health.actuate.endpoint.HttpCodeStatusMapper;
import org.springframework.boot.health.actuate.endpoint.StatusAggregator;
import org.springframework.core.env.Environment;

/**
 * Adds the informers to the health group {@code readiness}, if there is one and properties do not set its members: traffic comes once there
 * is something to serve. The group {@code liveness} is not changed.
 */
final class ReadinessOfInformers implements HealthEndpointGroupsPostProcessor {

    private static final String READINESS = "readiness";
    private static final String MEMBERS = "management.endpoint.health.group." + READINESS;

    private final Environment environment;

    ReadinessOfInformers(Environment environment) {
        this.environment = environment;
    }

    @Override
    public HealthEndpointGroups postProcessHealthEndpointGroups(HealthEndpointGroups groups) {
        return groups.getNames().contains(READINESS) && !said("include") && !said("exclude") ? new Groups(groups) : groups;
    }

    private boolean said(String property) {
        return Binder.get(environment).bind(MEMBERS + "." + property, Bindable.setOf(String.class)).isBound();
    }

    /** Passes on additional paths of the groups, such as {@code /readyz}, which Spring Security needs. */
    private record Groups(HealthEndpointGroups groups) implements HealthEndpointGroups, AdditionalPathsMapper {

        @Override
        public HealthEndpointGroup getPrimary() {
            return groups.getPrimary();
        }

        @Override
        public Set<String> getNames() {
            return groups.getNames();
        }

        @Override
        public @Nullable HealthEndpointGroup get(String name) {
            HealthEndpointGroup group = groups.get(name);
            return group != null && name.equals(READINESS) ? new WithInformers(group) : group;
        }

        @Override
        public @Nullable List<String> getAdditionalPaths(EndpointId endpoint, WebServerNamespace server) {
            return groups instanceof AdditionalPathsMapper mapper ? mapper.getAdditionalPaths(endpoint, server) : List.of();
        }
    }

    private record WithInformers(HealthEndpointGroup group) implements HealthEndpointGroup {

        @Override
        public boolean isMember(String name) {
            return name.equals(InformersHealthIndicator.NAME) || group.isMember(name);
        }

        @Override
        public boolean showComponents(SecurityContext securityContext) {
            return group.showComponents(securityContext);
        }

        @Override
        public boolean showDetails(SecurityContext securityContext) {
            return group.showDetails(securityContext);
        }

        @Override
        public StatusAggregator getStatusAggregator() {
            return group.getStatusAggregator();
        }

        @Override
        public HttpCodeStatusMapper getHttpCodeStatusMapper() {
            return group.getHttpCodeStatusMapper();
        }

        @Override
        public @Nullable AdditionalHealthEndpointPath getAdditionalPath() {
            return group.getAdditionalPath();
        }
    }
}
