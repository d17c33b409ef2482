package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.client.WriteOptions;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.internal.codec.HasCodec;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Form;
import io.reactiveinformer.resource.Versioned;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/**
 * Server-side apply for controllers, which sends nothing while the object is as it was applied.
 *
 * <pre>{@code
 * Applier<V1ConfigMap> pages = Applier.of(client, CONFIG_MAPS, informers.of(CONFIG_MAPS)).withForce();
 * … pages.apply(request, page).thenReturn(Result.done())
 * }</pre>
 *
 * <p>The field manager is the name of the controller. An apply is sent if what is to be applied differs from what was applied last, or if
 * the cached object has another value in a field that was applied. Which fields these are, the server says in its answer; its defaults, and
 * fields of other managers, do not count, nor does what the server leaves out, such as {@code paused: false}. For an object that this
 * process has not applied yet, the server is asked once, by a GET: so an operator that restarts at rest writes nothing, and what it has
 * applied before and does not want any more is removed. If the server has stored a value in another form, or has added defaults within a
 * value that is applied as a whole (the reference of an environment variable to a field, the claims of a StatefulSet), such an object is
 * applied once in each process, which changes nothing. The server refuses to apply a field that the definition of a custom type lacks, and
 * names it.
 *
 * <p>It keeps about a kilobyte for each applied object, as long as the object is cached: the list of our fields, as the server wrote it,
 * and digests of their values. A cached object is compared once, not at each look. Thread-safe; one instance serves a controller.
 *
 * @param <T> the objects: model classes, classes or records of the user, trees
 * @see <a href="https://kubernetes.io/docs/reference/using-api/server-side-apply/">Kubernetes: server-side apply</a>
 */
public final class Applier<T> {

    private final ResourceType<T> type;
    private final Informer<T> cache;
    private final ResourceClient<JsonNode> client;
    private final ObjectCodec codec;
    private final boolean force;
    private final Map<ObjectKey, Proof> proofs;

    private Applier(ResourceType<T> type, Informer<T> cache, ResourceClient<JsonNode> client, ObjectCodec codec, boolean force,
            Map<ObjectKey, Proof> proofs) {
        this.type = type;
        this.cache = cache;
        this.client = client;
        this.codec = codec;
        this.force = force;
        this.proofs = proofs;
    }

    /**
     * What was applied to an object.
     *
     * @param version the one that the server answered: the object in that version is as applied, whatever it makes of what was sent
     * @param desired a digest of what was sent
     * @param fields the fields that the manager owns since then
     * @param values a digest of their values, as the server has stored them
     * @param same the cached object that was found to have these values, as long as it is cached; null if none was compared yet
     */
    private record Proof(String manager, @Nullable String uid, @Nullable String version, String desired, String fields, String values,
            @Nullable WeakReference<Object> same) {

        boolean isOf(ReconcileRequest<?> request, V1ObjectMeta cached) {
            return manager.equals(request.controller()) && Objects.equals(uid, cached.getUid());
        }

        Proof with(Object cached, String itsValues) {
            return new Proof(manager, uid, version, desired, fields, itsValues, new WeakReference<>(cached));
        }
    }

    /**
     * The object after an apply.
     *
     * @param changed whether a request has changed it
     */
    record Applied<T>(T object, boolean changed) {}

    /**
     * An applier for objects of {@code type}. It does not take over fields of other managers.
     *
     * @param cache an informer of the objects that are applied; what it does not contain is sent each time
     * @throws IllegalArgumentException if {@code type} reads only a part of its objects
     */
    public static <T> Applier<T> of(KubernetesClient client, ResourceType<T> type, Informer<T> cache) {
        if (type.form() == Form.METADATA || type.form() == Form.PROJECTED) {
            throw new IllegalArgumentException("a part of " + type + " cannot be applied; use the type itself");
        }
        ResourceType<JsonNode> trees = new ResourceType<>(type.group(), type.version(), type.plural(), type.kind(), type.scope(),
                Form.DYNAMIC, JsonNode.class);
        ObjectCodec codec = client instanceof HasCodec has ? has.codec() : ObjectCodec.create();
        return new Applier<>(type, cache, client.withManagedFields().resources(trees), codec, false, new ConcurrentHashMap<>());
    }

    /** A copy that takes over fields of other managers, instead of failing with a conflict. */
    public Applier<T> withForce() {
        return new Applier<>(type, cache, client, codec, true, proofs);
    }

    /**
     * Applies {@code desired}, and emits the object: the cached one if nothing is to be done, else as the server has stored it; then the
     * key of {@code request} waits for the cache, as with {@link ReconcileRequest#wrote}. Creates the object if there is none.
     *
     * <p>Fails with {@link io.reactiveinformer.resource.ConflictException}, which names
     * {@linkplain io.reactiveinformer.resource.ConflictException#fields fields and managers}, if another manager owns a field with another
     * value, unless {@link #withForce}; with {@link IllegalArgumentException} if {@code desired} has no name, or no namespace though its
     * type has; otherwise as {@link ResourceClient#apply}.
     *
     * @param desired only the intended fields, with name and namespace; not an object that was read. Its status is not applied
     */
    public Mono<T> apply(ReconcileRequest<?> request, T desired) {
        return Mono.defer(() -> {
            if (ObjectWrites.metadata(desired).getName() == null) {
                throw new IllegalArgumentException("what is applied to " + type + " needs a name");
            }
            return look(request, ObjectWrites.key(desired), tree(desired)).map(Applied::object);
        });
    }

    /** As {@link #apply}, with {@code desired} as it is sent. */
    Mono<Applied<T>> look(ReconcileRequest<?> request, ObjectKey key, JsonNode desired) {
        return Mono.defer(() -> {
            type.requireKey(key);
            return new Look(request, key, desired).act(cache.lister().get(key).orElse(null));
        });
    }

    private JsonNode tree(T object) {
        return AppliedFields.tree(codec.write(object));
    }

    private Mono<T> read(JsonNode tree) {
        return codec.object(Flux.just(Unpooled.wrappedBuffer(codec.write(tree))), type).map(Versioned::object);
    }

    /** One call of {@link #apply}. */
    private final class Look {

        private final ReconcileRequest<?> request;
        private final ObjectKey key;
        private final JsonNode desired;
        private final String values;

        Look(ReconcileRequest<?> request, ObjectKey key, JsonNode desired) {
            this.request = request;
            this.key = key;
            this.desired = desired;
            this.values = AppliedFields.values(desired);
        }

        Mono<Applied<T>> act(@Nullable T cached) {
            if (cached == null) {
                return send(null);
            }
            Proof proof = proofs.get(key);
            if (proof == null || !proof.isOf(request, ObjectWrites.metadata(cached))) {
                return ask();
            }
            return proof.desired.equals(values) && hasItsValues(proof, cached) ? Mono.just(new Applied<>(cached, false)) : send(cached);
        }

        /** A cached object is never changed, only replaced: one that was compared need not be written as a tree again. */
        private boolean hasItsValues(Proof proof, T cached) {
            if (proof.same != null && proof.same.refersTo(cached)) {
                return true;
            }
            String itsValues = AppliedFields.values(tree(cached), proof.fields);
            boolean has = proof.values.equals(itsValues)
                    || proof.version != null && proof.version.equals(ObjectWrites.version(cached));
            if (has) {
                proofs.replace(key, proof, proof.with(cached, itsValues));
            }
            return has;
        }

        /** In doubt, as if the server wrote a value in another form, an apply is sent. */
        private Mono<Applied<T>> ask() {
            return client.get(key)
                    .flatMap(live -> read(live).flatMap(object -> remember(live, object)
                            ? Mono.just(new Applied<>(object, false))
                            : send(object)))
                    .onErrorResume(NotFoundException.class, gone -> send(null));
        }

        /** @param before the state before it; null if there is none */
        private Mono<Applied<T>> send(@Nullable T before) {
            WriteOptions options = WriteOptions.defaults().withFieldManager(request.controller());
            return client.apply(key, desired, force ? options.withForce() : options)
                    .flatMap(answer -> read(answer).doOnNext(object -> {
                        proofs.put(key, proof(answer, object));
                        ObjectWrites.forget(proofs, cache);
                        request.wrote(cache).accept(object);
                    }))
                    .map(object -> new Applied<>(object, before == null
                            || !Objects.equals(ObjectWrites.version(before), ObjectWrites.version(object))));
        }

        private Proof proof(JsonNode answer, T object) {
            String fields = AppliedFields.of(answer, request.controller(), apiVersion());
            String mask = fields == null ? "{}" : fields;
            return new Proof(request.controller(), ObjectWrites.metadata(object).getUid(), ObjectWrites.version(object), values, mask,
                    AppliedFields.values(tree(object), mask), null);
        }

        /** Keeps the proof if {@code live} is as desired. */
        private boolean remember(JsonNode live, T object) {
            Proof proof = proof(live, object);
            boolean rests = AppliedFields.isStored(desired, tree(object), proof.fields);
            if (rests) {
                proofs.put(key, proof);
            }
            return rests;
        }

        private String apiVersion() {
            String own = desired.path("apiVersion").asString("");
            return own.isEmpty() ? type.apiVersion() : own;
        }
    }
}
