package io.reactiveinformer.internal.codec;

import io.netty.buffer.ByteBuf;
import io.reactiveinformer.internal.codec.ClassReaders.ClassReader;
import io.reactiveinformer.resource.FieldPath;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import io.reactiveinformer.resource.Versioned;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.JsonNode;

/**
 * Decodes the server's answers and encodes objects for requests. One codec serves a client; the objects that it reads share equal strings
 * and values. Any thread may call.
 *
 * <p>Decoding happens on the thread that delivers the body or requests elements, and only as far as is requested; buffers are read during
 * {@code onNext} and not kept. Objects of {@link #list} and {@link #watch} are read-only, since they share equal parts (unless
 * {@link Reading#shares} is false), and their collections are immutable. {@link #object} emits one that is the caller's own, to be changed
 * and sent back. {@code metadata.managedFields}, often half of an object, are omitted unless
 * {@linkplain #managedFields(boolean) configured}.
 *
 * <p>An object that is larger than the limit, or nested more than 500 deep, cannot be read: a list or a watch emits it as unreadable and
 * goes on, elsewhere it is a failure.
 */
public final class ObjectCodec {

    /**
     * The upper bound of {@link #LARGEST_OBJECT}. etcd accepts objects of 1.5 MiB by default, and aggregated API servers may have larger
     * ones.
     */
    static final int MOST_BY_HEAP = 32 << 20;
    /**
     * The lower bound of {@link #LARGEST_OBJECT}: an API server accepts no larger request. Parts with a limit of their own, such as the
     * metadata of a list, are smaller.
     */
    private static final int LEAST_BY_HEAP = 3 << 20;
    private static final int SHARES = 32;

    /**
     * The default limit of bytes of one object: a thirty-second of the maximal heap, at least 3 MiB and at most 32 MiB. While an object
     * arrives, it takes about twice its bytes, and then the memory of the decoded object, for each list and watch that receives a large one
     * at the same time.
     */
    public static final int LARGEST_OBJECT = largestObject(Runtime.getRuntime().maxMemory());
    /** Limit of nested objects and lists. Those of Kubernetes have about twenty levels, a CRD's schema about a hundred. */
    public static final int DEEPEST = 500;

    /** Limit of bytes of a refusal that are read. */
    static final int LARGEST_REFUSAL = 64 << 10;

    /** Limit of bytes that are read and ignored: a new connection costs less than more of them. */
    private static final int LARGEST_IGNORED = 1 << 20;

    private final SharedStrings strings = new SharedStrings();
    private final Readers readers;
    private final int largest;
    private final Scheduler loader;
    private final boolean managedFields;
    private final boolean protobuf;
    private final Map<Class<?>, Mono<Void>> prepared = new HashMap<>(); // guarded by this
    private Mono<Void> preparations = Mono.empty(); // guarded by this

    static int largestObject(long heap) {
        return (int) Math.max(LEAST_BY_HEAP, Math.min(MOST_BY_HEAP, heap / SHARES));
    }

    private ObjectCodec(int largest, Scheduler loader, boolean managedFields, boolean protobuf) {
        this.largest = largest;
        this.loader = loader;
        this.managedFields = managedFields;
        this.protobuf = protobuf;
        this.readers = new Readers(strings, managedFields);
    }

    /**
     * Rejects a class that cannot be read, or that has a {@link FieldPath} that cannot be read, before anything is requested.
     *
     * @throws IllegalArgumentException if a path is malformed, two components overlap, or Jackson can make no objects of the class or of
     *     that of a property
     */
    public void check(ResourceType<?> type) {
        FieldPaths.check(type.objectClass(), new HashSet<>());
        if (!readers.hasOwn(type) && !readers.hasShared(type)) {
            ClassCheck.of(type.objectClass(), () -> readers.mapper(type.objectClass()));
        }
    }

    /** A codec with the limit {@link #LARGEST_OBJECT}. Cheap: costly parts are made on first use, see {@link #prepare}. */
    public static ObjectCodec create() {
        return create(LARGEST_OBJECT);
    }

    /**
     * A codec with another limit.
     *
     * @param largest limit of bytes of one object, or of an answer that is read whole; a larger one cannot be read
     */
    public static ObjectCodec create(int largest) {
        return create(largest, Schedulers.boundedElastic());
    }

    /**
     * A codec with another limit, and another scheduler that loads classes.
     *
     * @param largest as in {@link #create(int)}
     * @param loader where {@link #prepare} loads classes; {@link Schedulers#immediate} for the subscribing thread, except for a
     *     non-blocking one, which might have to wait for another thread that loads the same classes: it leaves the work to
     *     {@link Schedulers#boundedElastic}
     */
    public static ObjectCodec create(int largest, Scheduler loader) {
        return create(largest, loader, false, true);
    }

    /**
     * A codec of which everything is said.
     *
     * @param managedFields whether {@code metadata.managedFields} are read; otherwise they are omitted
     * @param protobuf whether any type is {@linkplain #readsProtobuf read} from protocol buffers
     */
    public static ObjectCodec create(int largest, Scheduler loader, boolean managedFields, boolean protobuf) {
        return new ObjectCodec(largest, loader, managedFields, protobuf);
    }

    /**
     * A new codec with the same limit and loader, which shares no values with this one.
     *
     * @param kept whether {@code metadata.managedFields} are read; otherwise they are omitted
     */
    public ObjectCodec managedFields(boolean kept) {
        return new ObjectCodec(largest, loader, kept, protobuf);
    }

    /** Whether {@code metadata.managedFields} are read. */
    public boolean keepsManagedFields() {
        return managedFields;
    }

    /**
     * Prepares the reader for objects of {@code type}, on the loader, where loading hundreds of classes delays nothing else: for the first
     * projection, tree or class that Jackson reads as a whole this takes about a second. Completes at once if that has been done, and fails
     * with {@link IllegalArgumentException} if no objects of the type's class can be made. Reading works without it, but then prepares the
     * reader on the thread that delivers the body.
     *
     * <p>Three things happen on that thread in any case, on first use. The properties of a model class are determined when an object first
     * has it: some milliseconds for each class. Jackson's mapper is made when an object first has something that only Jackson reads
     * (a fraction): it takes half a second, and may wait for another thread that makes it, too. The first object that
     * Jackson must read as a whole (a null in a list, a malformed value) takes a second more, once for its class.
     */
    public Mono<Void> prepare(ResourceType<?> type) {
        return Mono.defer(() -> readers.hasShared(type) ? Mono.empty() : preparation(type));
    }

    /**
     * Preparations run one after the other: they load the same classes, and a hundred informers that start at once must not take a thread
     * each.
     */
    private synchronized Mono<Void> preparation(ResourceType<?> type) {
        return prepared.computeIfAbsent(type.objectClass(), untried -> {
            Mono<Void> next = Mono.fromRunnable(() -> prepareAll(type));
            Mono<Void> preparation = preparations.then(Mono.defer(() -> next.subscribeOn(loader()))).cache();
            preparations = preparation.onErrorComplete();
            return preparation;
        });
    }

    private void prepareAll(ResourceType<?> type) {
        Readers.Reader unused = readers.shared(type);
        boolean unusedOfMessages = readsProtobuf(type);
    }

    /**
     * Reads one page of a list: emits each item as it arrives, then the end of the list. An item that {@code reading} has cached with the
     * same uid and version is not decoded: the cached entry itself is emitted. An item that {@code reading} does not want is omitted. Items
     * have {@code apiVersion} and {@code kind}, which the server omits in lists of built-in types, so that they equal those of a watch.
     *
     * <p>Fails with {@link io.reactiveinformer.resource.TransportException} if the body ends before the list does, with
     * {@link io.reactiveinformer.resource.UnexpectedAnswerException} if it is not a list, and with the {@link StatusException} of a refusal
     * that comes instead of the list or of an item.
     */
    public <T> Flux<ObjectEvent<T>> list(Flux<ByteBuf> body, ResourceType<T> type, Reading<T> reading) {
        return Flux.defer(() -> new FluxCut<>(body, new ListBody<>(entries(type, reading), largest)));
    }

    /** Whether the bytes were no message that was expected: the same may be readable in JSON. */
    public static boolean isMalformedMessage(KubernetesException failure) {
        return failure.getCause() instanceof MalformedMessageException;
    }

    /** As {@link #list}, from protocol buffers. Only for a type that is {@linkplain #readsProtobuf read} from them. */
    public <T> Flux<ObjectEvent<T>> listInProtobuf(Flux<ByteBuf> body, ResourceType<T> type, Reading<T> reading) {
        return Flux.defer(() -> {
            MessageBinding<T> binding = messageBinding(type, reading);
            return new FluxCut<>(body, new MessageListBody<>(new EntryReader<>(type, reading, binding, managedFields), binding, largest));
        });
    }

    /** As {@link #watch}, from protocol buffers. Only for a type that is {@linkplain #readsProtobuf read} from them. */
    public <T> Flux<ObjectEvent<T>> watchInProtobuf(Flux<ByteBuf> body, ResourceType<T> type, Reading<T> reading, String attempted) {
        return Flux.defer(() -> {
            MessageBinding<T> binding = messageBinding(type, reading);
            return new FluxCut<>(body,
                    new MessageWatchBody<>(new EntryReader<>(type, reading, binding, managedFields), binding, attempted, largest));
        });
    }

    /** Whether objects of the type can be read from protocol buffers. */
    public boolean readsProtobuf(ResourceType<?> type) {
        return protobuf && readers.protobuf(type) != null;
    }

    private <T> MessageBinding<T> messageBinding(ResourceType<T> type, Reading<T> reading) {
        ClassReader messages = readers.protobuf(type);
        if (messages == null) {
            throw new IllegalArgumentException(type + " are read from JSON only");
        }
        var skim = new MessageSkim(strings);
        return new MessageBinding<>(type, skim, readers.shared(type), messages.open(skim, reading.shares()), strings);
    }

    /**
     * Reads the events of a watch, without {@link ObjectEvent.Opened}. An ERROR event, and a refusal in place of an event or of its object,
     * fail it with the {@link io.reactiveinformer.resource.StatusException} for the reason. Completes when the body does; an incomplete
     * event at the end is ignored, since the server did not finish it. An event that cannot be read, or is of an unknown type, is emitted
     * as {@link ObjectEvent.Unreadable}; after bytes that are not JSON, the watch also fails with {@link UnexpectedAnswerException}.
     *
     * @param reading as in {@link #list}
     * @param attempted for the message of a failure, after "cannot": {@code watch pods in all namespaces}
     */
    public <T> Flux<ObjectEvent<T>> watch(Flux<ByteBuf> body, ResourceType<T> type, Reading<T> reading, String attempted) {
        return Flux.defer(() -> new FluxCut<>(body, new WatchBody<>(entries(type, reading), attempted, largest)));
    }

    /**
     * Reads one object, which is the caller's own. Fails with {@link io.reactiveinformer.resource.UnreadableObjectException} if it does not
     * fit the type, with a {@link StatusException} if it is a refusal, otherwise as {@link #list}.
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

    /**
     * Reads any JSON as a whole. Fails as {@link #list} does, and with {@link UnexpectedAnswerException} if the body is not JSON or is too
     * large.
     */
    public Mono<JsonNode> tree(Flux<ByteBuf> body) {
        return WholeBody.complete(body, largest).map(window -> {
            try {
                JsonNode tree = readers.mapper(JsonNode.class).readTree(window.bytes, window.begin, window.size());
                if (tree.path("kind").asString("").equals("Status")) {
                    failIfRefused(window, "read the answer");
                }
                return tree;
            } catch (StreamConstraintsException beyond) {
                throw new UnexpectedAnswerException("the answer cannot be read: " + Failures.limit(beyond));
            } catch (NumberFormatException beyond) { // Jackson's, of an exponent that no BigDecimal has
                throw new UnexpectedAnswerException("the answer cannot be read: " + Failures.NUMBER);
            } catch (JacksonException malformed) {
                throw new UnexpectedAnswerException("expected JSON, but " + window.excerpt() + " came");
            }
        });
    }

    /**
     * Reads any UTF-8 text as a whole; may be empty. Fails with {@link UnexpectedAnswerException} if it is larger than an object may be.
     */
    public Mono<String> text(Flux<ByteBuf> body) {
        return WholeBody.all(body, largest)
                .map(window -> new String(window.bytes, window.begin, window.size(), StandardCharsets.UTF_8));
    }

    /**
     * Reads the reason of a refusal, from any body: a Status, another JSON, text, HTML, or part of these. Never fails because of the
     * content; the message is of bounded length.
     *
     * @param code the HTTP status code
     * @param contentType as the server sent it; null if it did not
     * @param retryAfter from the header of that name; if null, the value in the body counts
     */
    public Mono<Status> status(Flux<ByteBuf> body, int code, @Nullable String contentType, @Nullable Duration retryAfter) {
        return WholeBody.beginning(body, LARGEST_REFUSAL)
                .map(window -> StatusReader.ofAnswer(window.bytes, window.end, code, contentType, retryAfter));
    }

    /** Reads and ignores {@code body}, so that its connection can be used again; of a long body, the rest after 1 MiB is left unread. */
    public Mono<Void> ignore(Flux<ByteBuf> body) {
        return WholeBody.ignored(body, LARGEST_IGNORED);
    }

    /** The JSON that objects of {@code type} are written as. */
    public ClassFields fields(Class<?> type) {
        return ClassFields.of(readers.mapper(type), type);
    }

    /**
     * Writes an object as JSON in UTF-8: a model class, a class or record of the user, or a tree; a projection with each component at its
     * place in the object. Nulls of classes are omitted, and empty collections of models; trees are written as they are.
     *
     * @throws IllegalArgumentException if it cannot be written
     */
    public byte[] write(Object object) {
        try {
            return readers.mapper(object.getClass()).writeValueAsBytes(object);
        } catch (JacksonException failure) {
            throw new IllegalArgumentException("cannot write a " + object.getClass().getName() + " as JSON", failure);
        }
    }

    /**
     * As {@link #write}, as a tree.
     *
     * @throws IllegalArgumentException if it cannot be written
     */
    public JsonNode tree(Object object) {
        return readers.mapper(JsonNode.class).readTree(write(object));
    }

    /**
     * Whether an object that was read has all that the server has: a tree, or of a model class, unless it was read from a server that is
     * newer than the class. A class of the user may lack fields, or read what is absent as empty.
     */
    public boolean readsAll(ResourceType<?> type) {
        return type.form() == ResourceType.Form.DYNAMIC || PlainClasses.isOfTheModels(type.objectClass()) && readers.haveReadAll(type);
    }

    /** A reader for the output of {@link #write}, of objects of {@code type} that this or another codec has read. */
    public <T> WrittenObjects<T> written(ResourceType<T> type) {
        return new WrittenObjects<>(type, new Skim(strings), readers.shared(type));
    }

    private static void failIfRefused(Window window, String attempted) {
        Status refusal = StatusReader.insteadOfValue(window.bytes, window.begin, window.end);
        if (refusal != null) {
            throw StatusException.of(refusal, attempted);
        }
    }

    private <T> EntryReader<T> entries(ResourceType<T> type, Reading<T> reading) {
        return new EntryReader<>(type, reading, new Binding<>(type, new Skim(strings), readers.shared(type), reading.shares()),
                managedFields);
    }

    private <T> Versioned<T> read(Window window, ResourceType<T> type) {
        if (window.bytes[window.begin] != '{') {
            throw new UnexpectedAnswerException("expected an object of " + type + ", but " + window.excerpt() + " came");
        }
        var entries = new EntryReader<>(type, Reading.anew(), new Binding<>(type, new Skim(strings), readers.own(type), true),
                managedFields);
        ObjectKey key = entries.key(window.bytes, window.begin, window.end);
        if (key == null && !"Status".equals(type.kind())) {
            failIfRefused(window, "read an object of " + type);
        }
        return entries.entry(key, window.bytes, window.begin, window.end);
    }
}
