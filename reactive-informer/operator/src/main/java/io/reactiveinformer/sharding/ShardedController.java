package io.reactiveinformer.sharding;

import io.kubernetes.client.openapi.models.V1Lease;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.ControllerBuilder;
import io.reactiveinformer.controller.Reconciler;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.internal.informer.Narrowable;
import io.reactiveinformer.leader.ElectionOptions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.sharding.MemberLease.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A controller that runs in several processes at once. Each process works on its share of the keys. For work that is too much for one
 * process.
 *
 * <pre>{@code
 * ShardedController<ObjectKey> mirrors = ShardedController.of(client, ObjectKey.of("prod", "image-mirror"),
 *         Controller.named("image-mirror").watches(images, Route.self()),
 *         request -> mirror(request.key()));
 * mirrors.start();
 * informers.start();
 * }</pre>
 *
 * <p>Each process that {@linkplain #run runs} the controller is a member of the group, and has a Lease of its own. A key belongs to the
 * member whose name, hashed together with the key, gives the highest number (rendezvous hashing): a member that joins or leaves moves only
 * its own keys. No member leads, and nothing but the API server is needed.
 *
 * <p><b>What is promised.</b> No key is worked on by two members at once. When the owner of a key changes, the new owner waits until the
 * former one has written to its lease that it has finished the key, or until that lease has been unchanged for
 * {@link ElectionOptions#leaseDuration}. A member that cannot renew its lease for {@link ElectionOptions#renewDeadline}, which is shorter,
 * cancels its work, and joins again under another name when it can.
 *
 * <p><b>How long a key may be without a worker,</b> if requests are answered. A round takes {@link ElectionOptions#retryPeriod} and two
 * requests.
 * <ul>
 * <li>after a member has joined, or has left in order ({@link #drain}, {@link #close}, or cancellation of {@link #run}): three rounds, four
 *   when a group begins;
 * <li>a key that the old owner is still working on: until that work ends, and three rounds; other keys do not wait for it;
 * <li>after a member has died, or was cut off from the server: {@link ElectionOptions#leaseDuration}, and three rounds.
 * </ul>
 *
 * <p>A new member joins when it knows for each lease whether it is still renewed. That takes up to {@code leaseDuration} if another member
 * has died; until then the others have all keys.
 *
 * <p><b>What that needs.</b> As {@link io.reactiveinformer.leader.LeaderElector} does: clocks may show any time, but one may run faster
 * than another by less than {@code leaseDuration / renewDeadline}; cancelled work stops within {@code leaseDuration - renewDeadline}, and a
 * process that may be frozen for longer than that checks {@link Share#owns} before each effect; the lease of a living member must not be
 * deleted. Keys have a {@code toString} that is the same in each process.
 *
 * <p><b>What is not promised.</b> The new owner of a key sees only the rows that exist when it takes over; a row that was deleted before
 * wakes no key, as after a restart of a controller. Effects that must be undone therefore need a finalizer. Keys that a caller
 * {@linkplain #add adds} are ignored unless this member owns them, and are not passed on to another member. Writes of the former owner may
 * be missing in this member's cache, as after a change of leaders: an object that must not be created twice needs a name that follows from
 * the key.
 *
 * <p>All members need the same timings, and the permissions {@code create}, {@code get}, {@code list}, {@code update} and {@code delete}
 * for leases in the namespace of the group. Each member sends two requests in a round; with the default timings, ten members send ten
 * requests a second.
 *
 * @param <K> the keys that are worked on; their {@code toString} must be the same in each process
 */
public interface ShardedController<K> extends Controller<K> {

    /**
     * As {@link #of(KubernetesClient, ObjectKey, ControllerBuilder, Reconciler, ElectionOptions)} with {@link ElectionOptions#defaults}:
     * the timings of a {@link io.reactiveinformer.leader.LeaderElector}.
     */
    static <K> ShardedController<K> of(KubernetesClient client, ObjectKey group, ControllerBuilder<K> controller,
            Reconciler<K> reconciler) {
        return of(client, group, controller, reconciler, ElectionOptions.defaults());
    }

    /**
     * Creates a controller whose keys are divided one by one. It is not started.
     *
     * @param client sends the requests for leases
     * @param group the prefix of the names of the leases: a namespace, and a name that is valid for a lease and as the value of a label.
     *     For this controller only: if two controllers share a group, each leaves keys to members of the other, which do not work on them
     * @param controller the views and how the controller works; {@link ControllerBuilder#keys} is set here
     * @param reconciler works on a key, see {@link Reconciler#reconcile}
     * @param options timings, clock, and the identity that the lease shows
     * @throws IllegalArgumentException if {@code group} has no namespace or an invalid name
     * @throws IllegalStateException if {@code controller} has no view
     */
    static <K> ShardedController<K> of(
            KubernetesClient client, ObjectKey group, ControllerBuilder<K> controller, Reconciler<K> reconciler, ElectionOptions options) {
        return of(client, group, controller, reconciler, options, Division.byKey());
    }

    /**
     * As {@link #of(KubernetesClient, ObjectKey, ControllerBuilder, Reconciler, ElectionOptions)}, with keys divided by {@code division},
     * whose narrowed informers cache only the member's share.
     *
     * @param division how keys are divided; must be the same for all members
     */
    static <K> ShardedController<K> of(KubernetesClient client, ObjectKey group, ControllerBuilder<K> controller,
            Reconciler<K> reconciler, ElectionOptions options, Division division) {
        if (group.namespace() == null || !MemberLease.isGroup(group.name())) {
            throw new IllegalArgumentException("a group needs a namespace and a name of at most "
                    + MemberLease.LONGEST_GROUP + " lower case letters, digits, '-' and '.', or the "
                    + "server refuses its leases, as in ObjectKey.of(\"prod\", \"image-mirror\"), was " + group);
        }
        return new SharingController<>(client.resources(ResourceType.of(V1Lease.class)), group, controller, reconciler, options, division);
    }

    /**
     * Makes this process a member of the group as long as the result has a subscriber, from the time when the views are synced. Cancelling
     * the subscription cancels the running work, then releases the lease. Failed requests are repeated. Completes when the controller is
     * drained or closed. Fails with {@link IllegalStateException} if the controller runs already, and with
     * {@link io.reactiveinformer.controller.ViewEndedException} if a view ends before all are synced.
     */
    @Override
    Mono<Void> run();

    /**
     * On subscription, leaves the group in order: begins no more work and writes that to the lease, so that the others take over all keys
     * that are not worked on; waits for the running work, and cancels it after {@code grace}; then releases the lease. The controller
     * cannot be started again.
     */
    @Override
    Mono<Void> drain(Duration grace);

    /**
     * Emits the share of this member, then each change; a slow subscriber misses outdated ones. Delivered on
     * {@link ElectionOptions#workers}. Completes when the controller is closed.
     */
    Flux<Share> shares();

    /** The keys that this member owns, by the leases as it last read them. Thread-safe. */
    final class Share {

        static final Share NONE = new Share("", Set.of(), new TreeSet<>(), Map.of(), Set.of(), () -> false, Division.byKey());

        private final String member;
        private final Set<SortedSet<String>> said;
        private final SortedSet<String> living;
        private final Map<SortedSet<String>, Set<String>> others;
        private final Set<Long> finishing;
        private final BooleanSupplier holds;
        private final Division division;

        private Share(String member, Set<SortedSet<String>> said, SortedSet<String> living,
                Map<SortedSet<String>, Set<String>> others, Set<Long> finishing, BooleanSupplier holds,
                Division division) {
            this.division = division;
            this.member = member;
            this.said = said;
            this.living = living;
            this.others = others;
            this.finishing = finishing;
            this.holds = holds;
        }

        /**
         * The keys of {@code member} by {@code living} and by all of {@code said}, without those that another member claims.
         *
         * @param said each statement that this member's lease may contain: a write without an answer may still arrive
         * @param others the statements of the living members
         */
        static Share of(String member, Set<Statement> said, SortedSet<String> living, Map<String, Statement> others,
                BooleanSupplier holds, Division division) {
            Set<SortedSet<String>> ours = new HashSet<>();
            said.forEach(statement -> ours.add(statement.members()));
            ours.add(living);
            Map<SortedSet<String>, Set<String>> theirs = new HashMap<>();
            Set<Long> finishing = new HashSet<>();
            others.forEach((author, statement) -> {
                theirs.computeIfAbsent(statement.members(), first -> new HashSet<>()).add(author);
                finishing.addAll(statement.finishing());
            });
            theirs.keySet().removeAll(ours); // keys of another member by an equal division do not belong to this one anyway
            return new Share(member, ours, living, theirs, finishing, holds, division);
        }

        /**
         * Whether this member owns {@code key} now. False as soon as other members may count this one as gone, also when a process
         * continues after it was frozen, before its timers fire. Check it before an effect that two members must not have.
         *
         * @param key identified by its {@code toString}, which must be the same in every process
         */
        public boolean owns(Object key) {
            return owns(division.hash(key));
        }

        boolean owns(long key) {
            return holds.getAsBoolean() && includes(key);
        }

        private boolean includes(long key) {
            for (SortedSet<String> members : said) {
                if (!Rendezvous.owner(members, key).equals(member)) {
                    return false;
                }
            }
            for (var division : others.entrySet()) {
                if (division.getValue().contains(Rendezvous.owner(division.getKey(), key))) {
                    return false;
                }
            }
            return !finishing.contains(key);
        }

        /** The number of members that divide the keys, as last seen, this one included; 0 while this member has no share. */
        public int members() {
            return living.size();
        }

        boolean isSameAs(Share other) {
            return member.equals(other.member) && said.equals(other.said) && living.equals(other.living) && others.equals(other.others)
                    && finishing.equals(other.finishing);
        }

        /** {@code web-1f4 of [web-1f4, web-9c0]}. */
        @Override
        public String toString() {
            return member.isEmpty() ? "nothing" : member + " of " + living;
        }
    }

    /**
     * How keys are divided among the members of a group, one by one or all keys of a namespace together, and which informers cache only
     * this member's share. Immutable.
     *
     * <pre>{@code
     * Division.byKey().narrowing(images)                  // for a controller whose views only use Route.self()
     * Division.byNamespace().narrowing(replicaSets, pods) // if other objects in the same namespace wake keys too
     * }</pre>
     *
     * <p>A narrowed informer must be used by this controller only, and be
     * {@linkplain io.reactiveinformer.informer.InformerSpec#withColdStart started cold}. It caches nothing before this member has a share.
     * When the share grows, the informer lists again; cached objects are not decoded again. The server still sends the objects outside of
     * the share, but they are skipped before they are decoded.
     */
    final class Division {

        private static final Division BY_KEY = new Division(false, List.of());
        private static final Division BY_NAMESPACE = new Division(true, List.of());

        private final boolean namespaces;
        private final List<Narrowable<?>> narrowed;

        private Division(boolean namespaces, List<Narrowable<?>> narrowed) {
            this.namespaces = namespaces;
            this.narrowed = narrowed;
        }

        /** Divides the keys one by one, independently of their namespaces. */
        public static Division byKey() {
            return BY_KEY;
        }

        /** Gives all keys of a namespace to the same member. Keys without a namespace are divided one by one. */
        public static Division byNamespace() {
            return BY_NAMESPACE;
        }

        /**
         * A copy in which {@code informers}, in addition to those narrowed before, cache only this member's share and the keys that it is
         * still working on. Work on a key begins when all of these informers cache it.
         *
         * @param informers informers of a factory or of {@link Informer#over}, whose objects wake only keys of the same member: with
         *     {@link #byKey} the key of the object, with {@link #byNamespace} keys in the object's namespace
         * @throws IllegalArgumentException if one of them is an implementation of your own, which cannot be narrowed
         */
        public Division narrowing(Informer<?>... informers) {
            return new Division(namespaces, Stream.concat(narrowed.stream(), Stream.of(informers).map(Division::narrowable)).toList());
        }

        private static Narrowable<?> narrowable(Informer<?> informer) {
            if (informer instanceof Narrowable<?> narrowable) {
                return narrowable;
            }
            throw new IllegalArgumentException(informer.description() + " cannot be narrowed: it is a " + informer.getClass().getName()
                    + ", not an informer of a factory or of Informer.over");
        }

        List<Narrowable<?>> narrowed() {
            return narrowed;
        }

        /** A hash that is equal for keys that belong to the same member. */
        long hash(Object key) {
            String namespace = namespaces && key instanceof ObjectKey named ? named.namespace() : null;
            return Rendezvous.hash(namespace == null ? key.toString() : namespace);
        }
    }
}
