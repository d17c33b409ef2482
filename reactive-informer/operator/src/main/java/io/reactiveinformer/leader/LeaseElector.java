package io.reactiveinformer.leader;

import io.kubernetes.client.openapi.models.V1Lease;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.internal.Interruption;
import io.reactiveinformer.internal.informer.Contained;
import io.reactiveinformer.internal.informer.LatestSubscription;
import io.reactiveinformer.leader.Leadership.Following;
import io.reactiveinformer.leader.Leadership.Leading;
import io.reactiveinformer.leader.Leadership.Term;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Runs one {@link Candidate} as long as there are subscribers. */
final class LeaseElector implements LeaderElector {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElector.class);

    private final KubernetesClient client;
    private final ObjectKey key;
    private final ElectionOptions options;
    private final Sinks.Empty<Void> resigned = Sinks.empty();
    private final Set<Candidacy> candidacies = ConcurrentHashMap.newKeySet();
    private final Shared<Leadership> candidacy;
    private volatile boolean over;

    LeaseElector(KubernetesClient client, ObjectKey key, ElectionOptions options) {
        if (key.namespace() == null) {
            throw new IllegalArgumentException("the lease needs a namespace, as in ObjectKey.of(\"prod\", \"" + key.name() + "\")");
        }
        this.client = client;
        this.key = key;
        this.options = options;
        ResourceClient<V1Lease> leases = client.resources(ResourceType.of(V1Lease.class));
        this.candidacy = new Shared<>(
                Flux.usingWhen(Mono.fromSupplier(() -> stand(new Candidate(leases, key, options))), this::states, this::release),
                new Following(null, null));
    }

    /**
     * @param released completes when its lease is released, or left to expire
     * @param bonds disposed of when it ends
     */
    private record Candidacy(Candidate candidate, Sinks.Empty<Void> released, Disposable bonds) {}

    private Candidacy stand(Candidate candidate) {
        var standing = new Candidacy(candidate, Sinks.empty(), client.beforeClose(resign()));
        candidacies.add(standing);
        return standing;
    }

    private Mono<Void> release(Candidacy ended) {
        return ended.candidate.release().doFinally(end -> {
            candidacies.remove(ended);
            ended.bonds.dispose();
            ended.released.tryEmitEmpty();
        });
    }

    /** Ends the term, and with it the work, before the lease is released; also if the candidate fails because of a defect. */
    private Flux<Leadership> states(Candidacy standing) {
        Mono<Leadership> end = Mono.fromSupplier(standing.candidate::stepDown);
        return Flux.defer(() -> over ? Flux.<Leadership>empty() : standing.candidate.states().takeUntilOther(resigned.asMono()))
                .onErrorResume(defect -> end.concatWith(Mono.error(defect)))
                .concatWith(end);
    }

    @Override
    public Flux<Leadership> leadership() {
        return LatestSubscription.of(candidacy.watch(), options.workers());
    }

    @Override
    public <T> Flux<T> whileLeading(Function<? super Term, ? extends Publisher<T>> work) {
        return breakable(thrown -> candidacy.use(states -> Contained.flux(states, thrown)
                .map(state -> state instanceof Leading leading ? Optional.of(leading.term()) : Optional.<Term>empty())
                .distinctUntilChanged()
                .switchMap(term -> Mono.justOrEmpty(term)
                        .filter(Term::holds) // a late worker must not begin work of an ended term
                        .flatMapMany(work)
                        .subscribeOn(Contained.scheduler(options.workers(), thrown)))));
    }

    /**
     * If a subscriber throws, its own subscription fails, past all operators: Reactor rethrows errors that it treats as fatal, and the
     * operators then neither go on nor end.
     */
    private <T> Flux<T> breakable(Function<Consumer<Throwable>, Flux<T>> way) {
        return Flux.defer(() -> {
            Sinks.One<Throwable> broken = Sinks.one();
            return Interruption.by(broken.asMono(), way.apply(thrown -> breakOff(broken, thrown)));
        });
    }

    private void breakOff(Sinks.One<Throwable> user, Throwable thrown) {
        try {
            user.tryEmitValue(new IllegalStateException(this + ": a subscriber threw " + thrown + "; its subscription has ended", thrown));
        } catch (Throwable again) { // from the end of the subscription: Contained goes on to cancel what it contains
            LOG.warn("{}: a subscriber threw {}, and its subscription cannot be ended", this, thrown, again);
        }
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
