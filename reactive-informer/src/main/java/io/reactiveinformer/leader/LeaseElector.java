package io.reactiveinformer.leader;

import io.kubernetes.client.openapi.models.V1Lease;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.leader.Leadership.Following;
import io.reactiveinformer.leader.Leadership.Leading;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.util.Optional;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Stands for a lease as {@link Candidate}, as long as anybody is subscribed. */
final class LeaseElector implements LeaderElector {

    private final ElectionOptions options;
    private final Sinks.Empty<Void> resigned = Sinks.empty();
    private final Shared<Leadership> candidacy;
    private volatile boolean over;

    LeaseElector(KubernetesClient client, ObjectKey key, ElectionOptions options) {
        if (key.namespace() == null) {
            throw new IllegalArgumentException("a lease has a namespace: ObjectKey.of(\"prod\", \"" + key.name() + "\")");
        }
        this.options = options;
        ResourceClient<V1Lease> leases = client.resources(ResourceType.of(V1Lease.class));
        this.candidacy = new Shared<>(
                Flux.usingWhen(Mono.fromSupplier(() -> new Candidate(leases, key, options)), this::states, Candidate::release));
    }

    /** Whoever works hears that it is over before the lease is given back. */
    private Flux<Leadership> states(Candidate candidate) {
        return Flux.defer(() -> over ? Flux.<Leadership>empty() : candidate.states().takeUntilOther(resigned.asMono()))
                .concatWith(Mono.fromSupplier(() -> new Following(null, null)));
    }

    @Override
    public Flux<Leadership> leadership() {
        return candidacy.use(states -> states.onBackpressureLatest().publishOn(options.workers(), 1));
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
            return candidacy.use(states -> states).then();
        });
    }

    @Override
    public String identity() {
        return options.identity();
    }
}
