package io.reactiveinformer.codec;

import io.netty.buffer.ByteBuf;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.resource.WatchEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads what the server sends and writes what it is sent. One codec serves a client; the objects that it reads share equal strings and
 * values.
 *
 * <p>Reading happens in the thread that delivers the body, and only as far as is requested; buffers are read during {@code onNext} and not
 * kept. Objects of {@link #list} and {@link #watch} are read-only, since they share what is equal in them (unless {@link Lookup#shares told} not to), and their collections are immutable. {@link #object} gives one that is the
 * caller's own, to be changed and sent back. {@code metadata.managedFields}, often half of an object, are left out unless they are asked for.
 *
 * <p>What is larger than was agreed on, or nested more than 500 deep, cannot be read: in a list or a watch that is one object that is told as
 * such, elsewhere a failure.
 */
public final class ObjectCodec {

    /** What no share of the heap is above. etcd takes objects of 1.5 MiB by default, and aggregated API servers may have larger ones. */
    static final int MOST_BY_HEAP = 32 << 20;
    /** What no share of the heap is below: an API server takes no larger request. What else is limited by a number of its own, such as a list's metadata, is smaller. */
    private static final int LEAST_BY_HEAP = 3 << 20;
    private static final int SHARES = 32;

    /**
     * Most bytes of one object, unless another number is asked for: a thirty-second of the largest heap, and 3 MiB at least and 32 MiB at most. What arrives
     * is in memory about twice, and once more as an object, for each list and watch that has such a one at the same time.
     */
    public static final int LARGEST_OBJECT = largestObject(Runtime.getRuntime().maxMemory());
    /** Most objects and lists in one another. Those of Kubernetes have some twenty, a CRD's schema some hundred. */
    static final int DEEPEST = 500;

    /** Most bytes of a refusal that are looked at. */
    static final int LARGEST_REFUSAL = 64 << 10;

    /** Most bytes that are read for nothing: a new connection costs less than more of them. */
    private static final int LARGEST_IGNORED = 1 << 20;

    private final SharedStrings strings = new SharedStrings();
    private final SharedTrees trees = SharedTrees.create();
    private final Readers readers = new Readers(strings);
    private final int largest;
    private final Scheduler loader;
    private final boolean managedFields;
    private final Map<Class<?>, Mono<Void>> prepared = new HashMap<>(); // guarded by this
    private Mono<Void> preparations = Mono.empty(); // guarded by this

    static int largestObject(long heap) {
        return (int) Math.max(LEAST_BY_HEAP, Math.min(MOST_BY_HEAP, heap / SHARES));
    }

    private ObjectCodec(int largest, Scheduler loader, boolean managedFields) {
        this.largest = largest;
        this.loader = loader;
        this.managedFields = managedFields;
    }

    /** Cheap: what is costly is made as it is needed, see {@link #prepare}. */
    public static ObjectCodec create() {
        return create(LARGEST_OBJECT);
    }

    /** @param largest bytes of one object, or of an answer that is read whole; a larger one cannot be read */
    public static ObjectCodec create(int largest) {
        return create(largest, Schedulers.boundedElastic());
    }

    /**
     * @param loader where {@link #prepare} loads classes; {@link Schedulers#immediate} for the thread that asks, as long as nothing else needs it: one that must not
     *     block, and would wait for another that loads the same, leaves it to {@link Schedulers#boundedElastic}
     */
    public static ObjectCodec create(int largest, Scheduler loader) {
        return new ObjectCodec(largest, loader, false);
    }

    /** A codec like this one that leaves out {@code metadata.managedFields}, or does not. */
    public ObjectCodec managedFields(boolean kept) {
        return new ObjectCodec(largest, loader, kept);
    }

    /** Whether {@code metadata.managedFields} are read. */
    public boolean keepsManagedFields() {
        return managedFields;
    }

    /** What is held already. Called in the thread that reads; must not wait. */
    @FunctionalInterface
    public interface Lookup<T> {

        /** The state held of {@code key}; null where there is none. A later state shares with it what is the same in both, so it must never change. */
        @Nullable Versioned<T> find(ObjectKey key);

        /** Whether an object is to be read at all: one that is not is passed by without being decoded. */
        default boolean wants(ObjectKey key, @Nullable String uid) {
            return true;
        }

        /** Whether there may be one that is not wanted; otherwise it is not looked for. */
        default boolean selects() {
            return false;
        }

        /**
         * Whether objects may share what is equal in them, with others and within themselves. Without, each can be changed, but for its collections,
         * and shares its immutable values alone.
         */
        default boolean shares() {
            return true;
        }
    }

    /**
     * Makes ready what reading objects of {@code type} needs, on a thread where loading hundreds of classes delays nobody: for the first
     * projection, tree or class that Jackson reads as a whole that takes about a second. Completes at once if that has been done, and fails with
     * {@link IllegalArgumentException} if no objects of the type's class can be made. Reading works without, but then makes it in the thread that delivers the body.
     *
     * <p>What a model class is made of is found out there in any case, when an object first has it: some milliseconds a class. So is Jackson's mapper made,
     * when an object first has something that only Jackson reads (free-form JSON, a fraction); it takes half a second, and may wait then for another thread that
     * makes it, too. The first object that Jackson must read as a whole (a null in a list, a malformed value) takes a second more, once for its class.
     */
    public Mono<Void> prepare(ResourceType<?> type) {
        return Mono.defer(() -> readers.hasShared(type) ? Mono.empty() : preparation(type));
    }

    /** One after the other: they load the same classes, and a hundred informers that start at once shall not take a thread each. */
    private synchronized Mono<Void> preparation(ResourceType<?> type) {
        return prepared.computeIfAbsent(type.objectClass(), untried -> {
            Mono<Void> next = Mono.fromRunnable(() -> prepareAll(type));
            Mono<Void> preparation = preparations.then(Mono.defer(() -> next.subscribeOn(loader()))).cache();
            preparations = preparation.onErrorComplete();
            return preparation;
        });
    }

    private void prepareAll(ResourceType<?> type) {
        Readers.Reader made = readers.shared(type);
        if (managedFields) {
            JsonMapper unused = made.mapper().get(); // they are free-form JSON, and in each object
        }
    }

    /**
     * One page of a list, item by item as it arrives, then its end. An item that {@code known} holds in the same uid and version is not
     * decoded: the very entry that is held is emitted. One that {@code known} does not want is left out. Items have {@code apiVersion} and {@code kind}, which the server leaves out of lists of
     * built-in types, so that they equal those of a watch.
     *
     * <p>Fails with {@link io.reactiveinformer.resource.TransportException} if the body ends before the list does, and with
     * {@link io.reactiveinformer.resource.UnexpectedAnswerException} if it is something else than a list. A refusal that comes as one, or as an
     * item, is that {@link StatusException}.
     */
    public <T> Flux<ListEvent<T>> list(Flux<ByteBuf> body, ResourceType<T> type, Lookup<T> known) {
        return Flux.defer(() -> new FluxCut<>(body, new ListBody<>(entries(type, known), largest)));
    }

    /**
     * The events of a watch, without {@link WatchEvent.Opened}. An ERROR event fails it with the
     * {@link io.reactiveinformer.resource.StatusException} that fits, and so does a refusal in place of an event or of its object.
     * Completes when the body does; an event that is not complete then is ignored, since the server did not finish saying it. What cannot be read, or is of an unknown type, is {@link WatchEvent.Unreadable}.
     *
     * @param known as in {@link #list}
     * @param attempted for the message of a failure, after "cannot": {@code watch pods in all namespaces}
     */
    public <T> Flux<WatchEvent<T>> watch(Flux<ByteBuf> body, ResourceType<T> type, Lookup<T> known, String attempted) {
        return Flux.defer(() -> new FluxCut<>(body, new WatchBody<>(entries(type, known), attempted, largest)));
    }

    /**
     * One object, the caller's own. Fails with {@link io.reactiveinformer.resource.UnreadableObjectException} if it does not fit the type,
     * with a {@link StatusException} if it is a refusal, otherwise as {@link #list}.
     */
    public <T> Mono<Versioned<T>> object(Flux<ByteBuf> body, ResourceType<T> type) {
        return Mono.defer(() -> {
            Mono<Window> whole = WholeBody.complete(body, largest);
            return readers.hasOwn(type)
                    ? whole.map(window -> read(window, type))
                    : whole.flatMap(window -> Mono.fromCallable(() -> read(window, type)).subscribeOn(loader()));
        });
    }

    private Scheduler loader() {
        return loader == Schedulers.immediate() && Schedulers.isInNonBlockingThread() ? Schedulers.boundedElastic() : loader;
    }

    /** Any JSON, whole. Fails as {@link #list} does. */
    public Mono<JsonNode> tree(Flux<ByteBuf> body) {
        return WholeBody.complete(body, largest).map(window -> {
            try {
                JsonNode tree = readers.mapper().readTree(window.bytes, window.begin, window.size());
                if (tree.path("kind").asString("").equals("Status")) {
                    failIfRefused(window, "read the answer");
                }
                return tree;
            } catch (StreamConstraintsException beyond) {
                throw new UnexpectedAnswerException("the answer cannot be read: " + Failures.limit(beyond));
            } catch (NumberFormatException beyond) { // Jackson's, of an exponent that no BigDecimal has
                throw new UnexpectedAnswerException("the answer cannot be read: " + Failures.NUMBER);
            } catch (JacksonException malformed) {
                throw new UnexpectedAnswerException("expected JSON, but " + Excerpt.of(window) + " came");
            }
        });
    }

    /** Any text in UTF-8, whole; may be empty. Fails with {@link UnexpectedAnswerException} if it is larger than an object may be. */
    public Mono<String> text(Flux<ByteBuf> body) {
        return WholeBody.all(body, largest)
                .map(window -> new String(window.bytes, window.begin, window.size(), StandardCharsets.UTF_8));
    }

    /**
     * Why the server refused, from whatever body it sent: a Status, another JSON, text, HTML, or part of these. Never fails for what the body
     * holds; the message is of bounded length.
     *
     * @param code the HTTP status code
     * @param contentType as the server sent it; null where it did not
     * @param retryAfter from the header of that name; where it is null, what the body says counts
     */
    public Mono<Status> status(Flux<ByteBuf> body, int code, @Nullable String contentType, @Nullable Duration retryAfter) {
        return WholeBody.beginning(body, LARGEST_REFUSAL)
                .map(window -> StatusReader.ofAnswer(window.bytes, window.end, code, contentType, retryAfter));
    }

    /** Passes by what is not of interest, so that its connection can be used again; what is very long is left unread. */
    public Mono<Void> ignore(Flux<ByteBuf> body) {
        return WholeBody.ignored(body, LARGEST_IGNORED);
    }

    /**
     * An object as JSON in UTF-8: a model class, a class or record of the user's, or a tree; a projection with each component where
     * it stood in the object. Nulls and empty collections of classes are left
     * out; trees are written as they are.
     *
     * @throws IllegalArgumentException if it cannot be written
     */
    public byte[] write(Object object) {
        try {
            return readers.mapper().writeValueAsBytes(object);
        } catch (JacksonException failure) {
            throw new IllegalArgumentException("cannot write a " + object.getClass().getName() + " as JSON", failure);
        }
    }

    /** Reads what {@link #write} made of objects of {@code type} that this or another codec has read. */
    public <T> WrittenObjects<T> written(ResourceType<T> type) {
        return new WrittenObjects<>(type, new Skim(strings), readers.shared(type), strings, trees);
    }

    private static void failIfRefused(Window window, String attempted) {
        Status refusal = StatusReader.insteadOfValue(window.bytes, window.begin, window.end);
        if (refusal != null) {
            throw StatusException.of(refusal, attempted);
        }
    }

    private <T> EntryReader<T> entries(ResourceType<T> type, Lookup<T> known) {
        return new EntryReader<>(type, known, new Binding<>(type, new Skim(strings), readers.shared(type), strings, known.shares() ? trees : null), managedFields);
    }

    private <T> Versioned<T> read(Window window, ResourceType<T> type) {
        if (window.bytes[window.begin] != '{') {
            throw new UnexpectedAnswerException("expected an object of " + type + ", but " + Excerpt.of(window) + " came");
        }
        var entries = new EntryReader<>(type, key -> null, new Binding<>(type, new Skim(strings), readers.own(type), strings, trees), managedFields);
        ObjectKey key = entries.key(window.bytes, window.begin, window.end);
        if (key == null && !"Status".equals(type.kind())) {
            failIfRefused(window, "read an object of " + type);
        }
        return entries.entry(key, window.bytes, window.begin, window.end);
    }
}
