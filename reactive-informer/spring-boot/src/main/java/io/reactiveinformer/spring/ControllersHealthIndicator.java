package io.reactiveinformer.spring;

import io.reactiveinformer.controller.ControllerStatus;
import io.reactiveinformer.leader.Leadership;
import io.reactiveinformer.sharding.ShardedController.Share;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import reactor.core.publisher.Mono;

/**
 * {@code DOWN} while a view of a controller has ended, and while an election considers itself the leader without having renewed its lease
 * for too long. A controller that waits for its views or for its share, or stands by, is {@code UP}; so is a recorder that drops Events,
 * which are written as far as possible.
 */
final class ControllersHealthIndicator implements ReactiveHealthIndicator {

    static final String NAME = "controllers";

    /** As client-go's own check allows. */
    private static final Duration TOLERANCE = Duration.ofSeconds(20);

    private final OperatorBeans operators;

    ControllersHealthIndicator(OperatorBeans operators) {
        this.operators = operators;
    }

    @Override
    public Mono<Health> health() {
        return Mono.zip(operators.statuses(), operators.shares(), operators.leaderships())
                .map(all -> health(all.getT1(), all.getT2(), all.getT3()));
    }

    private Health health(Map<String, ControllerStatus> statuses, Map<String, Share> shares, Map<String, Leadership> leaderships) {
        Map<String, Object> details = new LinkedHashMap<>();
        statuses.forEach((name, status) -> details.put(name, details(status, shares.get(status.name()))));
        operators.recorders().forEach((name, recorder) -> details.put("recorder " + name, OperatorBeans.describe(recorder).details()));
        leaderships.forEach((name, leadership) -> details.put("election " + name, OperatorBeans.describe(leadership).details()));
        boolean healthy = statuses.values().stream().allMatch(ControllerStatus::healthy)
                && operators.electors().values().stream().allMatch(elector -> elector.healthy(TOLERANCE));
        return (healthy ? Health.up() : Health.down()).withDetails(details).build();
    }

    private static Map<String, Object> details(ControllerStatus status, @Nullable Share share) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("state", status.state());
        details.put("since", status.since());
        if (!status.unsynced().isEmpty()) {
            details.put("waitsFor", status.unsynced());
        }
        if (share != null) {
            details.put("share", share.toString());
            details.put("members", share.members());
        }
        status.views().forEach(view -> {
            if (view.failure() != null) {
                details.put(view.name(), String.valueOf(view.failure().getMessage()));
            }
        });
        return details;
    }
}
