package io.reactiveinformer.controller;

import io.reactiveinformer.informer.InformerFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Begins one controller after the other, and ends them the other way round. */
final class StaggeredControllers implements ControllerManager {

    private static final Logger LOG = LoggerFactory.getLogger(ControllerManager.class);

    private final InformerFactory informers;
    private final ManagerOptions options;
    private final Map<String, ControllerStatus> statuses = new ConcurrentHashMap<>();
    private final Sinks.Empty<Void> over = Sinks.empty();

    // Guarded by this.
    private final Map<String, Registered> registered = new LinkedHashMap<>();
    private List<Controller<?>> controllers = List.of();
    private boolean warm;
    private boolean started;

    private record Registered(Supplier<? extends Controller<?>> make, boolean optional) {}

    StaggeredControllers(InformerFactory informers, ManagerOptions options) {
        this.informers = informers;
        this.options = options;
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
        if (warm) {
            throw new IllegalStateException(name + " is registered too late: the manager has been started");
        }
        if (name.isEmpty() || name.equals("*") || name.startsWith("-")) {
            throw new IllegalArgumentException("a controller's name is neither empty nor * nor begins with -, was \"" + name + "\"");
        }
        if (registered.putIfAbsent(name, one) != null) {
            throw new IllegalArgumentException("there are two controllers of the name " + name);
        }
        return this;
    }

    @Override
    public synchronized void warm() {
        if (warm) {
            return;
        }
        for (String said : options.controllers()) {
            String name = said.startsWith("-") ? said.substring(1) : said;
            if (!said.equals("*") && !registered.containsKey(name)) {
                throw new IllegalArgumentException("there is no controller " + name + "; there are " + registered.keySet());
            }
        }
        List<Controller<?>> enabled = new ArrayList<>();
        registered.forEach((name, one) -> {
            if (options.enable(name, one.optional)) {
                enabled.add(make(name, one));
            }
        });
        controllers = enabled;
        warm = true;
        LOG.info("controllers enabled: {}", enabled.stream().map(Controller::name).toList());
        enabled.forEach(Controller::warm);
        informers.start();
    }

    private Controller<?> make(String name, Registered one) {
        Controller<?> controller = one.make.get();
        controller.status().subscribe(status -> statuses.put(name, status));
        return controller;
    }

    @Override
    public void start() {
        synchronized (this) {
            if (started) {
                return;
            }
            started = true;
        }
        warm();
        run().subscribe(null, failure -> LOG.debug("not all controllers work", failure)); // each has been logged
    }

    @Override
    public Mono<Void> run() {
        return Mono.defer(() -> {
            warm();
            List<Mono<Void>> runs = new ArrayList<>();
            Duration wait = Duration.ZERO;
            for (Controller<?> controller : controllers()) {
                Mono<Void> run = controller.run().doOnError(failure -> LOG.error("controller {} does not work", controller.name(), failure));
                runs.add(wait.isZero() ? run : Mono.delay(wait, options.timer()).then(run));
                wait = wait.plus(interval());
            }
            return Mono.whenDelayError(runs).takeUntilOther(over.asMono());
        });
    }

    private Duration interval() {
        long nanos = options.startInterval().toNanos();
        return nanos == 0 ? Duration.ZERO : Duration.ofNanos(nanos + ThreadLocalRandom.current().nextLong(nanos));
    }

    private synchronized List<Controller<?>> controllers() {
        return controllers;
    }

    private List<Controller<?>> lastFirst() {
        List<Controller<?>> reversed = new ArrayList<>(controllers());
        Collections.reverse(reversed);
        return reversed;
    }

    @Override
    public Mono<Void> synced() {
        return Mono.defer(() -> Mono.when(controllers().stream().map(Controller::synced).toList()));
    }

    @Override
    public Map<String, ControllerStatus> statuses() {
        Map<String, ControllerStatus> inOrder = new LinkedHashMap<>();
        synchronized (this) {
            registered.keySet().forEach(name -> {
                ControllerStatus status = statuses.get(name);
                if (status != null) {
                    inOrder.put(name, status);
                }
            });
        }
        return inOrder;
    }

    @Override
    public Mono<Void> stop(Duration grace) {
        return Mono.defer(() -> Flux.fromIterable(lastFirst())
                .flatMapDelayError(controller -> controller.drain(grace), Integer.MAX_VALUE, 1)
                .then(Mono.defer(() -> {
                    over.tryEmitEmpty();
                    return informers.stop(grace);
                })));
    }

    @Override
    public void close() {
        over.tryEmitEmpty();
        lastFirst().forEach(Controller::close);
        informers.close();
    }
}
