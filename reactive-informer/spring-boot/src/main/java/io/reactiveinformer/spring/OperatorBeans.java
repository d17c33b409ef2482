package io.reactiveinformer.spring;

import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.ControllerManager;
import io.reactiveinformer.controller.ControllerStatus;
import io.reactiveinformer.internal.informer.Instrumented;
import io.reactiveinformer.internal.operator.CountsEvents;
import io.reactiveinformer.leader.LeaderElector;
import io.reactiveinformer.leader.Leadership;
import io.reactiveinformer.recorder.EventRecorder;
import io.reactiveinformer.sharding.ShardedController;
import io.reactiveinformer.sharding.ShardedController.Share;
import io.reactiveinformer.spring.InformersEndpoint.OfController;
import io.reactiveinformer.spring.InformersEndpoint.OfElection;
import io.reactiveinformer.spring.InformersEndpoint.OfOperators;
import io.reactiveinformer.spring.InformersEndpoint.OfRecorder;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The controllers, managers of controllers, elections and recorders among the beans. */
record OperatorBeans(ListableBeanFactory beans) {

    /** A status is emitted on a worker; one that is blocked delays no endpoint longer than this. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    List<Controller<?>> controllers() {
        return beans.getBeanProvider(Controller.class).orderedStream().<Controller<?>>map(controller -> controller).toList();
    }

    List<ControllerManager> managers() {
        return beans.getBeanProvider(ControllerManager.class).orderedStream().toList();
    }

    /** Calls {@code action} for each controller, and for each one of a manager when it is made. */
    void forEachController(Consumer<Controller<?>> action) {
        controllers().forEach(action);
        managers().forEach(manager -> Instrumented.wrap(manager, Controller.class, controller -> {
            action.accept(controller);
            return controller;
        }));
    }

    /** By the names of the beans. */
    Map<String, EventRecorder> recorders() {
        return singletons(EventRecorder.class);
    }

    /** By the names of the beans. */
    Map<String, LeaderElector> electors() {
        return singletons(LeaderElector.class);
    }

    /** Of a prototype, each call would make another one. */
    private <T> Map<String, T> singletons(Class<T> type) {
        return beans.getBeansOfType(type, false, true);
    }

    /** The election that decides where the controllers run; null if there is none, and they run in each replica. */
    @Nullable LeaderElector elector() {
        LeaderElector unique = beans.getBeanProvider(LeaderElector.class).getIfUnique();
        if (unique == null && !electors().isEmpty()) {
            throw new InformerConfigurationException(
                    "there are " + electors().size() + " LeaderElector beans, and none of them is primary, so it is not clear which of "
                            + "them decides where the controllers run",
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

    /** By the names of the controllers among the beans that share their keys with other processes. */
    Mono<Map<String, Share>> shares() {
        return Flux.fromIterable(controllers())
                .ofType(ShardedController.class)
                .flatMapSequential(controller -> ((ShardedController<?>) controller).shares().next().timeout(PATIENCE, Mono.empty())
                        .map(share -> Map.entry(controller.name(), share)))
                .collect(LinkedHashMap::new, (all, one) -> all.put(one.getKey(), one.getValue()));
    }

    /** By the names of the beans. */
    Mono<Map<String, Leadership>> leaderships() {
        return Flux.fromIterable(electors().entrySet())
                .flatMapSequential(elector -> elector.getValue().leadership().next().timeout(PATIENCE, Mono.empty())
                        .map(leadership -> Map.entry(elector.getKey(), leadership)))
                .collect(LinkedHashMap::new, (all, one) -> all.put(one.getKey(), one.getValue()));
    }

    /** All of them, as the endpoint shows them. */
    Mono<OfOperators> described() {
        return Mono.defer(() -> Mono.zip(statuses(), shares(), leaderships()).map(found -> new OfOperators(
                mapped(found.getT1(), status -> describe(status, found.getT2().get(status.name()))),
                mapped(found.getT3(), OperatorBeans::describe), mapped(recorders(), OperatorBeans::describe))));
    }

    private static <A, B> Map<String, B> mapped(Map<String, A> all, Function<A, B> function) {
        Map<String, B> mapped = new LinkedHashMap<>();
        all.forEach((name, one) -> mapped.put(name, function.apply(one)));
        return mapped;
    }

    private static OfController describe(ControllerStatus status, @Nullable Share share) {
        return new OfController(status.state().name(), status.since(), status.healthy(), status.unsynced(),
                share == null ? null : share.toString(), share == null ? null : share.members());
    }

    static OfElection describe(Leadership leadership) {
        Leadership.Trouble trouble = leadership.trouble();
        return new OfElection(
                leadership instanceof Leadership.Leading,
                leadership instanceof Leadership.Leading leading ? (Long) leading.term().token() : null,
                leadership instanceof Leadership.Following following ? following.leader() : null,
                trouble == null ? null : String.valueOf(trouble.cause().getMessage()),
                trouble == null ? 0 : trouble.attempt(),
                trouble == null ? null : trouble.retryIn());
    }

    static OfRecorder describe(EventRecorder recorder) {
        if (!(recorder instanceof CountsEvents ours)) {
            return new OfRecorder(recorder.toString(), null, null, null);
        }
        CountsEvents.Counts counts = ours.counts();
        return new OfRecorder(counts.reporter(), counts.written(), counts.dropped(), counts.lastDrop());
    }
}
