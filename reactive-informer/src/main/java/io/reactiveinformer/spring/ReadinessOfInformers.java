package io.reactiveinformer.spring;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.health.actuate.endpoint.AdditionalHealthEndpointPath;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroup;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroupsPostProcessor;
import org.springframework.boot.health.actuate.endpoint.HttpCodeStatusMapper;
import org.springframework.boot.health.actuate.endpoint.StatusAggregator;

/** Makes the informers members of the group {@code readiness}, where there is one: traffic comes when there is something to serve. Liveness is left alone. */
final class ReadinessOfInformers implements HealthEndpointGroupsPostProcessor {

    private static final String READINESS = "readiness";

    @Override
    public HealthEndpointGroups postProcessHealthEndpointGroups(HealthEndpointGroups groups) {
        if (!groups.getNames().contains(READINESS)) {
            return groups;
        }
        Map<String, HealthEndpointGroup> all = new LinkedHashMap<>();
        groups.getNames().forEach(name -> all.put(name, Objects.requireNonNull(groups.get(name))));
        all.computeIfPresent(READINESS, (name, group) -> new WithInformers(group));
        return HealthEndpointGroups.of(groups.getPrimary(), all);
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
