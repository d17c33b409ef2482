package io.reactiveinformer.client;

import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Sends requests. Emits the answer if the server carried the request out, else a failure with the reason. */
record RequestPipeline(
        Transport transport, ObjectCodec codec, RequestObserver observer, Scheduler timer, WriteLimit writes, WriteLimit leases,
        ListLimit lists, RequestRetry requestRetry, ProtobufPause protobufPause, Warnings warnings) {

    /** Answered only if an entity tag was sent. */
    private static final int NOT_MODIFIED = 304;
    private static final int NOT_ACCEPTABLE = 406;
    private static final int UNSUPPORTED_MEDIA_TYPE = 415;

    private static final String LEASES = ".coordination.k8s.io";

    static RequestPipeline of(Transport transport, ObjectCodec codec, ClientOptions options) {
        Scheduler timer = options.transport().timer();
        var writes = new WriteLimit(options.writesPerSecond(), options.writeBurst(), timer);
        var leases = new WriteLimit(options.writesPerSecond(), options.writeBurst(), timer);
        return new RequestPipeline(transport, codec, ContainedObservers.of(options.observer()), timer, writes, leases,
                new ListLimit(options.listsAtOnce(), timer), new RequestRetry(timer), new ProtobufPause(timer), new Warnings());
    }

    /** Calls with another codec, under the same limits. */
    RequestPipeline with(ObjectCodec other) {
        return new RequestPipeline(
                transport, other, observer, timer, writes, leases, lists, requestRetry, protobufPause, warnings);
    }

    /**
     * Sends the request once.
     *
     * @param reader reads the answer; called only for a success that is JSON
     */
    <R> Flux<R> call(HttpRequest request, RequestDescription attempt, Function<Transport.Answer, ? extends Publisher<R>> reader) {
        return callForAny(request, attempt, answer -> isJson(answer) ? reader.apply(answer) : notOurs(answer, attempt));
    }

    /** As {@link #call}; an answer in protocol buffers is read by {@code protobuf}, null if none was asked for. */
    <R> Flux<R> call(HttpRequest request, RequestDescription attempt, Function<Transport.Answer, ? extends Publisher<R>> reader,
            @Nullable Function<Transport.Answer, ? extends Publisher<R>> protobuf) {
        if (protobuf == null) {
            return call(request, attempt, reader);
        }
        long requestedAt = protobufPause.now();
        return callForAny(request, attempt, answer -> {
            Flux<R> read = isProtobuf(answer) ? Flux.from(protobuf.apply(answer)).map(RequestPipeline::readable)
                    : isJson(answer) ? Flux.from(reader.apply(answer)) : RequestPipeline.<R>notOurs(answer, attempt).flux();
            return mayBeProtobuf(answer) ? read.doOnError(KubernetesException.class, failure -> {
                if (failure instanceof UnexpectedAnswerException || ObjectCodec.isMalformedMessage(failure)) {
                    protobufPause.begin(requestedAt, failure);
                }
            }) : read;
        }).doOnError(StatusException.class, refusal -> {
            if (refusal.code() == NOT_ACCEPTABLE || refusal.code() == UNSUPPORTED_MEDIA_TYPE) {
                protobufPause.begin(requestedAt, refusal);
            }
        });
    }

    /** A proxy may drop the content type, or replace it by {@code application/octet-stream}. */
    private static boolean mayBeProtobuf(Transport.Answer answer) {
        String contentType = contentType(answer);
        return contentType == null || !isJson(answer) && !contentType.toLowerCase(Locale.ROOT).startsWith("text/");
    }

    /** An object that is unreadable in protocol buffers is not skipped: the request fails, and the next one is for JSON. */
    private static <R> R readable(R event) {
        if (event instanceof ObjectEvent.Unreadable<?> object
                && (object.key() == null || ObjectCodec.isMalformedMessage(object.failure()))) {
            throw new UnexpectedAnswerException(String.valueOf(object.failure().getMessage()));
        }
        return event;
    }

    /** Whether objects of the type are asked for in protocol buffers. */
    boolean inProtobuf(ResourceType<?> type) {
        return protobufPause.isOver() && codec.readsProtobuf(type);
    }

    private static boolean isProtobuf(Transport.Answer answer) {
        String contentType = contentType(answer);
        return contentType != null && contentType.toLowerCase(Locale.ROOT).startsWith(Accept.PROTOBUF);
    }

    /** As {@link #call}, with the retries of {@link RequestRetry}; none follows once a part of an answer was emitted. */
    <R> Flux<R> callAgain(HttpRequest request, RequestDescription attempt, Function<Transport.Answer, ? extends Publisher<R>> reader) {
        return again(request, attempt, call(request, attempt, reader));
    }

    /** As {@link #call}, whatever the content type of a success. */
    <R> Flux<R> callForAny(HttpRequest request, RequestDescription attempt, Function<Transport.Answer, ? extends Publisher<R>> reader) {
        Flux<R> sent = Flux.defer(() -> send(request, attempt, reader));
        return reads(request) ? sent : line(attempt).admit().thenMany(sent);
    }

    /** Leases have a limit of their own: a lease that waited behind the other writes of a busy leader would be renewed too late. */
    private WriteLimit line(RequestDescription attempt) {
        return isAboutLeases(attempt.resource()) ? leases : writes;
    }

    /** Short for leases: leader election has its own retries, and reports why it waits. */
    static Duration longestWait(String resource) {
        return isAboutLeases(resource) ? RequestRetry.LONGEST_FOR_LEASES : RequestRetry.LONGEST;
    }

    private static boolean isAboutLeases(String resource) {
        return resource.endsWith(LEASES);
    }

    /** As {@link #callAgain}, whatever the content type of a success. */
    <R> Flux<R> callForAnyAgain(
            HttpRequest request, RequestDescription attempt, Function<Transport.Answer, ? extends Publisher<R>> reader) {
        return again(request, attempt, callForAny(request, attempt, reader));
    }

    private <R> Flux<R> again(HttpRequest request, RequestDescription attempt, Flux<R> call) {
        return call.retryWhen(requestRetry.retry(reads(request), longestWait(attempt.resource())));
    }

    private <R> Flux<R> send(HttpRequest request, RequestDescription attempt, Function<Transport.Answer, ? extends Publisher<R>> reader) {
        var observed = new ObservedRequest(
                observer, new RequestObserver.Request(attempt.verb(), attempt.resource(), request.method()), timer);
        return observed.observe(request, sent -> transport.exchange(UserAgent.on(sent), unobserved -> {
            Transport.Answer answer = observed.answered(unobserved);
            warnings.report(answer, attempt);
            return answer.status() / 100 == 2 || answer.status() == NOT_MODIFIED ? read(answer, attempt, reader) : refusal(answer, attempt);
        }));
    }

    /** A refusal may come as a success: from old servers, and from proxies before a server. */
    private static <R> Flux<R> read(
            Transport.Answer answer, RequestDescription attempt, Function<Transport.Answer, ? extends Publisher<R>> reader) {
        return Flux.<R>from(reader.apply(answer)).onErrorMap(StatusException.class, refusal -> {
            Status said = refusal.status();
            Duration retryAfter = said.retryAfter() == null ? retryAfter(answer) : said.retryAfter();
            var complete = new Status(said.code(), said.reason(), said.message(), said.causes(), retryAfter);
            return StatusException.of(complete, attempt.toString());
        });
    }

    private static @Nullable Duration retryAfter(Transport.Answer answer) {
        return answer.headers().first("Retry-After").map(field -> RequestRetry.parse(field, Instant.now())).orElse(null);
    }

    private static boolean reads(HttpRequest request) {
        return request.method().equals("GET");
    }

    private <R> Mono<R> refusal(Transport.Answer answer, RequestDescription attempt) {
        return codec.status(answer.body(), answer.status(), contentType(answer), retryAfter(answer))
                .flatMap(status -> Mono.error(StatusException.of(status, attempt.toString())));
    }

    /** The answer is not JSON, such as the HTML page of a proxy that demands a login. */
    private static <R> Mono<R> notOurs(Transport.Answer answer, RequestDescription attempt) {
        return Mono.error(new UnexpectedAnswerException(
                "cannot " + attempt + ": the answer is " + contentType(answer) + ", expected JSON; is this address the Kubernetes API's?"));
    }

    private static boolean isJson(Transport.Answer answer) {
        String contentType = contentType(answer);
        return contentType == null || contentType.toLowerCase(Locale.ROOT).startsWith("application/json");
    }

    private static @Nullable String contentType(Transport.Answer answer) {
        return answer.headers().first("Content-Type").orElse(null);
    }

    /** Names this library in each request, for the server's audit log. */
    private static final class UserAgent {

        private static final String NAME = name(version(UserAgent.class));

        private UserAgent() {}

        private static @Nullable String version(Class<?> ours) {
            Module module = ours.getModule();
            return module.isNamed() ? module.getDescriptor().rawVersion().orElse(null) : ours.getPackage().getImplementationVersion();
        }

        private static String name(@Nullable String version) {
            return "reactive-informer/" + (version == null ? "dev" : version) // what is before the slash is the default field manager
                    + " (" + System.getProperty("os.name") + "/" + System.getProperty("os.arch") + ")";
        }

        /** {@code request}, with a {@code User-Agent} unless it has one. */
        static HttpRequest on(HttpRequest request) {
            boolean hasOne = request.headers().first("User-Agent").isPresent();
            return hasOne ? request : request.withHeaders(request.headers().with("User-Agent", NAME));
        }
    }
}
