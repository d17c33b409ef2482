package io.reactiveinformer.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.reactiveinformer.client.RequestObserver;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.internal.informer.Instrumented;
import io.reactiveinformer.leader.Leadership;
import io.reactiveinformer.processor.ProcessorStatus;
import io.reactiveinformer.processor.RowProcessor;
import io.reactiveinformer.queue.WorkQueue;
import io.reactiveinformer.recorder.EventRecorder;
import io.reactiveinformer.reflector.Reflector;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;

/**
 * Meters of clients, informers, controllers, elections and event recorders in one registry.
 *
 * <pre>{@code
 * InformerMetrics metrics = InformerMetrics.of(registry);
 * KubernetesClient client = KubernetesClient.create(cluster, ClientOptions.defaults().withObserver(metrics.requests()));
 * InformerFactory informers = metrics.metered(InformerFactory.create(client));
 * Controller<ObjectKey> controller = Controller.named("replicasets")
 *         ...
 * metrics.operators().bind(controller);
 * }</pre>
 *
 * <p>The page <i>operating</i> of the guide lists every meter with its tags. No tag contains the name of an object, so the number of time
 * series depends only on the number of types, informers and controllers. The meters of an informer are removed from the registry when it is
 * stopped. If it has given up, they are removed when it is requested again, or when its factory is closed. Meters of controllers and leases
 * stay, for later ones with the same name.
 *
 * <p>Use one instance for each registry: with two instances of the same tags, gauges would show the state of the first only. To distinguish
 * clusters, use {@linkplain #of(MeterRegistry, Iterable) tags}. Thread-safe.
 */
public final class InformerMetrics {

    private final Meters meters;
    private final RequestMeters requests;
    private final SharedReflectorMeters reflectors;
    private @Nullable OfOperators operators; // guarded by this; a class of its own, since its methods name classes that may be absent
    private final Map<String, QueueMeters> queues = new ConcurrentHashMap<>();
    private final Set<String> names = new HashSet<>(); // of what is bound; guarded by itself

    private InformerMetrics(Meters meters) {
        this.meters = meters;
        this.requests = new RequestMeters(meters);
        this.reflectors = new SharedReflectorMeters(meters);
    }

    /** Creates an instance that registers its meters in {@code registry}, without common tags. */
    public static InformerMetrics of(MeterRegistry registry) {
        return of(registry, Tags.empty());
    }

    /**
     * Creates an instance that registers its meters in {@code registry}, with common tags.
     *
     * @param tags the tags of all meters, such as {@code cluster=east}. Instances that share a registry must have the same keys, as
     *     Prometheus requires
     */
    public static InformerMetrics of(MeterRegistry registry, Iterable<Tag> tags) {
        return new InformerMetrics(new Meters(Objects.requireNonNull(registry, "registry"), Tags.of(tags)));
    }

    /**
     * An observer that counts and times the requests of all clients that have it, and counts their bytes: {@code kubernetes.client.*}.
     * Returns the same observer at each call. Pass it to {@link io.reactiveinformer.client.ClientOptions#withObserver}.
     */
    public RequestObserver requests() {
        return requests;
    }

    /**
     * A view of {@code factory} that meters the informers that are requested from the view. Both share their informers; an informer that is
     * requested only from {@code factory} is not metered. Stopping or closing the view stops or closes {@code factory}.
     */
    public InformerFactory metered(InformerFactory factory) {
        return new MeteredInformerFactory(factory, this, reflectors);
    }

    /**
     * An observer that counts lists, watches, events and disruptions: {@code informer.*}. Pass it to
     * {@link io.reactiveinformer.reflector.ReflectorOptions#observer}, for reflectors that {@link #metered} does not cover.
     *
     * @param informer the value of the tag {@code informer}
     */
    public Reflector.Observer reflector(String informer) {
        return new ReflectorMeters(meters, informer);
    }

    /**
     * Registers gauges of {@code informer}, such as its objects, staleness and subscribers. The tag {@code informer} is its
     * {@linkplain Informer#description description}, followed by a number if another bound informer has the same description. The gauges
     * are removed when the informer is stopped, or the returned {@code Disposable} is disposed of; if the informer has given up, only by
     * the latter.
     */
    public Disposable bind(Informer<?> informer) {
        String name = claim(informer.description());
        return new InformerMeters(meters, name, informer, () -> release(name)).start();
    }

    /**
     * Registers gauges of {@code processor}: the rows that are behind, worked on and failing, and for how long it has been behind; and counts
     * and times its work as {@link #queue} does, if it has not begun. The tags {@code processor} and {@code controller} are its name. The
     * gauges stay, for a later one with the same name.
     */
    public void bind(RowProcessor<?> processor) {
        Instrumented.wrap(processor, WorkQueue.Observer.class,
                observer -> observer == WorkQueue.Observer.NONE ? queue(processor.name()) : observer);
        gauge(processor, "processor.behind", "Rows whose newest state is not finished", ProcessorStatus::behind);
        gauge(processor, "processor.running", "Rows that are worked on", ProcessorStatus::running);
        gauge(processor, "processor.failing", "Rows whose last work has failed", ProcessorStatus::failing);
        gauge(processor, "processor.behind.seconds", "For how long a row has been behind", status -> status.behindSince() == null ? 0
                : Duration.between(status.behindSince(), Instant.now()).toMillis() / 1e3);
    }

    private void gauge(RowProcessor<?> processor, String name, String description, ToDoubleFunction<ProcessorStatus> value) {
        Gauge.builder(name, processor, one -> value.applyAsDouble(one.status())).description(description)
                .tags(meters.tags("processor", processor.name())).strongReference(true).register(meters.registry());
    }

    /**
     * An observer that counts queued keys, and times their waits and their work: {@code controller.queue.*}, {@code controller.working},
     * {@code controller.work} and {@code controller.retries}. Returns the same observer for the same name. Pass it to
     * {@link io.reactiveinformer.queue.WorkQueueOptions#withObserver}.
     *
     * @param controller the value of the tag {@code controller}
     */
    public WorkQueue.Observer queue(String controller) {
        return queues.computeIfAbsent(controller, name -> new QueueMeters(meters, name));
    }

    /**
     * Meters of controllers, elections and event recorders, for programs that have {@code reactive-informer-operator}. The same at each call.
     */
    public synchronized OfOperators operators() {
        OfOperators known = operators;
        if (known == null) {
            known = new OfOperators(this);
            operators = known;
        }
        return known;
    }

    private String claim(String description) {
        synchronized (names) {
            String name = description;
            for (int number = 2; !names.add(name); number++) {
                name = description + " #" + number;
            }
            return name;
        }
    }

    private void release(String name) {
        synchronized (names) {
            names.remove(name);
        }
    }

    /** Meters of controllers, elections and event recorders. Thread-safe. */
    public static final class OfOperators {

        private final InformerMetrics metrics;
        private final HeldKeys held;
        private final Map<String, LeaderMeters> leaders = new ConcurrentHashMap<>();

        private OfOperators(InformerMetrics metrics) {
            this.metrics = metrics;
            this.held = new HeldKeys(metrics.meters);
        }

        /**
         * Counts and times the results of {@code controller}, and shows the number of its held keys: {@code controller.*}. If the controller
         * has not begun, and its queue has no observer, meters the queue as {@link InformerMetrics#queue} does. Ends with the controller, or when the returned
         * {@code Disposable} is disposed of; the counters stay. No effect if the controller is bound already.
         */
        public Disposable bind(Controller<?> controller) {
            if (!held.add(controller)) {
                return Disposables.disposed();
            }
            Instrumented.wrap(controller, WorkQueue.Observer.class,
                    observer -> observer == WorkQueue.Observer.NONE ? metrics.queue(controller.name()) : observer);
            return new ControllerMeters(metrics.meters, controller, () -> held.remove(controller)).start();
        }

        /**
         * A consumer that shows whether this process leads: {@code leader.*}. It must receive each state of one candidate, one at a time:
         * {@code elector.leadership().subscribe(metrics.operators().leadership("image-mirror"))}. It is not notified of a cancellation, which leaves the
         * gauge at 1 during leadership: call {@code resign} before.
         *
         * @param lease the value of the tag {@code lease}
         */
        public Consumer<Leadership> leadership(String lease) {
            return leaders.computeIfAbsent(lease, name -> new LeaderMeters(metrics.meters, name)).candidate();
        }

        /**
         * An observer that counts written and dropped Events: {@code events.*}. Pass it to {@code RecorderOptions.withObserver}.
         *
         * @param reportingController the value of the tag {@code reporter}
         */
        public EventRecorder.Observer events(String reportingController) {
            return new RecorderMeters(metrics.meters, reportingController);
        }
    }
}
