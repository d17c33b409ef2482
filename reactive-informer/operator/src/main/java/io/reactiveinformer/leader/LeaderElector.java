package io.reactiveinformer.leader;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.leader.Leadership.Term;
import io.reactiveinformer.resource.ObjectKey;
import java.time.Duration;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One candidate in a leader election by a Lease, in the role and with the timings of client-go's leader election. Thread-safe.
 *
 * <pre>{@code
 * LeaderElector elector = LeaderElector.of(client, ObjectKey.of("prod", "image-mirror"));
 * elector.whileLeading(term -> controller.run()).subscribe();      // starts over with each term
 * elector.leadership().subscribe(now -> log.info("{}", now));
 * }</pre>
 *
 * <p>An elector is a candidate as long as {@link #whileLeading} has a subscriber. All subscriptions are one candidate: when the last of
 * them has failed, or was cancelled, the lease is released, so that no process leads without working. {@link #leadership} only observes
 * then; but if {@link #whileLeading} has never had a subscriber, subscribers of {@link #leadership} make a candidate too. A candidacy never
 * ends by itself: a candidate that loses the lease tries to get it again.
 *
 * <p><b>What is promised.</b> No two terms overlap: a term ends, and its work is cancelled, {@link ElectionOptions#renewDeadline} after the
 * <em>beginning</em> of the last request that renewed the lease, even if a request hangs; and no candidate takes a lease before it has seen
 * it unchanged for the duration in the lease, {@link ElectionOptions#leaseDuration}. For both, each process uses its own clock: the times
 * of two machines are never compared, so they may differ by any amount. A term is measured by two clocks, the monotonic one and the time of
 * day, and the longer time counts. A machine that was suspended, while its monotonic clock may have stood still, therefore finds its term
 * over. Each term's {@link Term#token} is greater than those before.
 *
 * <p><b>What that needs.</b> One clock may run faster than another by less than {@code leaseDuration / renewDeadline}; a time of day that
 * is set forward by {@code renewDeadline} ends a term needlessly, and one that is set back during a suspension hides the suspension.
 * Cancelled work stops within {@code leaseDuration - renewDeadline}; where it might not, or where the process may be frozen, check
 * {@link Term#holds} before each effect, or make the receiver refuse tokens smaller than one that it has seen. The lease of a leader must
 * not be deleted: candidates that have seen it still wait for it to expire, but a candidate that starts after the deletion cannot know of
 * it.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/architecture/leases/">Kubernetes: Leases</a>
 */
public interface LeaderElector {

    /**
     * As {@link #of(KubernetesClient, ObjectKey, ElectionOptions)} with {@link ElectionOptions#defaults}: client-go's timings and a unique
     * identity.
     */
    static LeaderElector of(KubernetesClient client, ObjectKey lease) {
        return of(client, lease, ElectionOptions.defaults());
    }

    /**
     * Creates an elector. It sends no request before the first subscription. Closing the client resigns first.
     *
     * @param client sends the requests
     * @param lease the key of the Lease, which is created if it does not exist; must have a namespace
     * @param options timings, identity, threads and clock
     * @throws IllegalArgumentException if {@code lease} has no namespace
     */
    static LeaderElector of(KubernetesClient client, ObjectKey lease, ElectionOptions options) {
        return new LeaseElector(client, lease, options);
    }

    /**
     * Emits whether this elector leads, and each change; a late subscriber gets the latest value at once. A failed try is part of the
     * value, {@link Leadership#trouble}, and does not end the stream. Without demand only the latest value is kept. Delivered on
     * {@link ElectionOptions#workers}. Fails only if the client was closed before, or for a defect, and completes only after
     * {@link #resign}. If the subscriber throws, its subscription fails and counts as cancelled.
     */
    Flux<Leadership> leadership();

    /**
     * Runs {@code work} while leading, once in each term, and emits its values. The work is cancelled when the term ends, before another
     * candidate can lead. Work that completes is done for this term, and the lease is kept. If the work fails, the result fails and the
     * lease is released. Cancelling the result cancels the work, then releases the lease without waiting until the cancelled work has
     * stopped. To finish the work first, complete it and then cancel; if work may go on after it is cancelled, see
     * {@link ElectionOptions#releaseOnCancel}.
     *
     * <p>Start informers, and whatever else must be ready at the beginning of a term, outside of {@code work}.
     *
     * @param work called and subscribed to on {@link ElectionOptions#workers}; cancelled on another thread, which must not be blocked
     */
    <T> Flux<T> whileLeading(Function<? super Term, ? extends Publisher<T>> work);

    /**
     * On subscription, ends the candidacy permanently: cancels the work, then releases the lease, then completes all {@link #leadership}
     * and {@link #whileLeading} subscriptions, and then the result. Also waits for a release that is running already. Takes
     * {@link ElectionOptions#renewDeadline} at most.
     */
    Mono<Void> resign();

    /**
     * False if this elector considers itself the leader although the last renewal is older than {@link ElectionOptions#leaseDuration} plus
     * {@code tolerance}: then others may lead, and the timer of this elector does not run. True for a follower. For a liveness probe, in
     * the role of client-go's {@code HealthzAdaptor}.
     */
    boolean healthy(Duration tolerance);

    /** The name of this candidate in the lease, {@link ElectionOptions#identity}. */
    String identity();
}
