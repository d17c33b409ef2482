package io.reactiveinformer.sharding;

import io.kubernetes.client.openapi.models.V1Lease;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.ControllerBuilder;
import io.reactiveinformer.controller.Reconciler;
import io.reactiveinformer.leader.ElectionOptions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A controller that runs in several processes at once, each of which works on its share of the keys: for those who outgrow one process.
 *
 * <pre>{@code
 * ShardedController<ObjectKey> mirrors = ShardedController.of(client, ObjectKey.of("prod", "image-mirror"),
 *         Controller.named("image-mirror").on(images, Route.self()),
 *         request -> mirror(request.key()));
 * mirrors.start();
 * informers.start();
 * }</pre>
 *
 * <p>Each process that {@linkplain #run runs} is a member of the group, with a Lease of its own beside the others'. A key is that member's whose name, hashed
 * together with the key, gives the highest number (rendezvous hashing): one who comes or goes moves no keys but its own. No member leads, and there is
 * nothing beside the API server to run.
 *
 * <p><b>What is promised.</b> No key is worked on by two members at once. A key that changes hands is begun by the new one when the old one has said that it
 * is done with it, or has not been heard of for {@link ElectionOptions#leaseDuration}. A member that cannot renew its lease for
 * {@link ElectionOptions#renewDeadline} cancels its work before that, and joins again, under another name, when it can.
 *
 * <p><b>How long a key may be without a worker,</b> where requests are answered. A round is {@link ElectionOptions#retryPeriod} and two requests.
 * <ul>
 *   <li>after a member has come, or has left in order ({@link #drain}, {@link #close}, or who cancels {@link #run}): three rounds, four where a group begins;
 *   <li>a key that is being worked on meanwhile by who is to give it away: until that look at it ends, and three rounds; other keys do not wait for it;
 *   <li>after a member has died, or is cut off from the server: {@link ElectionOptions#leaseDuration}, and three rounds.
 * </ul>
 * Who comes joins when it has seen of each lease whether it is renewed; until then, up to {@code leaseDuration} after somebody has died, the others have all keys.
 *
 * <p><b>What that needs.</b> As {@link io.reactiveinformer.leader.LeaderElector} does: clocks may show any time, but one may run faster than another by less than
 * {@code leaseDuration / renewDeadline}; cancelled work stops within {@code leaseDuration - renewDeadline}, and a process that may be frozen for longer than
 * that asks {@link Share#owns} before each effect; nobody deletes the lease of a member. Keys have a {@code toString} that is the same in each process.
 *
 * <p><b>What is not promised.</b> What happens to a key while it changes hands is seen by a look at what is there then; a row that is gone by then wakes
 * nobody, as with a controller that was restarted, so what must be undone needs a finalizer. Keys that are {@linkplain #add added} by hand are ignored unless they
 * are ours, and do not move. What the former worker has written may not be in our cache yet, as after a change of leaders: what must not be made twice
 * has a name that follows from the key.
 *
 * <p>All members need the same timings, and may {@code create}, {@code get}, {@code list}, {@code update} and {@code delete} leases in the namespace of the
 * group. Each asks twice in a round: ten members, ten times a second.
 */
public interface ShardedController<K> extends Controller<K> {

    /** With the timings of a {@link io.reactiveinformer.leader.LeaderElector}. */
    static <K> ShardedController<K> of(KubernetesClient client, ObjectKey group, ControllerBuilder<K> controller, Reconciler<K> reconciler) {
        return of(client, group, controller, reconciler, ElectionOptions.defaults());
    }

    /**
     * @param group after which its members' leases are named: a namespace, and a name that may be that of a lease and the value of a label. Of this
     *     controller only: of two that share one, each would leave keys to the other's members, who do not work on them
     * @param controller what it follows and how it works; {@link ControllerBuilder#keys} is set here
     * @param options timings, clock, and whose name the lease shows
     */
    static <K> ShardedController<K> of(
            KubernetesClient client, ObjectKey group, ControllerBuilder<K> controller, Reconciler<K> reconciler, ElectionOptions options) {
        return of(client, group, controller, reconciler, options, Division.byKey());
    }

    /**
     * Of which the members hold no more than their share, where {@code division} says so.
     *
     * @param division the same for all members
     */
    static <K> ShardedController<K> of(
            KubernetesClient client,
            ObjectKey group,
            ControllerBuilder<K> controller,
            Reconciler<K> reconciler,
            ElectionOptions options,
            Division division) {
        if (group.namespace() == null || !MemberLease.isGroup(group.name())) {
            throw new IllegalArgumentException("a group has a namespace and a name of at most " + MemberLease.LONGEST_GROUP + " small letters, digits, '-' and '.', or the "
                    + "server refuses its leases, as in ObjectKey.of(\"prod\", \"image-mirror\"), was " + group);
        }
        return new SharingController<>(client.resources(ResourceType.of(V1Lease.class)), group, controller, reconciler, options, division);
    }

    /**
     * A member as long as it is subscribed to, from when the views are synced. Who cancels ends the work that goes on, then the lease is given back. A failure of
     * the server is waited out.
     */
    @Override
    Mono<Void> run();

    /**
     * Leaves in order: begins nothing more, says so, so that the others take over all that is not worked on, lets work end, and cancels what is not done
     * after {@code grace}; then gives the lease back. The controller is over after this.
     */
    @Override
    Mono<Void> drain(Duration grace);

    /** Our share, now and at each change; who is slow misses what is outdated. Delivered on {@link ElectionOptions#workers}. Completes after the end. */
    Flux<Share> shares();
}
