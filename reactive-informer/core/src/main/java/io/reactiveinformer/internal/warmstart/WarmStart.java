package io.reactiveinformer.internal.warmstart;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.internal.Contained;
import io.reactiveinformer.internal.codec.HasCodec;
import io.reactiveinformer.internal.codec.ObjectCodec;
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

/** The snapshot of one informer in a {@link WarmStartStorage}. Every failure of the store is only logged; then everything is listed. */
public final class WarmStart<T> {

    /** How long a load may take: longer than a disk takes for the largest cluster; no longer than a list of it. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /**
     * How long a save may take: longer than the slowest disk or bucket takes. A store that takes longer has lost the save, which would
     * delay all later ones.
     */
    static final Duration SAVING = Duration.ofMinutes(30);

    private static final Logger LOG = LoggerFactory.getLogger("io.reactiveinformer.informer.Informer"); // users know that one

    /** Most characters of the type in a file's name. */
    private static final int LONGEST_TYPE = 120;

    private final WarmStartStorage store;
    private final Selected<T> selected;
    private final KubernetesClient client;
    private final Scheduler timer;
    private final String what;
    private final ObjectCodec codec;
    private final String name;
    private final Mono<String> shape;
    private volatile boolean failing;

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
        this.what = selected.type() + " in " + selected.namespaces();
        this.name = name(selected);
        this.codec = client instanceof HasCodec own ? own.codec() : codecFor(client);
        this.shape = Mono.fromCallable(() -> digest(Shape.of(selected.type().objectClass()))).cache();
    }

    private ObjectCodec codecFor(KubernetesClient foreign) {
        LOG.warn("{}: {} is not a client of this library; what it saves is read and written with default options, without managed fields",
                what, foreign.getClass().getName());
        return ObjectCodec.create();
    }

    /** Whether each of the two would replace what the other has saved. */
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
     * Runs on threads that may block, for the store. Whatever is thrown there fails the work as any failure does: Reactor rethrows what it
     * treats as fatal, and the work would never end.
     */
    private static <R> Mono<R> onThreads(Function<Scheduler, Mono<R>> way) {
        return Mono.defer(() -> {
            Sinks.Empty<R> broken = Sinks.empty();
            Scheduler threads = Contained.scheduler(
                    Schedulers.boundedElastic(),
                    thrown -> broken.tryEmitError(new IllegalStateException("broken off by " + thrown, thrown)));
            return Mono.firstWithSignal(way.apply(threads), broken.asMono());
        });
    }

    /** What must be equal to use a snapshot; emitted on a thread that may block. */
    private Mono<Map<String, String>> label(Scheduler threads) {
        return Mono.defer(client::server)
                .zipWith(shape, this::label)
                .timeout(PATIENCE,
                        Mono.error(() ->
                        new TransportException("which server it is was not to be had within " + PATIENCE.toSeconds() + " s", null)), timer)
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

    /** The snapshot that was saved last; empty if there is none that can be used. Never fails, and takes a bounded time. */
    public Mono<Saved<T>> recall() {
        return onThreads((Scheduler threads) -> label(threads)
                        .flatMap(label -> read(label, threads).cancelOn(threads).timeout(PATIENCE, timer))
                        .subscribeOn(threads)) // classes may be loaded here
                .onErrorResume(failure -> {
                    LOG.warn("{}: what was saved cannot be loaded, so everything is listed: {}", what, String.valueOf(failure));
                    return Mono.empty();
                });
    }

    private Mono<Saved<T>> read(Map<String, String> label, Scheduler threads) {
        return SavedReader.read(pieces(threads), label, codec.written(selected.type()))
                .onErrorResume(SavedReader.UnusableException.class, this::setAside);
    }

    /** The saved pieces, on a thread that may block, whatever thread the store emits on. */
    private Flux<ByteBuffer> pieces(Scheduler threads) {
        return store.load(name).publishOn(threads, 1);
    }

    private Mono<Saved<T>> setAside(SavedReader.UnusableException reason) {
        return setAside(String.valueOf(reason.getMessage())).then(Mono.empty());
    }

    private Mono<String> setAside(String reason) {
        return store.setAside(name)
                .doOnNext(place -> LOG.warn(
                        "{}: what was saved as {} cannot be used: {}. It is kept as {} for you to look at or delete; everything is listed"
                        + " instead", what, name, reason, place));
    }

    /** Whether {@code held} was saved; if not, that is logged. Never fails. */
    public Mono<Boolean> save(Held<T> held) {
        return onThreads((Scheduler threads) -> Mono.defer(() -> tried ? write(held, threads) : tryRows(held, threads))
                        .subscribeOn(threads)) // neither on a delivery thread nor on the timer
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

    /** Before the first row is written: checks whether a process that begins with the snapshot would have the same objects. */
    private Mono<Boolean> tryRows(Held<T> held, Scheduler threads) {
        ReadBack rows = ReadBack.of(held.rows(), selected.type(), codec);
        tried = rows.tried() > 0;
        lossy = rows.lossy() != null;
        if (!lossy) {
            return write(held, threads);
        }
        String reason = rows.lossy() + " would not be read as it was written; " + selected.type().objectClass().getName()
                + " has something that is read and not written, or the other way round";
        LOG.warn("{}: is not saved: {}. Every start begins with a list", what, reason);
        return pieces(threads).hasElements().filter(former -> former).flatMap(former -> setAside(reason)).thenReturn(false);
    }

    private boolean worksAgain() {
        if (failing) {
            failing = false;
            LOG.info("{}: is saved again", what);
        }
        return true;
    }

    private boolean fails(Throwable failure) {
        if (!failing) {
            failing = true;
            LOG.warn("{}: cannot be saved as {}, and is tried again without further notice: {}. Until then a restart begins with what was "
                    + "saved before, or lists", what, name, String.valueOf(failure));
        }
        return false;
    }
}
