package io.reactiveinformer.spring;

import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.ControllerManager;
import io.reactiveinformer.controller.ControllerStatus;
import io.reactiveinformer.leader.LeaderElector;
import io.reactiveinformer.leader.Leadership;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The controllers, managers of controllers, and elections among the beans. */
record Operators(
        ObjectProvider<Controller<?>> controllerBeans,
        ObjectProvider<ControllerManager> managerBeans,
        ObjectProvider<LeaderElector> electorBeans) {

    /** A status is emitted on a worker; one that is blocked delays no endpoint longer than this. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    List<Controller<?>> controllers() {
        return controllerBeans.orderedStream().<Controller<?>>map(controller -> controller).toList();
    }

    List<ControllerManager> managers() {
        return managerBeans.orderedStream().toList();
    }

    List<LeaderElector> electors() {
        return electorBeans.orderedStream().toList();
    }

    /** The election that decides where the controllers run; null if there is none, and they run in each replica. */
    @Nullable LeaderElector elector() {
        List<LeaderElector> all = electors();
        LeaderElector unique = electorBeans.getIfUnique();
        if (unique == null && !all.isEmpty()) {
            throw new InformerConfigurationException(
                    "there are " + all.size() + " LeaderElector beans, and none of them is primary, so it is not clear which of them decides "
                            + "where the controllers run",
                    "Mark one of them with @Primary.");
        }
        return unique;
    }

    /** By name; those of managers are included. */
    Mono<Map<String, ControllerStatus>> statuses() {
        return Flux.fromIterable(controllers())
                .flatMapSequential(controller -> controller.status().next().timeout(PATIENCE, Mono.empty()))
                .collect(LinkedHashMap<String, ControllerStatus>::new, (all, status) -> all.put(status.name(), status))
                .map(all -> {
                    managers().forEach(manager -> manager.statuses().forEach(all::putIfAbsent));
                    return all;
                });
    }

    /** By the name of this candidate. */
    Mono<Map<String, Leadership>> leaderships() {
        return Flux.fromIterable(electors())
                .flatMapSequential(elector -> elector.leadership().next().timeout(PATIENCE, Mono.empty())
                        .map(leadership -> Map.entry(elector.identity(), leadership)))
                .collect(LinkedHashMap::new, (all, one) -> all.put(one.getKey(), one.getValue()));
    }
}
