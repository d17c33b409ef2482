package io.reactiveinformer.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.reactiveinformer.client.RequestObserver;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.leader.Leadership;
import io.reactiveinformer.queue.WorkQueueObserver;
import io.reactiveinformer.recorder.RecorderObserver;
import io.reactiveinformer.reflector.ReflectorObserver;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
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
 * types, informers and controllers. What an informer or a controller had is removed from the registry when that is over. Any thread may call.
 */
public final class InformerMetrics {

    private final MeterRegistry registry;
    private final Set<String> names = new HashSet<>(); // of what is bound; guarded by itself

    private InformerMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    public static InformerMetrics of(MeterRegistry registry) {
        return new InformerMetrics(Objects.requireNonNull(registry, "registry"));
    }

    /** Counts and times requests, and their bytes: {@code kubernetes.client.*}. For {@link io.reactiveinformer.client.ClientOptions#withObserver}. */
    public RequestObserver requests() {
        return new RequestMeters(registry);
    }

    /** What {@code factory} makes, metered. Whoever wants an informer metered asks this instead of {@code factory}; they share their informers. */
    public InformerFactory metered(InformerFactory factory) {
        return new MeteredInformerFactory(factory, this);
    }

    /**
     * Counts lists, watches, events and disruptions: {@code informer.*}. For {@link io.reactiveinformer.reflector.ReflectorOptions#observer}, of those that
     * {@link #metered} does not make.
     */
    public ReflectorObserver reflector(String informer) {
        return new ReflectorMeters(registry, informer);
    }

    /**
     * Shows how {@code informer} stands: objects, staleness, subscribers and the like. The tag {@code informer} is its
     * {@linkplain Informer#description description}; a second one of the same description is told from the first by a number.
     */
    public Disposable bind(Informer<?> informer) {
        String name = claim(informer.description());
        return new InformerMeters(registry, name, informer, () -> release(name)).start();
    }

    /** Counts what is in line and how long it takes: {@code controller.queue.*}. For {@link io.reactiveinformer.queue.WorkQueueOptions#withObserver}. */
    public WorkQueueObserver queue(String controller) {
        return new QueueMeters(registry, controller);
    }

    /** Counts what came of the work of {@code controller}, until that is over: {@code controller.*}. */
    public Disposable bind(Controller<?> controller) {
        return new ControllerMeters(registry, controller).start();
    }

    /** Shows who leads: {@code leader.*}. To be told each state: {@code elector.leadership().subscribe(metrics.leadership("image-mirror"))}. */
    public Consumer<Leadership> leadership(String lease) {
        return new LeaderMeters(registry, lease);
    }

    /** Counts Events that were written, and those that were not: {@code events.*}. For {@code RecorderOptions.withObserver}. */
    public RecorderObserver events(String reportingController) {
        return new RecorderMeters(registry, reportingController);
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
