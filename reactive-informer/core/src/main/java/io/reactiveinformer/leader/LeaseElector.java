package io.reactiveinformer.leader;

import io.kubernetes.client.openapi.models.V1Lease;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.leader.Leadership.Following;
import io.reactiveinformer.leader.Leadership.Leading;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Stands for a lease as {@link Candidate}, as long as anybody is subscribed. */
final class LeaseElector implements LeaderElector {

    private final KubernetesClient client;
    private final ObjectKey key;
    private final ElectionOptions options;
    private final Sinks.Empty<Void> resigned = Sinks.empty();
    private final Set<Candidacy> candidacies = ConcurrentHashMap.newKeySet();
    private final Shared<Leadership> candidacy;
    private volatile boolean over;

    LeaseElector(KubernetesClient client, ObjectKey key, ElectionOptions options) {
        if (key.namespace() == null) {
            throw new IllegalArgumentException("a lease has a namespace: ObjectKey.of(\"prod\", \"" + key.name() + "\")");
        }
        this.client = client;
        this.key = key;
        this.options = options;
        ResourceClient<V1Lease> leases = client.resources(ResourceType.of(V1Lease.class));
        this.candidacy = new Shared<>(
                Flux.usingWhen(Mono.fromSupplier(() -> stand(new Candidate(leases, key, options))), this::states, this::release), new Following(null, null));
    }

    /**
     * @param released completes when its lease is given back, or left
     * @param beforeClientCloses has it end then
     */
    private record Candidacy(Candidate candidate, Sinks.Empty<Void> released, Disposable beforeClientCloses) {}

    private Candidacy stand(Candidate candidate) {
        var standing = new Candidacy(candidate, Sinks.empty(), client.beforeClose(resign()));
        candidacies.add(standing);
        return standing;
    }

    private Mono<Void> release(Candidacy ended) {
        return ended.candidate.release().doFinally(end -> {
            candidacies.remove(ended);
            ended.beforeClientCloses.dispose();
            ended.released.tryEmitEmpty();
        });
    }

    /** Whoever works hears that it is over before the lease is given back, also where this fails of a defect. */
    private Flux<Leadership> states(Candidacy standing) {
        Mono<Leadership> end = Mono.fromSupplier(standing.candidate::stepDown);
        return Flux.defer(() -> over ? Flux.<Leadership>empty() : standing.candidate.states().takeUntilOther(resigned.asMono()))
                .onErrorResume(defect -> end.concatWith(Mono.error(defect)))
                .concatWith(end);
    }

    @Override
    public Flux<Leadership> leadership() {
        return candidacy.watch().onBackpressureLatest().publishOn(options.workers(), 1);
    }

    @Override
    public <T> Flux<T> whileLeading(Function<? super Term, ? extends Publisher<T>> work) {
        return candidacy.use(states -> states
                .map(state -> state instanceof Leading leading ? Optional.of(leading.term()) : Optional.<Term>empty())
                .distinctUntilChanged()
                .switchMap(term -> Mono.justOrEmpty(term)
                        .filter(Term::holds) // a worker that comes late would begin what is over
                        .flatMapMany(work)
                        .subscribeOn(options.workers())));
    }

    @Override
    public Mono<Void> resign() {
        return Mono.defer(() -> {
            over = true;
            resigned.tryEmitEmpty();
            return Mono.when(candidacies.stream().map(ended -> ended.released.asMono()).toList()).then(Mono.fromRunnable(candidacy::end));
        });
    }

    @Override
    public boolean healthy(Duration tolerance) {
        return candidacies.stream().allMatch(standing -> standing.candidate.healthy(tolerance));
    }

    @Override
    public String identity() {
        return options.identity();
    }

    @Override
    public String toString() {
        return "LeaderElector[" + key + ", " + options.identity() + "]";
    }
}
