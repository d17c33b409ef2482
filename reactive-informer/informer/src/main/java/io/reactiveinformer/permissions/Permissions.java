package io.reactiveinformer.permissions;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * What users may do. Refuses by default: while the rights are not known, or were not confirmed by the server for too long, nothing is
 * allowed, and {@link #status} has the reason. Thread-safe; no method blocks.
 *
 * <pre>{@code
 * Permissions permissions = Permissions.of(informers);
 * Flux<Predicate<ObjectKey>> mayList = permissions.rights(User.of("jane", "team-a"), ResourceType.of(V1Pod.class), "list");
 * }</pre>
 */
public interface Permissions extends AutoCloseable {

    /** What {@link #rights} emits while nothing is known: it accepts nothing, and equals no predicate of a user that has no rights. */
    Predicate<ObjectKey> UNKNOWN = Rights.UNKNOWN;

    /** The default time for which rights count without news from the server: a rolling restart of the servers takes no longer. */
    Duration LIMIT = Duration.ofMinutes(5);

    /** As {@link #of(InformerFactory, Duration, Scheduler)}, with {@link #LIMIT} and {@code Schedulers.parallel()}. */
    static Permissions of(InformerFactory informers) {
        return of(informers, LIMIT, Schedulers.parallel());
    }

    /**
     * Rights by the Roles, ClusterRoles and bindings of the cluster, as the API server decides with {@code --authorization-mode=RBAC}. The
     * group {@code system:masters} may do everything. A binding to a role that does not exist grants nothing, and neither does a role or
     * binding whose newest state could not be read. Other authorizers of the cluster are not known here: where there are some, the server
     * may allow more, and one that is asked first may deny what a role allows; use {@link #reviewed} there.
     *
     * <p>Leases four informers, which need the right to list and watch these types in the cluster. They start with the factory.
     *
     * @param informers the factory of the informers
     * @param limit for how long the rights count while the state of the server is unknown, see
     *     {@link io.reactiveinformer.view.InformerStatus#staleness}
     * @param timer measures the limit; that of the options of {@code informers}
     * @throws IllegalArgumentException if {@code limit} is less than a second
     */
    static Permissions of(InformerFactory informers, Duration limit, Scheduler timer) {
        return new RolePermissions(informers, limit, timer);
    }

    /**
     * Rights by SubjectAccessReviews of the server, whatever its authorizers are. Needs the right to create them. Names of objects are not
     * asked for one by one: a predicate has whole namespaces, so a right to single names is not seen there; {@link #decide} sees it.
     *
     * <p>Each subscriber to rights costs a request for the cluster, and, if that is refused, one for each namespace, in each half of the
     * {@code age}. An answer is remembered for that time and used by all that ask the same, so what is allowed is at most {@code age} old,
     * and the time of the requests. What the server does not answer is refused, until it is asked again.
     *
     * @param namespaces has a row for each namespace, such as an informer of their metadata
     * @param age how old an answer may be
     * @param timer measures the age
     * @throws IllegalArgumentException if {@code age} is less than a second
     */
    static Permissions reviewed(KubernetesClient client, View<ObjectKey, ?> namespaces, Duration age, Scheduler timer) {
        return new ReviewedPermissions(client, namespaces, age, timer);
    }

    /**
     * Whether {@code user} may do this, by the rights at the time of the subscription. Never fails because the rights are unknown: that is
     * a refusal, with a reason.
     */
    Mono<Decision> decide(User user, AccessRequest request);

    /**
     * Emits which objects of {@code type} the user may {@code verb}: at once, and again whenever that changes. A predicate never changes;
     * it accepts the key of an object if the user may {@code verb} the object of this name in its namespace, so for {@code list} and
     * {@code watch} also the one that {@code metadata.name} selects. Equal predicates allow the same; users with the same roles in the same
     * namespaces receive the same instance.
     *
     * <p>When a right is taken, the predicate without it is emitted with the event of the informer, without a delay. While nothing is
     * known, and after {@link #close}, it is {@link #UNKNOWN}. A slow subscriber misses outdated predicates. Emits on one of the {@linkplain
     * io.reactiveinformer.view.Delivery#scheduler() shared threads}; completes after {@link #close}; never fails.
     */
    Flux<Predicate<ObjectKey>> rights(User user, ResourceType<?> type, String verb);

    /**
     * As {@link #rights(User, ResourceType, String)}, for the rows of a view. Predicates are equal if they allow the same and have the same
     * {@code key}.
     *
     * @param key the key of a row
     */
    default <T> Flux<Predicate<T>> rights(User user, ResourceType<?> type, String verb, Function<? super T, ObjectKey> key) {
        return rights(user, type, verb).map(rights -> new RowRights<>(rights, key));
    }

    /** Emits whether rights are known, and each change of that. A slow subscriber misses outdated ones. Completes after {@link #close}. */
    Flux<Status> status();

    /** From now on nothing is allowed: emits that to all subscribers, completes them, and gives back the informers. Returns at once. */
    @Override
    void close();

    /**
     * An answer.
     *
     * @param allowed whether the user may do it
     * @param reason why, for a log: the binding that allows it, what is missing, or why nothing is known. Names roles and bindings: not for
     *     the user
     */
    record Decision(boolean allowed, String reason) {}

    /**
     * Whether rights are known.
     *
     * @param known whether requests are decided by the rights; else everything is refused
     * @param reason why nothing is known; empty if {@code known}
     */
    record Status(boolean known, String reason) {}
}
