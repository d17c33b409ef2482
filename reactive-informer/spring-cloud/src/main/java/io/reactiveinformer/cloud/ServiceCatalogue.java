package io.reactiveinformer.cloud;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.cloud.client.ServiceInstance;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The services of the watched namespaces and their instances, from memory. A call waits only until the informer has received its first
 * complete state, so that a service is never said to have no instances merely because they are not known yet. Thread-safe.
 */
final class ServiceCatalogue {

    private static final Index<ServiceSlice, String> BY_SERVICE = Index.ofMany("service", ServiceSlice::serviceIds);

    /** Changes that are emitted together cost one look at the catalogue. */
    private static final int BATCH = 128;

    private final Informer<ServiceSlice> slices;
    private final InstanceRules rules;
    private final Mono<Void> ready;
    private volatile boolean indexed;

    /** @param patience longest wait of a call for the first complete state */
    ServiceCatalogue(Informer<ServiceSlice> slices, InstanceRules rules, Duration patience) {
        this.slices = slices;
        this.rules = rules;
        Mono<Void> index = slices.addIndex(BY_SERVICE).doOnSuccess(done -> indexed = true);
        this.ready = index.then(Mono.defer(() -> slices.synced(patience))); // to add the index again has no effect, except after a failure
        index.subscribe(done -> {}, failure -> {}); // the next call tries again, and reports it
    }

    /** Completes once the catalogue is complete, usually at once. Fails after the patience, with the reason. */
    Mono<Void> ready() {
        return Mono.defer(() -> isReady() ? Mono.empty() : ready);
    }

    private boolean isReady() {
        return indexed && slices.hasSynced();
    }

    /** As {@link #ready}, and blocks only if it must wait. */
    void awaitReady() {
        if (!isReady()) {
            ready.block();
        }
    }

    /**
     * Whether such a service is known, even without instances. Never waits. Before the catalogue is complete, the services of namespaces
     * whose lists were received may be known already.
     */
    boolean has(String serviceId) {
        return indexed && slices.lister().by(BY_SERVICE, serviceId).count() > 0;
    }

    /** The instances of the service once the catalogue is {@linkplain #ready ready}; an empty list if there are none. */
    Mono<List<ServiceInstance>> instances(String serviceId) {
        return ready().then(Mono.fromSupplier(() -> currentInstances(serviceId)));
    }

    /** The instances that are known now. Never waits. */
    List<ServiceInstance> currentInstances(String serviceId) {
        return current(serviceId).orElse(List.of());
    }

    /**
     * As {@link #instances}, then each different list as it changes; a slow subscriber skips lists. Delivered on the shared threads, which
     * must not be blocked. Completes when the informer is stopped.
     */
    Flux<List<ServiceInstance>> instanceLists(String serviceId) {
        return states(serviceId).map(state -> state.orElse(List.of())).distinctUntilChanged();
    }

    /** As {@link #instanceLists(String)}, with the lists of {@code others} whenever there is no such service. */
    Flux<List<ServiceInstance>> instanceLists(String serviceId, Flux<List<ServiceInstance>> others) {
        return states(serviceId).distinctUntilChanged().switchMap(state -> state.map(Flux::just).orElse(others));
    }

    private Flux<Optional<List<ServiceInstance>>> states(String serviceId) {
        Delivery delivery = Delivery.conflated().brief().named("instances of " + serviceId);
        Flux<Optional<List<ServiceInstance>>> later = slices.changes(delivery)
                .skipUntil(Change.Synced.class::isInstance)
                .filter(change -> concerns(change, serviceId))
                .map(change -> current(serviceId));
        return ready().then(Mono.fromSupplier(() -> current(serviceId))).concatWith(later);
    }

    /** Empty if there is no such service; with an empty list if it has no instances. */
    private Optional<List<ServiceInstance>> current(String serviceId) {
        List<ServiceSlice> found = slices.lister().by(BY_SERVICE, serviceId).list();
        return found.isEmpty() ? Optional.empty() : Optional.of(rules.instances(serviceId, found));
    }

    private static boolean concerns(Change<ObjectKey, ServiceSlice> change, String serviceId) {
        return change.match(
                added -> added.object().serviceIds().contains(serviceId),
                updated -> updated.after().serviceIds().contains(serviceId) || updated.before().serviceIds().contains(serviceId),
                deleted -> deleted.last().serviceIds().contains(serviceId),
                synced -> true);
    }

    /** The names of the services once the catalogue is {@linkplain #ready ready}, sorted, each once. */
    Mono<Set<String>> services() {
        return ready().then(Mono.fromSupplier(this::names));
    }

    /** The names once the catalogue is ready, then each different set of names. Delivered as {@link #instanceLists}. */
    Flux<Set<String>> serviceSets() {
        return slices.batches(BATCH, Delivery.conflated().brief().named("names of services"))
                .skipUntil(changes -> changes.stream().anyMatch(Change.Synced.class::isInstance))
                .filter(changes -> changes.stream().anyMatch(ServiceCatalogue::concernsNames))
                .map(changes -> names())
                .distinctUntilChanged();
    }

    /** False for most changes: pods become ready and unready. */
    private static boolean concernsNames(Change<ObjectKey, ServiceSlice> change) {
        return change.match(
                added -> true,
                updated -> !updated.before().serviceIds().equals(updated.after().serviceIds()),
                deleted -> true,
                synced -> true);
    }

    /** The names that are known now. Never waits. */
    Set<String> names() {
        Set<String> names = new TreeSet<>();
        slices.snapshot().forEach((key, slice) -> slice.object().serviceIds().stream().limit(1).forEach(names::add));
        return names;
    }
}
