package io.reactiveinformer.sharding;

import io.kubernetes.client.openapi.models.V1Lease;
import io.reactiveinformer.client.DeleteOptions;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.internal.ListWaits;
import io.reactiveinformer.internal.OutageLog;
import io.reactiveinformer.internal.informer.Contained;
import io.reactiveinformer.internal.lease.LeaseDrafts;
import io.reactiveinformer.internal.lease.LeaseTerm;
import io.reactiveinformer.internal.operator.Moment;
import io.reactiveinformer.leader.ElectionOptions;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.sharding.MemberLease.Statement;
import io.reactiveinformer.sharding.ShardedController.Share;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * One member of a group, under a unique name that is never reused, until it leaves or is cut off. In each round it reads all leases, takes
 * the share that follows from them, and writes to its own lease the members among which it divides the keys from now on, and the keys
 * outside of its share that it is still working on. No wait lasts beyond the end of its term, which is therefore noticed in time.
 */
final class Member {

    /*
     * Why no two members work on one key. A member writes to its own lease among which members it divides the keys (a Statement), and only
     * then reads the leases of the others. It owns a key if the key is its own by each division that its lease may contain, and no other
     * living member has the key by the division in its lease. Of two members that would both have a key, the one whose lease was stored
     * second reads the other's division afterwards, and does not begin. So a key moves in steps, here k from a to b, which joins:
     *
     *   a   {a} is stored                               reads {a,b}: k is b's     writes {a,b}, finishing k      writes {a,b}
     *   b         writes {a,b}    reads {a}: k is a's                                        reads: a finishes k       reads: owns k
     *
     * A member that loses a key while it works on it lists the key as finishing until that work has ended. The new owner waits for that.
     *
     * A write without an answer may still be stored. Each statement that the lease may contain ("said") therefore restricts this member,
     * until a later write has succeeded: earlier ones then fail, as the lease has another version.
     *
     * A member that died does not renew its lease. The others wait until they have seen it unchanged for its duration, each by its own
     * clock. A living member that cannot renew its lease stops before that, at the end of its LeaseTerm. In doubt, a member does not begin:
     * a doubt costs time, and never gives a key two workers.
     */

    private static final Logger LOG = LoggerFactory.getLogger(ShardedController.class);

    /** A lease that was not renewed for this many times the lease duration is deleted by the first member that notices. */
    private static final int FORGOTTEN = 4;

    private final ResourceClient<V1Lease> leases;
    private final ObjectKey group;
    private final ElectionOptions options;
    private final Work<?> work;
    private final RetryAfterGate gate;
    private final Consumer<Share> comply;
    private final Consumer<Throwable> thrown;
    private final ObjectKey key;
    private final ListOptions ofGroup;
    private final LeaseDrafts drafts;
    private final GroupView groupView;
    private final LeaseTerm term;
    private final OutageLog outages;

    // Guarded by this: an answer may arrive while its timeout fires.
    private final Set<Statement> said = new LinkedHashSet<>(); // the statements that the lease of this member may contain
    private int writes;
    private boolean seen;

    /**
     * @param comply called with each share, also if it is unchanged
     * @param thrown called with an error that is no failure of a request; this member must be cancelled then
     */
    Member(
            ResourceClient<V1Lease> leases, ObjectKey group, ElectionOptions asked, Work<?> work, RetryAfterGate gate,
            Consumer<Share> comply, Consumer<Throwable> thrown) {
        this.leases = leases;
        this.group = group;
        this.options = asked.withTimer(Contained.scheduler(asked.timer(), thrown));
        this.thrown = thrown;
        this.work = work;
        this.gate = gate;
        this.comply = comply;
        String suffix = Long.toString((long) (options.random().getAsDouble() * (1L << 52)), Character.MAX_RADIX);
        this.key = ObjectKey.of(group.namespace(), group.name() + "-" + suffix);
        this.ofGroup = ListOptions.defaults().withSelector(Selector.labels(MemberLease.GROUP + "=" + group.name()));
        this.drafts = new LeaseDrafts(key, options.identity(), options.leaseDuration(),
                LeaseDrafts.with(options.labels(), Map.of(MemberLease.GROUP, group.name())), options.timer());
        this.outages = new OutageLog(LOG, key.toString(), options.timer());
        this.groupView = new GroupView(options.leaseDuration());
        this.term = new LeaseTerm(options.timer(), options.renewDeadline());
    }

    /** The latest Retry-After of the server; outlives the member that received it. */
    static final class RetryAfterGate {

        /** The longest wait: a Retry-After of a day must not stop the group. */
        private static final Duration LONGEST = Duration.ofMinutes(1);

        private final Scheduler clock;
        private volatile long until;
        private volatile boolean received;

        RetryAfterGate(Scheduler clock) {
            this.clock = clock;
        }

        void hear(KubernetesException failure) {
            Duration asked = failure instanceof StatusException refusal ? refusal.retryAfter().orElse(Duration.ZERO) : Duration.ZERO;
            if (!asked.isZero()) {
                until = now() + (asked.compareTo(LONGEST) < 0 ? asked : LONGEST).toNanos();
                received = true;
            }
        }

        /** {@code time}, or the rest of the Retry-After if that is longer. */
        Duration atLeast(Duration time) {
            long left = received ? until - now() : 0;
            return left > time.toNanos() ? Duration.ofNanos(left) : time;
        }

        private long now() {
            return clock.now(TimeUnit.NANOSECONDS);
        }
    }

    /** Completes when the member was cut off, or has left and works on no key any more. */
    Mono<Void> rounds() {
        return Mono.defer(this::round).repeatWhen(rounds -> rounds.takeWhile(done -> !term.isOver()).concatMap(done -> pause())).then();
    }

    private Mono<Long> pause() {
        Mono<Long> pause = Mono.delay(term.atMost(gate.atLeast(options.retryPeriod())), options.timer());
        return work.isLeaving() ? pause : pause.takeUntilOther(work.leaving()).defaultIfEmpty(0L);
    }

    private Mono<Void> round() {
        if (term.isOver()) {
            return Mono.empty();
        }
        if (work.isLeaving() && hasSaidNothing()) {
            term.end(); // it has written no lease that others could wait for
            return Mono.empty();
        }
        Duration limit = term.atMost(options.renewDeadline().dividedBy(2)); // a round that hangs leaves time for another
        // Urgent: behind the lists of many informers it would come too late to renew.
        return Contained.flux(ListWaits.urgent(leases.listAll(namespaces(), ofGroup)), thrown)
                .collectList()
                .flatMap(this::act)
                .timeout(limit, Mono.error(() -> new TransportException("no answer within " + limit, null)),
                        options.timer())
                .doOnSuccess(done -> outages.ended("in touch again", ""))
                .onErrorResume(KubernetesException.class, this::failed);
    }

    private Namespaces namespaces() {
        return Namespaces.of(Objects.requireNonNull(group.namespace()));
    }

    private synchronized Mono<Void> act(List<V1Lease> all) {
        long now = now();
        groupView.look(all, key.name(), now);
        V1Lease own = all.stream().filter(lease -> MemberLease.name(lease).equals(key.name())).findFirst().orElse(null);
        if (own == null && seen) {
            LOG.warn("{}: its lease was deleted; it joins again", key);
            term.end();
            return Mono.empty();
        }
        seen = own != null;
        boolean leaving = work.isLeaving(); // read once, so that one round sees one value
        SortedSet<String> members = groupView.members(now);
        if (!leaving) {
            members.add(key.name());
        }
        boolean part = own != null && term.holds() && !leaving;
        comply.accept(part ? Share.of(key.name(), said, members, groupView.statements(now), term::holds, work.division) : Share.NONE);
        if (!leaving) {
            work.cache.aim(ShareCache.of(key.name(), said, members), work.present());
            if (own == null && !(groupView.isSure(now) && work.cache.covers(ShareCache.of(key.name(), Set.of(), members)))) {
                return Mono.empty(); // joins only when it knows which members live, and caches its share
            }
        }
        var next = new Statement(members, work.outside(members, key.name()));
        if (leaving && next.finishing().isEmpty()) {
            term.end();
            return Mono.empty();
        }
        return say(next, own).then(sweep(all, now));
    }

    private Mono<Void> say(Statement next, @Nullable V1Lease own) {
        said.add(next);
        int write = ++writes;
        V1Lease draft = MemberLease.saying(next, drafts.held(own));
        Moment sent = Moment.now(options.timer());
        return contained(own == null ? leases.create(namespaces(), draft) : leases.update(key, draft))
                .doOnNext(stored -> received(next, write, sent)).then();
    }

    private <T> Mono<T> contained(Mono<T> request) {
        return Contained.mono(request, thrown);
    }

    /** The write succeeded: earlier ones can no longer arrive, as the lease has another version. */
    private synchronized void received(Statement stored, int write, Moment sent) {
        term.renew(sent);
        if (write == writes) {
            said.clear();
            said.add(stored);
        }
    }

    private Mono<Void> sweep(List<V1Lease> all, long now) {
        String departed = groupView.departed(options.leaseDuration().multipliedBy(FORGOTTEN), now);
        return Mono.justOrEmpty(all.stream().filter(lease -> MemberLease.name(lease).equals(departed)).findFirst())
                .flatMap(lease -> contained(leases.delete(
                        ObjectKey.of(group.namespace(), MemberLease.name(lease)),
                        DeleteOptions.defaults()
                                .withResourceVersion(Objects.requireNonNull(MemberLease.metadata(lease).getResourceVersion())))))
                .onErrorResume(KubernetesException.class, failure -> {
                    LOG.debug("{}: the lease of {}, a former member, was not deleted", key, departed, failure); // another member was faster
                    return Mono.empty();
                });
    }

    /** Notes a failed round. The share is kept until the term is over: until then the others count this member as living. */
    private synchronized Mono<Void> failed(KubernetesException cause) {
        gate.hear(cause);
        outages.failed(cause, "trying again", gate.atLeast(options.retryPeriod()));
        if (cause instanceof NotFoundException && seen) {
            term.end();
        }
        return Mono.empty();
    }

    /** Ends the term and gives up the share. */
    void end() {
        if (term.isExpired()) {
            LOG.warn("{}: its lease was not renewed for {}, so it gives up its share and joins again", key, options.renewDeadline());
        }
        term.end();
        comply.accept(Share.NONE);
    }

    /**
     * Releases the lease; called when no key is worked on any more. No effect after a cut-off: the others count this member as gone before
     * a release could arrive.
     */
    Mono<Void> release() {
        return Mono.defer(() -> {
            if (!options.releaseOnCancel() || term.isExpired() || hasSaidNothing()) {
                return Mono.empty();
            }
            return drafts.release(leases, stored -> true, options.renewDeadline(), failure ->
                    LOG.warn("{}: its lease could not be released; other members wait until it expires: {}", key, failure.getMessage()));
        });
    }

    private synchronized boolean hasSaidNothing() {
        return said.isEmpty();
    }

    private long now() {
        return options.timer().now(TimeUnit.NANOSECONDS);
    }

    @Override
    public String toString() {
        return key.toString();
    }
}
