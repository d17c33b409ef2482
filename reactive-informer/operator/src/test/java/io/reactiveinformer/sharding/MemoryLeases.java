package io.reactiveinformer.sharding;

import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Scale;
import io.reactiveinformer.client.DeleteOptions;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.client.WriteOptions;
import io.reactiveinformer.leader.DriftingClock;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The leases of one namespace, as a server keeps them, and each machine's way to it; a thousand times as fast as with HTTP and JSON. */
final class MemoryLeases {

    /** In milliseconds. */
    static final int QUICK = 20;
    private static final int NEVER = (int) Duration.ofHours(10).toMillis();

    private final Map<String, V1Lease> stored = new TreeMap<>();
    private final VirtualTimeScheduler truth;
    private final Random random;
    private int version;
    private long lastWrite;
    private int underWay;

    MemoryLeases(VirtualTimeScheduler truth, Random random) {
        this.truth = truth;
        this.random = random;
    }

    /** When, by true time. */
    Duration lastWrite() {
        return Duration.ofMillis(lastWrite);
    }

    /** Whether something was sent that has not come to the server yet; answers do not count, for who waits for them gives up. */
    boolean areUnderWay() {
        return underWay > 0;
    }

    Set<String> names() {
        return stored.keySet();
    }

    private V1Lease store(V1Lease lease) {
        V1Lease copy = copy(lease);
        lastWrite = truth.now(TimeUnit.MILLISECONDS);
        copy.getMetadata().setResourceVersion("" + ++version);
        stored.put(copy.getMetadata().getName(), copy);
        return copy(copy);
    }

    private V1Lease get(String name) {
        V1Lease lease = stored.get(name);
        if (lease == null) {
            throw StatusException.of(Status.of(404, "NotFound", name), "find a lease");
        }
        return lease;
    }

    private static V1Lease copy(V1Lease lease) {
        V1ObjectMeta metadata = lease.getMetadata();
        V1LeaseSpec spec = lease.getSpec();
        return new V1Lease()
                .metadata(new V1ObjectMeta().namespace(metadata.getNamespace()).name(metadata.getName())
                        .resourceVersion(metadata.getResourceVersion())
                        .labels(new HashMap<>(metadata.getLabels())).annotations(new HashMap<>(metadata.getAnnotations())))
                .spec(new V1LeaseSpec().holderIdentity(spec.getHolderIdentity()).leaseDurationSeconds(spec.getLeaseDurationSeconds())
                        .acquireTime(spec.getAcquireTime()).renewTime(spec.getRenewTime()));
    }

    private static void refuseIf(boolean wrong) {
        if (wrong) {
            throw StatusException.of(Status.of(409, "Conflict", "the object has been modified"), "write a lease");
        }
    }

    /**
     * Requests arrive late, also after their sender has given up; answers are lost; all is cut off for a while, with an error or in
     * silence.
     */
    final class Way implements ResourceClient<V1Lease> {

        private final DriftingClock machine;
        private int slowness = QUICK;
        private int late;
        private int lostAnswers;
        private double trouble;
        private boolean cut;
        private boolean refusing;
        private @Nullable Duration overload;
        private int refusals;

        Way(DriftingClock machine) {
            this.machine = machine;
        }

        /**
         * @param share of the requests that meet with something, between 0 and 1
         * @param milliseconds that others take there, and as many back, at most
         */
        void trouble(double share, int milliseconds) {
            trouble = share;
            slowness = milliseconds;
        }

        /** Answers take so many milliseconds more. */
        void answerLate(int milliseconds) {
            late = milliseconds;
        }

        /** So many writes are carried out, and their answers lost. */
        void loseAnswersToWrites(int next) {
            lostAnswers = next;
        }

        /** Writes are lost on their way, with an error at once. */
        void refuseWrites(boolean now) {
            refusing = now;
        }

        /** Every request is refused, with the wish to be left alone so long; null: none is. */
        void overload(@Nullable Duration retryAfter) {
            overload = retryAfter;
        }

        /** How many requests were refused. */
        int refusals() {
            return refusals;
        }

        void cut(boolean now) {
            cut = now;
        }

        boolean isCut() {
            return cut;
        }

        private <R> Mono<R> send(Supplier<R> request) {
            return Mono.defer(() -> {
                if (overload != null) {
                    refusals++;
                    return Mono.error(StatusException.of(new Status(429, "TooManyRequests", "too much to do", List.of(), overload),
                            "ask for leases"));
                }
                if (cut) {
                    return random.nextBoolean() ? Mono.never() : refused();
                }
                int there = random.nextInt(slowness);
                int back = late + random.nextInt(slowness);
                if (random.nextDouble() >= trouble) {
                    return detached(request, there, back);
                }
                return switch (random.nextInt(6)) {
                    case 0 -> refused();
                    case 1 -> Mono.never();
                    case 2 -> detached(request, there, NEVER); // carried out, but nobody receives the answer
                    case 3 -> detached(request, there, random.nextInt(12_000));
                    case 4 -> detached(request, random.nextInt(30_000), back);
                    default -> detached(request, random.nextInt(8_000), random.nextInt(8_000));
                };
            });
        }

        private Mono<V1Lease> write(Supplier<V1Lease> request) {
            return Mono.defer(() -> refusing ? refused() : lostAnswers-- > 0 ? detached(request, 0, NEVER) : send(request));
        }

        private <R> Mono<R> refused() {
            return Mono.error(new TransportException("connection refused, by chance", null));
        }

        /** What was sent is on its way, whether or not somebody still waits for the answer. */
        private <R> Mono<R> detached(Supplier<R> request, int there, int back) {
            Sinks.One<R> answer = Sinks.one();
            underWay++;
            truth.schedule(() -> {
                underWay--;
                Runnable arrival;
                try {
                    R result = request.get();
                    arrival = () -> answer.tryEmitValue(result);
                } catch (KubernetesException refusal) {
                    arrival = () -> answer.tryEmitError(refusal);
                }
                Runnable last = arrival;
                truth.schedule(() -> machine.run(last), back, TimeUnit.MILLISECONDS);
            }, there, TimeUnit.MILLISECONDS);
            return answer.asMono();
        }

        @Override
        public Flux<V1Lease> listAll(Namespaces part, ListOptions options) {
            return send(() -> stored.values().stream().map(MemoryLeases::copy).toList()).flatMapIterable(all -> all);
        }

        @Override
        public Mono<V1Lease> getUnchanged(V1Lease cached) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Mono<V1Lease> get(ObjectKey key) {
            return send(() -> copy(MemoryLeases.this.get(key.name())));
        }

        @Override
        public Mono<V1Lease> create(Namespaces part, V1Lease lease, WriteOptions options) {
            V1Lease sent = copy(lease);
            return write(() -> {
                refuseIf(stored.containsKey(sent.getMetadata().getName()));
                return store(sent);
            });
        }

        @Override
        public Mono<V1Lease> update(ObjectKey key, V1Lease lease, WriteOptions options) {
            V1Lease sent = copy(lease);
            return write(() -> {
                refuseIf(!MemoryLeases.this.get(key.name()).getMetadata().getResourceVersion()
                        .equals(sent.getMetadata().getResourceVersion()));
                return store(sent);
            });
        }

        @Override
        public Mono<Void> delete(ObjectKey key, DeleteOptions options) {
            return send(() -> {
                refuseIf(!MemoryLeases.this.get(key.name()).getMetadata().getResourceVersion().equals(options.resourceVersion()));
                return List.of(stored.remove(key.name()));
            }).then();
        }

        @Override
        public Mono<V1Lease> patch(ObjectKey key, Patch patch, WriteOptions options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Mono<V1Lease> apply(ObjectKey key, V1Lease object, WriteOptions options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Flux<ObjectEvent<V1Lease>> list(Namespaces part, ListOptions options, Reading<V1Lease> reading) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Flux<ObjectEvent<V1Lease>> watch(Namespaces part, WatchOptions options, Reading<V1Lease> reading) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Mono<Void> deleteAll(Namespaces part, ListOptions which, DeleteOptions options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ResourceClient.Subresource<V1Lease> status() {
            throw new UnsupportedOperationException();
        }

        @Override
        public ResourceClient.Subresource<V1Scale> scale() {
            throw new UnsupportedOperationException();
        }

        @Override
        public <S> ResourceClient.Subresource<S> subresource(String name, ResourceType<S> content) {
            throw new UnsupportedOperationException();
        }
    }
}
