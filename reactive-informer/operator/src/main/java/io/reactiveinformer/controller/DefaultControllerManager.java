package io.reactiveinformer.controller;

import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.internal.SparedTimer;
import io.reactiveinformer.internal.informer.Instrumented;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.retry.Retry;

/** Starts one controller after the other, and stops them in reverse order. */
final class DefaultControllerManager implements ControllerManager, Instrumented {

    private static final Logger LOG = LoggerFactory.getLogger(ControllerManager.class);

    private final InformerFactory informers;
    private final ManagerOptions options;
    private final Sinks.Empty<Void> over = Sinks.empty();

    // Guarded by this; no foreign code is called under the lock.
    private final Map<String, Registered> registered = new LinkedHashMap<>(); // unchanged after begun
    private boolean begun;
    private boolean works;

    private volatile UnaryOperator<Controller<?>> each = controller -> controller; // written under this
    private volatile Start start = new Start(); // written under this
    private volatile boolean closed;

    private record Registered(Supplier<? extends Controller<?>> make, boolean optional) {}

    /** The controllers that one start creates, and the status of each. */
    private static final class Start {

        // Guarded by itself; no foreign code is called under the lock.
        private final Map<String, Controller<?>> made = new LinkedHashMap<>();

        private final Map<String, ControllerStatus> statuses = new ConcurrentHashMap<>();

        /** Completes when all controllers are created and have subscribed to their views; fails with the error of this start. */
        private final Sinks.Empty<Void> done = Sinks.empty();

        void make(String name, Supplier<? extends Controller<?>> supplier) {
            Controller<?> controller = supplier.get();
            synchronized (made) {
                made.put(name, controller);
            }
            controller.status()
                    .retryWhen(Retry.fixedDelay(Long.MAX_VALUE, Duration.ofSeconds(1))) // fails if a status cannot be delivered
                    .subscribe(status -> statuses.put(name, status));
        }

        /** The controllers in the order of creation. */
        List<Controller<?>> controllers() {
            synchronized (made) {
                return new ArrayList<>(made.values());
            }
        }

        /** The statuses in the order of creation, without those of controllers that have emitted none yet. */
        Map<String, ControllerStatus> statuses() {
            Map<String, ControllerStatus> inOrder = new LinkedHashMap<>();
            synchronized (made) {
                made.keySet().forEach(name -> inOrder.computeIfAbsent(name, statuses::get));
            }
            return inOrder;
        }

        void fail(Throwable failure) {
            controllers().forEach(Controller::close);
            done.tryEmitError(failure);
        }
    }

    DefaultControllerManager(InformerFactory informers, ManagerOptions options) {
        this.informers = informers;
        this.options = options.withTimer(SparedTimer.of(options.timer()));
    }

    @Override
    public ControllerManager register(String name, Supplier<? extends Controller<?>> controller) {
        return register(name, new Registered(controller, false));
    }

    @Override
    public ControllerManager registerOptional(String name, Supplier<? extends Controller<?>> controller) {
        return register(name, new Registered(controller, true));
    }

    private synchronized ControllerManager register(String name, Registered one) {
        if (begun) {
            throw new IllegalStateException("controller " + name + " must be registered before the manager is started");
        }
        if (name.isEmpty() || name.equals("*") || name.startsWith("-")) {
            throw new IllegalArgumentException("the name of a controller must not be empty or *, nor begin with -; was \"" + name + "\"");
        }
        if (registered.putIfAbsent(name, one) != null) {
            throw new IllegalArgumentException("a controller named " + name + " is registered already");
        }
        return this;
    }

    @Override
    @SuppressWarnings("unchecked") // a part is any controller
    public synchronized <P> void wrap(Class<P> part, UnaryOperator<P> around) {
        if (part == Controller.class) {
            UnaryOperator<Controller<?>> before = each;
            each = controller -> ((UnaryOperator<Controller<?>>) around).apply(before.apply(controller));
        }
    }

    @Override
    public void warm() {
        Start mine;
        synchronized (this) {
            if (begun) {
                return;
            }
            begun = true;
            mine = start;
        }
        try {
            begin(mine);
        } catch (RuntimeException | Error failure) {
            synchronized (this) { // a new start is possible
                begun = false;
                works = false;
                start = new Start();
            }
            mine.fail(failure);
            throw failure;
        }
    }

    private void begin(Start mine) {
        requireOpen();
        for (String said : options.controllers()) {
            String name = said.startsWith("-") ? said.substring(1) : said;
            if (!said.equals("*") && !registered.containsKey(name)) {
                throw new IllegalArgumentException("there is no controller named " + name + "; registered are " + registered.keySet());
            }
        }
        registered.forEach((name, one) -> {
            if (options.enable(name, one.optional)) {
                mine.make(name, () -> each.apply(one.make.get()));
            }
        });
        requireOpen();
        LOG.info("controllers enabled: {}", mine.controllers().stream().map(Controller::name).toList());
        mine.controllers().forEach(Controller::warm);
        informers.start();
        mine.done.tryEmitEmpty();
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the manager was stopped and cannot be started again; create a new one");
        }
    }

    @Override
    public void start() {
        synchronized (this) {
            if (works) {
                return;
            }
            works = true;
        }
        warm();
        run().subscribe(null, failure -> LOG.debug("a controller failed", failure)); // each has been logged
    }

    @Override
    public Mono<Void> run() {
        return Mono.defer(() -> {
            warm();
            Start mine = start;
            return mine.done.asMono().then(Mono.defer(() -> runAll(mine))); // another thread may be creating them
        });
    }

    private Mono<Void> runAll(Start mine) {
        List<Mono<Void>> runs = new ArrayList<>();
        Duration wait = Duration.ZERO;
        for (Controller<?> controller : mine.controllers()) {
            Mono<Void> run = controller.run().doOnError(failure -> LOG.error("controller {} failed", controller.name(), failure));
            runs.add(wait.isZero() ? run : Mono.delay(wait, options.timer()).then(run));
            wait = wait.plus(interval());
        }
        return Mono.whenDelayError(runs).takeUntilOther(over.asMono());
    }

    private Duration interval() {
        long nanos = options.startInterval().toNanos();
        return nanos == 0 ? Duration.ZERO : Duration.ofNanos(nanos + ThreadLocalRandom.current().nextLong(nanos));
    }

    private List<Controller<?>> lastFirst() {
        List<Controller<?>> reversed = start.controllers();
        Collections.reverse(reversed);
        return reversed;
    }

    @Override
    public Mono<Void> synced() {
        return Mono.defer(() -> {
            Start mine = start;
            Mono<Void> all = Mono.defer(() -> Mono.when(mine.controllers().stream().map(Controller::synced).toList()));
            Mono<Void> never = Mono.error(() -> new IllegalStateException("the manager was stopped before its controllers were synced"));
            return Mono.firstWithSignal(mine.done.asMono().then(all), over.asMono().then(never));
        });
    }

    @Override
    public Map<String, ControllerStatus> statuses() {
        return start.statuses();
    }

    @Override
    public Mono<Void> stop(Duration grace) {
        return Mono.defer(() -> {
            closed = true;
            return Flux.fromIterable(lastFirst())
                    .flatMapDelayError(controller -> controller.drain(grace), Integer.MAX_VALUE, 1)
                    .then(Mono.defer(() -> {
                        over.tryEmitEmpty();
                        return informers.stop(grace);
                    }));
        });
    }

    @Override
    public void close() {
        closed = true;
        over.tryEmitEmpty();
        lastFirst().forEach(Controller::close);
        informers.close();
    }

    @Override
    public String toString() {
        return "ControllerManager[" + String.join(", ", registered.keySet()) + "]";
    }
}
