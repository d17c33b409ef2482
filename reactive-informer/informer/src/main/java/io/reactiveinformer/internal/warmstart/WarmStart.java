package io.reactiveinformer.internal.warmstart;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.internal.OutageLog;
import io.reactiveinformer.internal.codec.HasCodec;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.internal.informer.Contained;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.warmstart.WarmStartStorage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The snapshot of one informer in a {@link WarmStartStorage}. Failures of the storage are only logged; the informer lists then. */
public final class WarmStart<T> {

    /** The time limit of a load: longer than a disk needs for the largest cluster, and no longer than a list of it takes. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /**
     * The time limit of a save: longer than the slowest disk or bucket needs. A save that takes longer was lost by the storage, and would
     * delay all later ones.
     */
    static final Duration SAVING = Duration.ofMinutes(30);

    private static final Logger LOG = LoggerFactory.getLogger("io.reactiveinformer.informer.Informer"); // users know that one

    /** The most characters of the type in the name of a snapshot. */
    private static final int LONGEST_TYPE = 120;

    private final WarmStartStorage store;
    private final Selected<T> selected;
    private final KubernetesClient client;
    private final Scheduler timer;
    private final String what;
    private final ObjectCodec codec;
    private final String name;
    private final Mono<String> shape;
    private final OutageLog outages;

    // Used by one save at a time.
    private volatile boolean tried;
    private volatile boolean lossy;

    /**
     * The objects that are saved.
     *
     * @param edition names what a transform makes of them
     */
    public record Selected<T>(ResourceType<T> type, Namespaces namespaces, Selector selector, String edition) {}

    public WarmStart(WarmStartStorage store, Selected<T> selected, KubernetesClient client, Scheduler timer) {
        this.store = store;
        this.selected = selected;
        this.client = client;
        this.timer = timer;
        String all = selected.type().in(selected.namespaces());
        this.what = selected.selector().equals(Selector.any()) ? all : all + ", " + selected.selector();
        this.outages = new OutageLog(LOG, what, timer);
        this.name = name(selected);
        this.codec = client instanceof HasCodec own ? own.codec() : codecFor(client);
        this.shape = Mono.fromCallable(() -> digest(Shape.of(selected.type().objectClass()))).cache();
    }

    private ObjectCodec codecFor(KubernetesClient foreign) {
        LOG.warn("{}: {} is not a client of this library; objects are saved and read with default options, without managed fields",
                what, foreign.getClass().getName());
        return ObjectCodec.create();
    }

    /** Whether this and {@code other} would replace each other's snapshots. */
    public boolean isKeptAs(@Nullable WarmStart<?> other) {
        return other != null && name.equals(other.name) && store.equals(other.store);
    }

    private static String name(Selected<?> selected) {
        String type = selected.type().toString().replaceAll("[^A-Za-z0-9.-]", "_");
        return type.substring(0, Math.min(LONGEST_TYPE, type.length())) + "-"
                + digest(typeOf(selected.type()) + "\n" + selected.namespaces() + "\n" + selected.selector() + "\n" + selected.edition());
    }

    private static String typeOf(ResourceType<?> type) {
        return type.apiVersion() + " " + type.plural() + " " + type.form() + " " + type.objectClass().getName();
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible); // every Java has it
        }
    }

    /**
     * Runs work for the storage on threads that may block. An error that is thrown there fails the work: Reactor would rethrow errors that
     * it treats as fatal, and the work would never end.
     */
    private static <R> Mono<R> onThreads(Function<Scheduler, Mono<R>> way) {
        return Mono.defer(() -> {
            Sinks.Empty<R> broken = Sinks.empty();
            Scheduler threads = Contained.scheduler(
                    Schedulers.boundedElastic(),
                    thrown -> broken.tryEmitError(new IllegalStateException("aborted by " + thrown, thrown)));
            return Mono.firstWithSignal(way.apply(threads), broken.asMono());
        });
    }

    /** Emits the properties that must be equal to use a snapshot, on a thread that may block. */
    private Mono<Map<String, String>> label(Scheduler threads) {
        return Mono.defer(client::server)
                .zipWith(shape, this::label)
                .timeout(PATIENCE,
                        Mono.error(() ->
                        new TransportException("the server was not identified within " + PATIENCE.toSeconds() + " s", null)), timer)
                .publishOn(threads);
    }

    private Map<String, String> label(String server, String fields) {
        Map<String, String> label = new LinkedHashMap<>();
        label.put("server", server);
        label.put("type", typeOf(selected.type()));
        label.put("namespaces", selected.namespaces().toString());
        label.put("selector", selected.selector().toString());
        label.put("edition", selected.edition());
        label.put("fields", fields);
        label.put("managedFields", codec.keepsManagedFields() ? "kept" : "left out");
        return label;
    }

    /** Emits the snapshot that was saved last; empty if there is none that can be used. Never fails, and takes a limited time. */
    public Mono<Saved<T>> recall() {
        return onThreads((Scheduler threads) -> label(threads)
                        .flatMap(label -> read(label, threads).cancelOn(threads).timeout(PATIENCE, timer))
                        .subscribeOn(threads)) // classes may be loaded here
                .onErrorResume(failure -> {
                    LOG.warn("{}: the saved objects cannot be loaded, so the informer lists: {}", what, String.valueOf(failure));
                    return Mono.empty();
                });
    }

    private Mono<Saved<T>> read(Map<String, String> label, Scheduler threads) {
        return SavedReader.read(pieces(threads), label, codec.written(selected.type()))
                .onErrorResume(SavedReader.UnusableException.class, this::setAside);
    }

    /** The saved pieces, on a thread that may block, independent of the thread on which the storage emits. */
    private Flux<ByteBuffer> pieces(Scheduler threads) {
        return store.load(name).publishOn(threads, 1);
    }

    private Mono<Saved<T>> setAside(SavedReader.UnusableException reason) {
        return setAside(String.valueOf(reason.getMessage())).then(Mono.empty());
    }

    private Mono<String> setAside(String reason) {
        return store.setAside(name)
                .doOnNext(place -> LOG.warn(
                        "{}: the snapshot {} cannot be used: {}. It was moved to {}, to be examined or deleted; the informer lists"
                        + " instead", what, name, reason, place));
    }

    /** Saves {@code held}, and emits whether that succeeded; a failure is logged. Never fails. */
    public Mono<Boolean> save(Held<T> held) {
        return onThreads((Scheduler threads) -> Mono.defer(() -> tried ? write(held, threads) : tryRows(held, threads))
                        .subscribeOn(threads)) // not on a thread of the delivery or the timer
                .onErrorResume(failure -> Mono.just(fails(failure)));
    }

    private Mono<Boolean> write(Held<T> held, Scheduler threads) {
        return lossy
                ? Mono.just(false)
                : label(threads)
                        .flatMap(of ->
                                store.save(name, SavedWriter.write(new SavedLabel(of, held.at(), held.versions()), held, codec::write)))
                        .timeout(SAVING, Mono.error(() -> new TimeoutException("not saved within " + SAVING.toMinutes() + " min")), timer)
                        .then(Mono.fromCallable(this::worksAgain));
    }

    /** The first save: checks before whether a process that begins with the snapshot would have the same objects. */
    private Mono<Boolean> tryRows(Held<T> held, Scheduler threads) {
        ReadBack rows = ReadBack.of(held.rows(), selected.type(), codec);
        tried = rows.tried() > 0;
        lossy = rows.lossy() != null;
        if (!lossy) {
            return write(held, threads);
        }
        String reason = rows.lossy() + " would not be equal when it is read again: " + selected.type().objectClass().getName()
                + " has a property that is read and not written, or written and not read";
        LOG.warn("{}: its objects are not saved: {}. Each start begins with a list", what, reason);
        return pieces(threads).hasElements().filter(former -> former).flatMap(former -> setAside(reason)).thenReturn(false);
    }

    private boolean worksAgain() {
        outages.ended("its objects are saved again", "");
        return true;
    }

    private boolean fails(Throwable failure) {
        outages.failed(new IllegalStateException("its objects cannot be saved as " + name + ", and a restart begins with older ones or "
                + "with a list: " + failure), "saving again", Saver.PERIOD);
        return false;
    }
}
