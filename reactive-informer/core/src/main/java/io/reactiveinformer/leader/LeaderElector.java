package io.reactiveinformer.leader;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.resource.ObjectKey;
import java.time.Duration;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One candidate for the leadership that a Lease stands for, in the role and with the timings of client-go's leader election.
 *
 * <pre>{@code
 * LeaderElector elector = LeaderElector.of(client, ObjectKey.of("prod", "image-mirror"));
 * elector.whileLeading(term -> controller.run()).subscribe();      // starts over with each term
 * elector.leadership().subscribe(now -> log.info("{}", now));
 * }</pre>
 *
 * <p>It is a candidate as long as anybody is subscribed to {@link #whileLeading}, and all subscriptions are one candidate: when the last of them has
 * failed, or was cancelled, the lease is given back, so that nobody leads who does not work. {@link #leadership} only watches then; where nobody has
 * asked for {@link #whileLeading}, it makes a candidate too. A candidacy never ends by itself: whoever loses the lease stands again.
 *
 * <p><b>What is promised.</b> No two terms overlap: a term ends, and its work is cancelled, when {@link ElectionOptions#renewDeadline} is over
 * since the last request that renewed the lease <em>began</em>, whatever hangs; and nobody takes a lease before he has seen it unchanged for the
 * time that it says, {@link ElectionOptions#leaseDuration}. Both are measured by the own clocks of who measures: what two machines call the time
 * is never compared, so that they may differ by any amount. A term is measured by two clocks, the monotonic one and the time of day, of which the one counts
 * that says more: so a machine that was suspended, while its monotonic clock may have stood, finds its term over. Each term's {@link Term#token} is
 * greater than those before.
 *
 * <p><b>What that needs.</b> One clock may run faster than another by less than {@code leaseDuration / renewDeadline}; a time of day that is set forward by
 * {@code renewDeadline} ends a term for nothing, and one that is set back in the very time of a suspension hides that. Cancelled work stops
 * within {@code leaseDuration - renewDeadline}; where it might not, or where the process may be frozen, ask {@link Term#holds} before each
 * effect, or let the receiver refuse tokens smaller than one that it has seen. Nobody deletes the lease of a leader: who was there waits for it to expire
 * all the same, but a candidate that starts only then cannot know of it.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/architecture/leases/">Kubernetes: Leases</a>
 */
public interface LeaderElector {

    /** With client-go's timings, and a name that no other process has. */
    static LeaderElector of(KubernetesClient client, ObjectKey lease) {
        return of(client, lease, ElectionOptions.defaults());
    }

    /** @param lease made when it is not there; must have a namespace */
    static LeaderElector of(KubernetesClient client, ObjectKey lease, ElectionOptions options) {
        return new LeaseElector(client, lease, options);
    }

    /**
     * Whether we lead, now and whenever that changes; to a late subscriber at once. Failures are told within, and end nothing. Each value stands for
     * itself, so of those that there is no demand for only the latest is kept. Delivered on {@link ElectionOptions#workers}. Fails only for a defect, and
     * completes only after {@link #resign}. Whoever fails of a state leaves, as if it had cancelled.
     */
    Flux<Leadership> leadership();

    /**
     * Does {@code work} while leading, once in each term; it is cancelled when the term ends, before anybody else can lead. Work that completes is
     * done for this term, and the lease is kept; work that fails is the failure of this, and gives the lease back. Cancelling this cancels the work,
     * then gives the lease back, without waiting until cancelled work has stopped. Who wants to finish first lets the work complete, then cancels; where work may
     * go on after it is cancelled, see {@link ElectionOptions#releaseOnCancel}.
     *
     * <p>What is to be ready at once when leadership comes, such as informers, is started outside.
     *
     * @param work called and subscribed to on {@link ElectionOptions#workers}; cancelled on another thread, which must not be blocked
     */
    <T> Flux<T> whileLeading(Function<? super Term, ? extends Publisher<T>> work);

    /**
     * Ends the candidacy for good, when subscribed to: the work is cancelled, then the lease given back, then all that this elector gave completes, and this
     * too; it waits for a lease that is being given back already. Takes {@link ElectionOptions#renewDeadline} at most.
     */
    Mono<Void> resign();

    /**
     * Whether we do not believe to lead though the last renewal is longer past than {@link ElectionOptions#leaseDuration} and {@code tolerance}: then others may
     * lead, and our timer does not get on. For a liveness probe, in the role of client-go's {@code HealthzAdaptor}; true for who follows.
     */
    boolean healthy(Duration tolerance);

    /** By which name we stand. */
    String identity();
}
