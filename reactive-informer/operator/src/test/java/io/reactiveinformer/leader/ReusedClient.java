package io.reactiveinformer.leader;

import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import io.reactiveinformer.transport.TransportOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** A client that one machine after another uses, each on its own network and clock: making one takes longer than playing an election. */
final class ReusedClient implements Scheduler {

    private final KubernetesClient client = KubernetesClient.over(new Way(),
            ClientOptions.defaults().withWriteLimit(0, 1).withListsAtOnce(0)
            .withTransport(TransportOptions.defaults().withSilence(Duration.ofSeconds(75), this)));
    private Transport network;
    private Scheduler clock;

    private KubernetesClient on(Transport otherNetwork, Scheduler otherClock) {
        network = otherNetwork;
        clock = otherClock;
        return client;
    }

    @Override
    public long now(TimeUnit unit) {
        return clock.now(unit);
    }

    @Override
    public Disposable schedule(Runnable task) {
        return clock.schedule(task);
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        return clock.schedule(task, delay, unit);
    }

    @Override
    public Worker createWorker() {
        return clock.createWorker();
    }

    private final class Way implements Transport {

        @Override
        public <R> Flux<R> exchange(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader) {
            return network.exchange(request, reader);
        }

        @Override
        public Mono<Void> dispose() {
            return Mono.empty();
        }
    }

    /** As many as were ever in use at a time. */
    static final class Pool {

        private final List<ReusedClient> clients = new ArrayList<>();
        private int taken;

        KubernetesClient take(Transport network, Scheduler clock) {
            if (taken == clients.size()) {
                clients.add(new ReusedClient());
            }
            return clients.get(taken++).on(network, clock);
        }

        /** Only when the time in which they were used stands for ever: who has died may still be answered. */
        void takeAllBack() {
            taken = 0;
        }
    }
}
