package io.reactiveinformer.demo;

import io.reactiveinformer.backoff.Backoff;
import io.reactiveinformer.backoff.Backoff.Delays;
import io.reactiveinformer.client.Discovery;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;
import reactor.util.retry.Retry.RetrySignal;
import tools.jackson.databind.JsonNode;

/**
 * Finds a resource on the server, and the class of its objects: a model class if there is one, else a tree. If the server cannot be reached
 * or refuses, the lookup is retried, and reported in the form of an informer's status.
 */
final class TypeLookup {

    private static final Backoff PAUSES = Backoff.between(Duration.ofMillis(800), Duration.ofSeconds(30));

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);

    private final Discovery discovery;
    private final StatusLines statuses;
    private final Scheduler output;

    // Of the last failed try; used by the output's thread only.
    private @Nullable KubernetesException cause;
    private int attempt;

    /** @param output a scheduler of one thread, on which {@code statuses} are printed */
    TypeLookup(Discovery discovery, StatusLines statuses, Scheduler output) {
        this.discovery = discovery;
        this.statuses = statuses;
        this.output = output;
    }

    /**
     * Fails with {@link UsageException} if the server has no such resource.
     *
     * @param wait whether to look again instead, every two seconds, until it has
     */
    Mono<ResourceType<?>> find(ResourceName name, boolean wait) {
        Optional<ResourceType<?>> known = ResourceType.find(name.group(), name.version(), name.plural());
        return known.<Mono<ResourceType<?>>>map(Mono::just).orElseGet(() -> ask(name, wait));
    }

    private Mono<ResourceType<?>> ask(ResourceName name, boolean wait) {
        return Mono.defer(() -> {
            Delays pauses = PAUSES.delays(output);
            return tell(() -> status(State.LISTING, cause, null))
                    .then(wait ? awaitDefinition(name) : discovery.find(name.toString()))
                    .<ResourceType<?>>map(TypeLookup::withModelClass)
                    .switchIfEmpty(discovery.all().collectList().flatMap(all -> Mono.error(unknown(name, all))))
                    .retryWhen(Retry.from(failures -> failures.concatMap(failure -> pause(failure, pauses))));
        });
    }

    /** Looks until the server has the resource, and says once that it waits. */
    private Mono<ResourceType<JsonNode>> awaitDefinition(ResourceName name) {
        var missing = new NotDefinedException("the server does not have the resource '" + name + "' yet");
        return discovery.find(name.toString())
                .repeatWhenEmpty(empty -> empty.concatMap(times ->
                        tell(() -> status(State.DISRUPTED, missing, null)).then(Mono.delay(BETWEEN_LOOKS, output))));
    }

    private Mono<Long> pause(RetrySignal signal, Delays pauses) {
        if (!(signal.failure() instanceof KubernetesException failure)) {
            return Mono.error(signal.failure());
        }
        Duration atLeast = failure instanceof StatusException refusal ? refusal.retryAfter().orElse(null) : null;
        Duration retryIn = pauses.next(atLeast);
        return tell(() -> {
            cause = failure;
            attempt++;
            return status(State.DISRUPTED, failure, retryIn);
        }).then(Mono.delay(retryIn, output));
    }

    /** Prints that the lookup was stopped without a result. */
    Mono<Void> stopped() {
        return tell(() -> status(State.STOPPED, null, null));
    }

    private Mono<Void> tell(Supplier<InformerStatus> status) {
        return Mono.<Void>fromRunnable(() -> statuses.tell(status.get())).subscribeOn(output);
    }

    private InformerStatus status(State state, @Nullable KubernetesException why, @Nullable Duration retryIn) {
        Instant now = Instant.ofEpochMilli(output.now(TimeUnit.MILLISECONDS));
        return new InformerStatus(state, now, false, why, attempt, retryIn, Map.of(), Map.of());
    }

    private static ResourceType<?> withModelClass(ResourceType<?> found) {
        return ResourceType.find(found.group(), found.version(), found.plural()).orElse(found);
    }

    private static UsageException unknown(ResourceName name, List<ResourceType<JsonNode>> all) {
        List<String> plurals = all.stream().map(type -> type.group().isEmpty() ? type.plural() : type.plural() + "." + type.group())
                .toList();
        List<String> nearest = Nearest.to(name.plural() + (name.group().isEmpty() ? "" : "." + name.group()), plurals);
        String instead = nearest.isEmpty() ? "; kubectl api-resources lists what there is" : "; did you mean "
                + String.join(" or ", nearest) + "?";
        return new UsageException("the server has no resource '" + name + "'" + instead);
    }

    private static final class NotDefinedException extends KubernetesException {
        private static final long serialVersionUID = 1L;

        NotDefinedException(String message) {
            super(message, null);
        }
    }
}
