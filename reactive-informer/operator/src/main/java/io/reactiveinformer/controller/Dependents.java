package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.reactiveinformer.client.DeleteOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.internal.codec.HasCodec;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.store.Index;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The objects that exist because of another one, as a function of it.
 *
 * <pre>{@code
 * Dependents<Website> dependents = Dependents.of(client, Website.TYPE, site -> List.of(deployment(site), service(site)))
 *         .kind(DEPLOYMENTS, deployments)
 *         .kind(SERVICES, services)
 *         .waitFor(DEPLOYMENTS, deployment -> isAvailable(deployment));
 * … dependents.reconcile(request, website).map(Dependents.Report::result)
 * }</pre>
 *
 * <p>A look creates and applies what is desired, in the order of the list, and deletes what is not desired any more. It writes nothing if
 * everything is as it should be, see {@link Applier}. Dependents get an {@linkplain Owner owner reference} and the label {@link #LABEL}.
 * Use {@link ControllerBuilder#owns} with each informer, so that the owner is looked at when a dependent changes. Immutable; one instance
 * serves a controller.
 *
 * @param <O> the owners
 */
public final class Dependents<O> {

    /** The label of each dependent: the name of the controller. Characters that a label cannot have are replaced. */
    public static final String LABEL = "reactive-informer.io/controller";

    private static final Pattern LABEL_VALUE = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
    private static final int LONGEST_PREFIX = 50;

    private final KubernetesClient client;
    private final ObjectCodec codec;
    private final ResourceType<O> owner;
    private final Function<? super O, ? extends List<?>> desired;
    private final List<Kind<?>> kinds;

    private Dependents(KubernetesClient client, ObjectCodec codec, ResourceType<O> owner, Function<? super O, ? extends List<?>> desired,
            List<Kind<?>> kinds) {
        this.client = client;
        this.codec = codec;
        this.owner = owner;
        this.desired = desired;
        this.kinds = List.copyOf(kinds);
    }

    /** What happened to a dependent in one look. */
    public enum State {
        /** It is as desired: no request was sent, or one that has changed nothing. */
        UNCHANGED,
        /** It was created, or changed. */
        APPLIED,
        /** It is as desired, but {@link Dependents#waitFor} does not accept it yet; or it is being deleted, to be created again. */
        WAITING,
        /** One before it is waiting or has failed, so nothing was done. */
        PENDING,
        /** It is not desired any more, and was deleted. */
        DELETED,
        /** See {@link Row#cause}. */
        FAILED
    }

    /**
     * One dependent in a look.
     *
     * @param type its type
     * @param key its key
     * @param state what happened
     * @param cause why it has failed; null if it has not
     */
    public record Row(ResourceType<?> type, ObjectKey key, State state, @Nullable Throwable cause) {

        /** {@code deployments.v1.apps shop/home: WAITING}. */
        @Override
        public String toString() {
            return type + " " + key + ": " + state + (cause == null ? "" : " (" + cause.getMessage() + ")");
        }
    }

    /**
     * What a look has done.
     *
     * @param rows the desired dependents in their order, then the deleted ones
     */
    public record Report(List<Row> rows) {

        /** Keeps an immutable copy of {@code rows}. */
        public Report {
            rows = List.copyOf(rows);
        }

        /** Whether every dependent is as desired, and none is waited for. */
        public boolean isReady() {
            return rows.stream().noneMatch(row -> row.state == State.WAITING || row.state == State.PENDING || row.state == State.FAILED);
        }

        /** {@link Result#failed} with the first failure; otherwise {@link Result#done}: a change of a dependent wakes the owner. */
        public Result result() {
            return rows.stream().map(Row::cause).filter(Objects::nonNull).findFirst().map(Result::failed).orElseGet(Result::done);
        }
    }

    /** A type of dependents. */
    private record Kind<T>(ResourceType<T> type, Informer<T> cache, Applier<T> applier, Index<T, String> byOwner,
            Predicate<? super T> ready) {

        Kind<T> waitFor(Predicate<? super T> other) {
            return new Kind<>(type, cache, applier, byOwner, each -> ready.test(each) && other.test(each));
        }

        boolean fits(Object object, JsonNode tree) {
            String apiVersion = tree.path("apiVersion").asString("");
            String kind = tree.path("kind").asString("");
            return object instanceof JsonNode ? apiVersion.equals(type.apiVersion()) && kind.equals(type.kind())
                    : type.objectClass().isInstance(object) && (apiVersion.isEmpty() || apiVersion.equals(type.apiVersion()))
                            && (kind.isEmpty() || kind.equals(type.kind()));
        }
    }

    /**
     * Dependents of objects of {@code owner}. Each kind of them must be named by {@link #kind}.
     *
     * @param desired the complete dependents of an owner, with names, in the order in which they are made: model classes, records or trees.
     *     Without a namespace they are in that of the owner. Only the intended fields, see {@link Applier#apply}
     */
    public static <O> Dependents<O> of(KubernetesClient client, ResourceType<O> owner, Function<? super O, ? extends List<?>> desired) {
        ObjectCodec codec = client instanceof HasCodec has ? has.codec() : ObjectCodec.create();
        return new Dependents<>(client, codec, owner, desired, List.of());
    }

    /**
     * A copy for which dependents may be of {@code type}. A kind that an older version of the program has used must be named as long as
     * such dependents may exist: others are not found, and so not deleted.
     *
     * @param cache an informer of them, not narrowed by a selector that leaves some of them out
     * @throws IllegalArgumentException if {@code type} has no {@link ResourceType#kind}, or reads only a part of its objects
     */
    public <T> Dependents<O> kind(ResourceType<T> type, Informer<T> cache) {
        if (type.kind() == null) {
            throw new IllegalArgumentException(type + " has no kind: add it with ResourceType.kind(…)");
        }
        Index<T, String> byOwner = Index.ofMany("dependents by owner", dependent ->
                Owner.ownersOf(PartialObjectMetadata.of(dependent).metadata()).stream().map(V1OwnerReference::getUid).toList());
        List<Kind<?>> more = new ArrayList<>(kinds);
        more.add(new Kind<>(type, cache, Applier.of(client, type, cache).withForce(), byOwner, any -> true));
        return new Dependents<>(client, codec, owner, desired, more);
    }

    /**
     * A copy that waits for dependents of {@code type}: the ones after it in the list are made when {@code ready} accepts it.
     *
     * @param ready called with the object as the server has it
     * @throws IllegalArgumentException if there is no such {@link #kind}
     */
    @SuppressWarnings("unchecked") // equal types have one class
    public <T> Dependents<O> waitFor(ResourceType<T> type, Predicate<? super T> ready) {
        if (kinds.stream().noneMatch(kind -> kind.type().equals(type))) {
            throw new IllegalArgumentException("call kind(" + type + ", …) before waitFor");
        }
        List<Kind<?>> changed = new ArrayList<>();
        kinds.forEach(kind -> changed.add(kind.type().equals(type) ? ((Kind<T>) kind).waitFor(ready) : kind));
        return new Dependents<>(client, codec, owner, desired, changed);
    }

    /**
     * Makes the dependents of {@code object} as they are desired, then deletes those that are not desired any more: objects of a
     * {@link #kind} that {@code object} controls, by its uid, and that have the {@link #LABEL} of this controller. Fields of others in a
     * dependent stay, unless one of them has the wrong value: then it is taken over. An object of that name that nobody controls is taken
     * over, too; one of another controller is left alone, and its row fails.
     *
     * <p>A dependent that fails does not fail the result: the others before it are made, those after it are pending, and nothing is
     * deleted. While one is waited for, those after it are pending. Nothing is done for an owner that is being deleted: the garbage
     * collector deletes its dependents. Fails with {@link IllegalArgumentException} if the desired objects cannot be right: an unknown
     * kind, no name, one of them twice, another namespace than a namespaced owner.
     */
    public Mono<Report> reconcile(ReconcileRequest<?> request, O object) {
        return Mono.defer(() -> {
            if (PartialObjectMetadata.of(object).metadata().getDeletionTimestamp() != null) {
                return Mono.just(new Report(List.of()));
            }
            Owner of = Owner.of(owner, object);
            String label = labelOf(request.controller());
            List<Wanted<?>> wanted = new ArrayList<>();
            for (Object dependent : desired.apply(object)) {
                wanted.add(wanted(dependent, of, label));
            }
            requireDistinct(wanted);
            return Flux.fromIterable(kinds).concatMap(kind -> indexed(kind))
                    .then(Mono.defer(() -> new Look(request, of, label, wanted).act()));
        });
    }

    private static <T> Mono<Void> indexed(Kind<T> kind) {
        return kind.cache.addIndex(kind.byOwner);
    }

    /** A desired dependent. */
    private record Wanted<T>(Kind<T> kind, ObjectKey key, ObjectNode tree) {

        Row row(State state, @Nullable Throwable cause) {
            return new Row(kind.type, key, state, cause);
        }
    }

    private Wanted<?> wanted(Object dependent, Owner of, String label) {
        if (!(AppliedFields.tree(codec.write(dependent)) instanceof ObjectNode tree)) {
            throw new IllegalArgumentException("a dependent is a " + dependent.getClass().getName() + ", not an object");
        }
        Kind<?> kind = kinds.stream().filter(each -> each.fits(dependent, tree)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("a dependent is " + (dependent instanceof JsonNode
                        ? "a tree of " + tree.path("apiVersion").asString("") + " " + tree.path("kind").asString("")
                        : "a " + dependent.getClass().getName()) + ", which no kind(…) names"));
        return wanted(kind, tree, of, label);
    }

    private static <T> Wanted<T> wanted(Kind<T> kind, ObjectNode tree, Owner of, String label) {
        ObjectNode metadata = tree.withObject("metadata");
        if (metadata.path("namespace").asString("").isEmpty() && kind.type.namespaced() && of.key().namespace() != null) {
            metadata.put("namespace", of.key().namespace());
        }
        of.own(tree);
        metadata.withObject("labels").put(LABEL, label);
        String name = metadata.path("name").asString("");
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a dependent of " + kind.type + " has no name");
        }
        ObjectKey key = ObjectKey.of(metadata.path("namespace").asString(""), name);
        kind.type.requireKey(key);
        return new Wanted<>(kind, key, tree);
    }

    private static void requireDistinct(List<Wanted<?>> wanted) {
        Set<List<Object>> seen = new HashSet<>();
        for (Wanted<?> each : wanted) {
            if (!seen.add(List.of(each.kind.type, each.key))) {
                throw new IllegalArgumentException(each.kind.type + " " + each.key + " is desired twice");
            }
        }
    }

    /** The name of the controller, or what a label can have of it with a hash of it. */
    static String labelOf(String controller) {
        if (LABEL_VALUE.matcher(controller).matches()) {
            return controller;
        }
        String legible = controller.replaceAll("[^-A-Za-z0-9_.]", "-").replaceAll("^[^A-Za-z0-9]+", "");
        return legible.substring(0, Math.min(legible.length(), LONGEST_PREFIX)) + "x" + Integer.toHexString(controller.hashCode());
    }

    /** One call of {@link #reconcile}. */
    private final class Look {

        private final ReconcileRequest<?> request;
        private final Owner of;
        private final String label;
        private final List<Wanted<?>> wanted;
        private final List<Row> rows = new ArrayList<>(); // written by one step after the other
        private boolean stopped;

        Look(ReconcileRequest<?> request, Owner of, String label, List<Wanted<?>> wanted) {
            this.request = request;
            this.of = of;
            this.label = label;
            this.wanted = wanted;
        }

        Mono<Report> act() {
            return Flux.fromIterable(wanted)
                    .concatMap(each -> Mono.defer(() -> stopped ? Mono.just(each.row(State.PENDING, null)) : apply(each))
                            .doOnNext(this::add))
                    .then(Mono.defer(() -> rows.stream().anyMatch(row -> row.cause != null) ? Mono.empty() : prune()))
                    .then(Mono.fromSupplier(() -> new Report(rows)));
        }

        private void add(Row row) {
            rows.add(row);
            stopped |= row.state == State.WAITING || row.state == State.FAILED;
        }

        private <T> Mono<Row> apply(Wanted<T> each) {
            T cached = each.kind.cache.lister().get(each.key).orElse(null);
            if (cached != null) {
                V1ObjectMeta metadata = PartialObjectMetadata.of(cached).metadata();
                V1OwnerReference controller = Owner.controllerOf(Owner.ownersOf(metadata));
                if (controller != null && !of.uid().equals(controller.getUid())) {
                    return Mono.just(each.row(State.FAILED, new IllegalStateException(each.kind.type + " " + each.key + " is controlled by "
                            + controller.getKind() + " " + controller.getName() + " (" + controller.getUid() + "), not by " + of.kind()
                            + " " + of.key() + " (" + of.uid() + ")")));
                } else if (metadata.getDeletionTimestamp() != null) {
                    return Mono.just(each.row(State.WAITING, null));
                }
            }
            return each.kind.applier.look(request, each.key, each.tree)
                    .map(now -> each.row(!each.kind.ready.test(now.object()) ? State.WAITING
                            : now.changed() ? State.APPLIED : State.UNCHANGED, null))
                    .onErrorResume(failure -> Mono.just(each.row(State.FAILED, failure)));
        }

        private Mono<Void> prune() {
            List<Kind<?>> backwards = new ArrayList<>(kinds);
            Collections.reverse(backwards);
            return Flux.fromIterable(backwards).concatMap(kind -> prune(kind)).then();
        }

        private <T> Mono<Void> prune(Kind<T> kind) {
            return Flux.fromIterable(kind.cache.lister().by(kind.byOwner, of.uid()).list(this::isOurs))
                    .filter(dependent -> !isWanted(kind, ObjectWrites.key(dependent)))
                    .concatMap(dependent -> delete(kind, dependent).doOnNext(this::add))
                    .then();
        }

        private boolean isOurs(Object dependent) {
            return of.controls(dependent)
                    && label.equals(PartialObjectMetadata.labels(dependent).get(LABEL))
                    && PartialObjectMetadata.of(dependent).metadata().getDeletionTimestamp() == null;
        }

        private boolean isWanted(Kind<?> kind, ObjectKey key) {
            return wanted.stream().anyMatch(each -> each.kind.type.equals(kind.type) && each.key.equals(key));
        }

        /** Deletes exactly the version that was looked at: a later one may belong to another owner. */
        private <T> Mono<Row> delete(Kind<T> kind, T dependent) {
            V1ObjectMeta metadata = PartialObjectMetadata.of(dependent).metadata();
            ObjectKey key = ObjectWrites.key(dependent);
            DeleteOptions exactly = DeleteOptions.defaults().withUid(String.valueOf(metadata.getUid()))
                    .withResourceVersion(String.valueOf(metadata.getResourceVersion()));
            return client.resources(kind.type).delete(key, exactly)
                    .onErrorComplete(NotFoundException.class)
                    .then(Mono.fromSupplier(() -> {
                        request.holdUntil(kind.type + " " + key + " to be deleted", Mono.firstWithSignal(kind.cache.awaitAbsent(key),
                                kind.cache.await(key, now -> isLater(now, metadata)).then()));
                        return new Row(kind.type, key, State.DELETED, null);
                    }))
                    .onErrorResume(failure -> Mono.just(new Row(kind.type, key, State.FAILED, failure)));
        }

        /** Whether it is being deleted, or another one. */
        private static boolean isLater(Object now, V1ObjectMeta deleted) {
            V1ObjectMeta metadata = PartialObjectMetadata.of(now).metadata();
            return metadata.getDeletionTimestamp() != null || !Objects.equals(metadata.getUid(), deleted.getUid());
        }
    }
}
