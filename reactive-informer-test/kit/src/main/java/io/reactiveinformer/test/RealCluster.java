package io.reactiveinformer.test;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.server.Answer;
import io.reactiveinformer.apiserver.internal.server.Breaks.ConnectionCut;
import io.reactiveinformer.apiserver.internal.server.MemoryTransport;
import io.reactiveinformer.apiserver.internal.server.RequestHandler;
import io.reactiveinformer.client.DeleteOptions;
import io.reactiveinformer.client.Discovery;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.netty.ByteBufFlux;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The part of a real cluster that one server of a test has: the namespaces and the objects without a namespace that were created through
 * it. A request that would change anything else is not sent. Lists and watches of all namespaces have only the objects in its own ones.
 * {@link #clean} deletes what is its own, each by its uid.
 */
final class RealCluster implements RequestHandler {

    static final String LABEL = "reactiveinformer.io/test-run";
    static final String RUN = UUID.randomUUID().toString().substring(0, 8);
    private static final String NAMESPACES = "/api/v1/namespaces/";
    private static final List<String> OF_EACH_CLUSTER = List.of("default", "kube-system", "kube-public", "kube-node-lease");
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration CONTROLLER = Duration.ofSeconds(1); // of namespaces and quotas, if there is one
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final int AT_ONCE = 8;

    private static final AtomicReference<String> ANNOUNCED = new AtomicReference<>("");

    private final Upstream upstream;
    private final KubernetesClient client = KubernetesClient.over(new MemoryTransport(this)); // own requests pass here, too
    private final RealTypes types;
    private final Map<String, Made> made = new LinkedHashMap<>(); // by group, plural and name; guarded by itself
    private final Thread atExit = new Thread(this::clean, "clean-real-cluster");
    private volatile @Nullable String namespace;
    private volatile @Nullable String obstacle;

    private record Made(String path, String uid) {}

    RealCluster(ClusterConfig config) {
        this.upstream = Upstream.of(config);
        this.types = new RealTypes(this);
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * The cluster that this run of the tests names; null for servers in memory.
     *
     * @throws IllegalArgumentException if the run names a cluster only in part
     */
    static @Nullable RealCluster chosen() {
        String cluster = System.getProperty("cluster", "fake");
        if (cluster.equals("fake")) {
            return null;
        }
        String files = Stream.of(System.getProperty("cluster.kubeconfig"), System.getenv("REAL_KUBECONFIG"), System.getenv("KUBECONFIG"))
                .filter(given -> given != null && !given.isEmpty()).findFirst().orElse("");
        String context = System.getProperty("cluster.context", "");
        if (!cluster.equals("real") || files.isEmpty() || context.isEmpty()) {
            throw new IllegalArgumentException("-Dcluster=" + cluster + " with kubeconfig \"" + files + "\" and context \"" + context + "\": "
                    + "name all of -Dcluster=real, -Dcluster.kubeconfig=FILE (or REAL_KUBECONFIG, KUBECONFIG), -Dcluster.context=NAME; "
                    + "-Dcluster=fake is the default, and no file of the home directory is read");
        }
        Path[] paths = Arrays.stream(files.split(File.pathSeparator)).map(Path::of).toArray(Path[]::new);
        var real = new RealCluster(ClusterConfig.kubeconfig(paths).context(context));
        String chosen = "tests run on the real cluster " + real.upstream.cluster().server() + ", context " + context + " of " + files;
        if (!chosen.equals(ANNOUNCED.getAndSet(chosen))) {
            System.out.println(chosen); // for people who have no logging, too
        }
        return real;
    }

    RealTypes types() {
        return types;
    }

    /** The exception that skips the test for this reason, which is remembered. */
    RuntimeException skip(String reason) {
        String why = "not on a real cluster: " + reason;
        obstacle = why;
        return Aborted.of(why);
    }

    /** Apart, since who runs no JUnit lacks its exception, as the program of its own does. */
    private static final class Aborted {
        static RuntimeException of(String reason) {
            return new TestAbortedException(reason);
        }
    }

    /** The latest reason for which the test cannot run on a real cluster; empty if there is none. */
    Optional<String> obstacle() {
        return Optional.ofNullable(obstacle);
    }

    /** Passes the request on, unless it would change what is not this server's own. */
    @Override
    public Mono<Answer> handle(ApiRequest request) {
        return mayPass(request).flatMap(may -> may
                ? upstream.send(request).onErrorMap(TransportException.class, failure -> new ConnectionCut(true))
                        .flatMap(answer -> request.verb().isWrite() ? noted(request, answer) : Mono.just(own(request, answer)))
                : Answer.of(ApiFailure.of(403, "Forbidden", refusal(request)), request.http()));
    }

    private String refusal(ApiRequest request) {
        return Objects.requireNonNull(skip("\"" + request + "\" concerns what this test has not made there, and is not sent; "
                + "objects without a namespace of their own belong into server.namespace()").getMessage());
    }

    private Mono<Boolean> mayPass(ApiRequest request) {
        boolean harmless = !request.verb().isWrite() || request.plural().endsWith("reviews");
        if (harmless && !request.subresource().matches("(exec|attach|portforward|proxy)(/.*)?")) {
            return Mono.just(true);
        }
        String namespace = request.namespace();
        String name = request.name();
        if (!request.isResource() || namespace == null && name == null) {
            return Mono.just(request.isResource() && request.verb() == Verb.CREATE);
        }
        boolean own = namespace != null ? isOwn(namespace) : isMade(key(request.group(), request.plural(), Objects.requireNonNull(name)));
        String subject = namespace != null ? NAMESPACES + namespace : path(request, Objects.requireNonNull(name));
        return own ? Mono.just(true) // the server itself refuses what concerns something that is not there
                : upstream.send(ApiRequest.of(HttpRequest.get(subject, Headers.empty())))
                        .flatMap(answer -> bytes(answer).thenReturn(answer.status() == 404));
    }

    private static String path(ApiRequest request, String name) {
        return (request.group().isEmpty() ? "/api/" : "/apis/" + request.group() + "/") + request.version() + "/" + request.plural()
                + "/" + name;
    }

    private static String key(String group, String plural, String name) {
        return group + "/" + plural + "/" + name;
    }

    private boolean isMade(String key) {
        synchronized (made) {
            return made.containsKey(key);
        }
    }

    private boolean isOwn(String namespace) {
        return isMade(key("", "namespaces", namespace));
    }

    /** Notes the object without a namespace that was created, or was deleted at once. */
    private Mono<Answer> noted(ApiRequest request, Answer answer) {
        boolean created = answer.status() == 201 && request.subresource().isEmpty() && !request.plural().endsWith("reviews");
        if (request.namespace() != null || !created && request.verb() != Verb.DELETE) {
            return Mono.just(answer);
        }
        return bytes(answer).map(body -> {
            JsonNode object = read(body);
            String name = created ? Json.text(object, "metadata", "name") : Objects.requireNonNullElse(request.name(), "");
            synchronized (made) {
                if (created) {
                    made.put(key(request.group(), request.plural(), name), new Made(path(request, name), Json.text(object, "metadata", "uid")));
                } else if (answer.status() == 200 && Json.text(object, "kind").equals("Status")) {
                    made.remove(key(request.group(), request.plural(), name));
                }
            }
            return answer.body(Flux.just(Unpooled.wrappedBuffer(body)));
        });
    }

    /** The answer without the objects in namespaces that are not own; each event of a watch in a buffer of its own, as faults need it. */
    private Answer own(ApiRequest request, Answer answer) {
        boolean everywhere = request.namespace() == null && request.name() == null && request.isResource();
        if (answer.status() != 200) {
            return answer;
        } else if (request.verb() == Verb.WATCH) {
            return answer.body(RecordingWriter.lines(answer.body())
                    .filter(line -> !everywhere || isOwn(read(ByteBufUtil.getBytes(line)).path("object"))));
        } else if (!everywhere || request.verb() != Verb.LIST) {
            return answer;
        }
        return answer.body(bytes(answer).<ByteBuf>map(body -> {
            JsonNode list = read(body);
            if (list.path("items") instanceof ArrayNode items) {
                items.removeIf(item -> !isOwn(item));
            }
            return Unpooled.wrappedBuffer(Json.write(list));
        }).flux());
    }

    private boolean isOwn(JsonNode object) {
        String namespace = Json.text(object, "metadata", "namespace");
        return namespace.isEmpty() || isOwn(namespace);
    }

    private static Mono<byte[]> bytes(Answer answer) {
        return ByteBufFlux.fromInbound(answer.body()).aggregate().asByteArray().defaultIfEmpty(new byte[0]);
    }

    private static JsonNode read(byte[] body) {
        try {
            return body.length == 0 ? Json.object() : Json.read(body);
        } catch (JacksonException text) {
            return Json.object().put("message", new String(body, StandardCharsets.UTF_8).strip());
        }
    }

    /**
     * The answer to a request of this server itself.
     *
     * @throws StatusException if the cluster refuses it
     */
    ObjectNode call(String method, String path, @Nullable ObjectNode body) {
        return Objects.requireNonNull(join(client.raw().send(method, path, body).cast(ObjectNode.class)));
    }

    /** As {@link #call}, and empty if there is no such object, or another one or version. */
    Optional<ObjectNode> find(String method, String path, @Nullable ObjectNode body) {
        return Optional.ofNullable(join(present(client.raw().send(method, path, body).cast(ObjectNode.class))));
    }

    List<Discovery.Resource> discovered() {
        return Objects.requireNonNull(join(client.discovery().resources().collectList()));
    }

    /** The answer; empty if there is no such object, or another one or version. */
    private static <R> Mono<R> present(Mono<R> answer) {
        return answer.onErrorResume(StatusException.class,
                refused -> List.of(404, 409, 422).contains(refused.code()) ? Mono.empty() : Mono.error(refused));
    }

    private static <R> @Nullable R join(Mono<R> answer) { // and not block(): a test may call from a thread of Reactor's
        Signal<R> end = answer.materialize().toFuture().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        if (end.getThrowable() != null) {
            throw Exceptions.propagate(end.getThrowable());
        }
        return end.get();
    }

    /** The namespace for objects that name none. */
    synchronized String namespace() {
        String own = namespace;
        if (own == null) {
            own = "fake-cluster-" + UUID.randomUUID().toString().substring(0, 8);
            claim(own);
            namespace = own;
        }
        return own;
    }

    /** Creates this namespace if it is not there. */
    void claim(String name) {
        if (!isOwn(name)) {
            ObjectNode tree = Json.object().put("apiVersion", "v1").put("kind", "Namespace");
            tree.putObject("metadata").put("name", name);
            claim(tree);
        }
    }

    /**
     * Creates this namespace, with a label. If it is one of another test, or of another run of tests, waits until that one is deleted.
     *
     * @throws IllegalStateException if there is one of this name that no test has made, or if the other test does not end
     */
    ObjectNode claim(ObjectNode tree) {
        String name = Json.text(tree, "metadata", "name");
        if (OF_EACH_CLUSTER.contains(name)) {
            throw skip("the test names the namespace " + name + ", which each cluster has; use server.namespace()");
        }
        Json.child(Json.child(tree, "metadata"), "labels").put(LABEL, RUN);
        AtomicReference<ObjectNode> created = new AtomicReference<>();
        await(() -> "namespace " + name + " was made by another test; if none is running: kubectl delete namespace -l " + LABEL, () -> {
            if (find("GET", NAMESPACES + name, null).map(present -> !present.path("metadata").path("labels").has(LABEL)).orElse(false)) {
                throw new IllegalStateException("the real cluster has a namespace " + name + " that no test has made: it is not touched. "
                        + "Choose another name or cluster; tests mark theirs with the label " + LABEL);
            }
            find("POST", "/api/v1/namespaces", tree).ifPresent(created::set);
            return created.get() != null;
        });
        ObjectNode account = Json.object();
        account.putObject("metadata").put("name", "default"); // pods need it, and its controller may be late
        find("POST", NAMESPACES + name + "/serviceaccounts", account);
        return Objects.requireNonNull(created.get());
    }

    /** Waits until it is so, looking again and again. */
    static void await(Supplier<String> otherwise, BooleanSupplier condition) {
        for (long end = System.nanoTime() + PATIENCE.toNanos(); !condition.getAsBoolean(); LockSupport.parkNanos(PAUSE.toNanos())) {
            if (System.nanoTime() > end || Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException(otherwise.get());
            }
        }
    }

    /**
     * Deletes the namespaces and the objects without a namespace that were created through this server. Blocks until they are gone.
     *
     * @throws IllegalStateException if something is still there after two minutes
     */
    void clean() {
        List<Made> left;
        synchronized (made) {
            left = new ArrayList<>(made.values());
        }
        Collections.reverse(left);
        left.forEach(this::delete);
        types.forget();
        long start = System.nanoTime();
        try {
            await(() -> "still on the real cluster, and to be deleted by hand: " + left, () -> {
                left.removeIf(each -> isGone(each, isAlone(start)));
                return left.isEmpty();
            });
        } finally {
            synchronized (made) {
                made.clear();
            }
            namespace = null;
            obstacle = null;
        }
    }

    /** Whether controllers had their time since then, and what they do is done here. */
    static boolean isAlone(long since) {
        return System.nanoTime() - since > CONTROLLER.toNanos();
    }

    private boolean isGone(Made each, boolean alone) {
        ObjectNode left = find("GET", each.path(), null).filter(object -> Json.text(object, "metadata", "uid").equals(each.uid())).orElse(null);
        if (left == null || !each.path().startsWith(NAMESPACES)) {
            return left == null;
        }
        if (empty(each.path().substring(NAMESPACES.length())) && alone) { // no controller, as where only an API server runs
            left.putObject("spec");
            find("PUT", each.path() + "/finalize", left);
        }
        return false;
    }

    /** Deletes all objects of a namespace that is being deleted, by force and whatever their finalizers are. */
    private boolean empty(String namespace) {
        List<Made> content = Objects.requireNonNull(join(Flux.fromIterable(types.deletable())
                .map(type -> RealTypes.collection(type, namespace))
                .flatMap(path -> present(client.raw().json(path)) // its definition may be gone meanwhile
                        .flatMapIterable(list -> list.path("items"))
                        .map(item -> new Made(path + "/" + Json.text(item, "metadata", "name"), Json.text(item, "metadata", "uid"))), AT_ONCE)
                .collectList()));
        content.forEach(this::delete);
        return content.isEmpty();
    }

    /** Deletes the object if it still is this one. Only the finalizers of namespaces and definitions have work that the cluster itself does. */
    private void delete(Made object) {
        ApiRequest at = ApiRequest.of(HttpRequest.get(object.path(), Headers.empty()));
        ObjectKey key = ObjectKey.of(at.namespace(), Objects.requireNonNull(at.name()));
        ResourceClient<JsonNode> objects = client.resources(ResourceType.dynamic(at.group(), at.version(), at.plural()));
        ObjectNode patch = Json.object();
        patch.putObject("metadata").put("uid", object.uid()).putNull("finalizers");
        boolean works = List.of("namespaces", "customresourcedefinitions").contains(at.plural());
        join((works ? Mono.empty() : present(objects.patch(key, Patch.merge(patch))))
                .then(present(objects.delete(key, DeleteOptions.defaults().withGracePeriod(Duration.ZERO).withUid(object.uid())))));
    }

    /** Deletes what is own, and ends all connections. */
    void close() {
        try {
            clean();
        } finally {
            Runtime.getRuntime().removeShutdownHook(atExit);
            client.close();
            upstream.close().block(PATIENCE);
        }
    }
}
