package io.reactiveinformer.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.reactiveinformer.client.RequestObserver;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.leader.Leadership;
import io.reactiveinformer.queue.WorkQueueObserver;
import io.reactiveinformer.recorder.RecorderObserver;
import io.reactiveinformer.reflector.ReflectorObserver;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import reactor.core.Disposable;

/**
 * Meters in one registry.
 *
 * <pre>{@code
 * InformerMetrics metrics = InformerMetrics.of(registry);
 * KubernetesClient client = KubernetesClient.create(cluster, ClientOptions.defaults().withObserver(metrics.requests()));
 * InformerFactory informers = metrics.metered(InformerFactory.create(client));
 * Controller<ObjectKey> controller = Controller.named("replicasets")
 *         .queue(queue -> queue.withObserver(metrics.queue("replicasets")))
 *         ...
 * metrics.bind(controller);
 * }</pre>
 *
 * <p>The page <i>operating</i> of the guide tables every meter with its tags. No tag holds the name of an object, so that there are as many series as there are
 * types, informers and controllers. What an informer had is removed from the registry when it was stopped; of one that has given up, when it is asked for again or
 * its factory is closed. What is counted of controllers and leases stays, for those of the same name that follow.
 *
 * <p>One is enough for a registry: of two with the same tags, gauges would show what the first knows. Clusters are told apart by
 * {@linkplain #of(MeterRegistry, Iterable) tags}. Any thread may call.
 */
public final class InformerMetrics {

    private final Meters meters;
    private final RequestMeters requests;
    private final SharedReflectorMeters reflectors;
    private final HeldKeys held;
    private final Map<String, QueueMeters> queues = new ConcurrentHashMap<>();
    private final Map<String, LeaderMeters> leaders = new ConcurrentHashMap<>();
    private final Set<String> names = new HashSet<>(); // of what is bound; guarded by itself

    private InformerMetrics(Meters meters) {
        this.meters = meters;
        this.requests = new RequestMeters(meters);
        this.reflectors = new SharedReflectorMeters(meters);
        this.held = new HeldKeys(meters);
    }

    public static InformerMetrics of(MeterRegistry registry) {
        return of(registry, Tags.empty());
    }

    /** @param tags of all meters, such as {@code cluster=east}; where several share a registry, with the same keys in each, as Prometheus wants it */
    public static InformerMetrics of(MeterRegistry registry, Iterable<Tag> tags) {
        return new InformerMetrics(new Meters(Objects.requireNonNull(registry, "registry"), Tags.of(tags)));
    }

    /** Counts and times requests, and their bytes, of all clients that have it: {@code kubernetes.client.*}. For {@link io.reactiveinformer.client.ClientOptions#withObserver}. */
    public RequestObserver requests() {
        return requests;
    }

    /** What {@code factory} makes, metered. Whoever wants an informer metered asks this instead of {@code factory}; they share their informers. */
    public InformerFactory metered(InformerFactory factory) {
        return new MeteredInformerFactory(factory, this, reflectors);
    }

    /**
     * Counts lists, watches, events and disruptions: {@code informer.*}. For {@link io.reactiveinformer.reflector.ReflectorOptions#observer}, of those that
     * {@link #metered} does not make.
     */
    public ReflectorObserver reflector(String informer) {
        return new ReflectorMeters(meters, informer);
    }

    /**
     * Shows how {@code informer} stands: objects, staleness, subscribers and the like. The tag {@code informer} is its
     * {@linkplain Informer#description description}; a second one of the same description is told from the first by a number. Until it is stopped, or what this
     * returns is disposed of.
     */
    public Disposable bind(Informer<?> informer) {
        String name = claim(informer.description());
        return new InformerMeters(meters, name, informer, () -> release(name)).start();
    }

    /** Counts what is in line and how long it takes: {@code controller.queue.*}. For {@link io.reactiveinformer.queue.WorkQueueOptions#withObserver}. */
    public WorkQueueObserver queue(String controller) {
        return queues.computeIfAbsent(controller, name -> new QueueMeters(meters, name));
    }

    /** Counts what came of the work of {@code controller}, until that is over: {@code controller.*}. */
    public Disposable bind(Controller<?> controller) {
        held.add(controller);
        return new ControllerMeters(meters, controller, () -> held.remove(controller)).start();
    }

    /**
     * Shows who leads: {@code leader.*}. To be told each state: {@code elector.leadership().subscribe(metrics.leadership("image-mirror"))}.
     * It hears of no cancellation: who cancels while we lead leaves the gauge at 1, so {@code resign} before.
     */
    public Consumer<Leadership> leadership(String lease) {
        return leaders.computeIfAbsent(lease, name -> new LeaderMeters(meters, name)).candidate();
    }

    /** Counts Events that were written, and those that were not: {@code events.*}. For {@code RecorderOptions.withObserver}. */
    public RecorderObserver events(String reportingController) {
        return new RecorderMeters(meters, reportingController);
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
}
