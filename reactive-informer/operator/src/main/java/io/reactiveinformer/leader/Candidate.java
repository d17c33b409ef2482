package io.reactiveinformer.leader;

import io.kubernetes.client.openapi.models.V1Lease;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.internal.OutageLog;
import io.reactiveinformer.internal.informer.Contained;
import io.reactiveinformer.internal.lease.LeaseDrafts;
import io.reactiveinformer.internal.lease.LeaseTerm;
import io.reactiveinformer.internal.lease.Sight;
import io.reactiveinformer.internal.operator.Attempts;
import io.reactiveinformer.internal.operator.Moment;
import io.reactiveinformer.leader.Candidate.Ballot.Holder;
import io.reactiveinformer.leader.Leadership.Following;
import io.reactiveinformer.leader.Leadership.Leading;
import io.reactiveinformer.leader.Leadership.Term;
import io.reactiveinformer.leader.Leadership.Trouble;
import io.reactiveinformer.resource.ClientClosedException;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * One candidacy for a lease: one try after the other, with a pause between them. Neither a try nor a pause lasts beyond the end of a term.
 * The end is therefore noticed in time, without a timer of its own.
 */
final class Candidate {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElector.class);

    /** The longest pause, also after a longer Retry-After of the server: without requests no candidate can become the leader. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final ResourceClient<V1Lease> leases;
    private final ObjectKey key;
    private final ElectionOptions options;
    private final LeaseDrafts drafts;
    /** Whether there was an answer yet: the first request also opens the connection and loads classes, beside the lists of the start. */
    private boolean answered;
    private final OutageLog outages;
    private final Claims claims;
    private final Scheduler timer;
    private volatile @Nullable Tries tries;

    // Used by one try at a time, except the term, which a cancelling thread ends.
    private final Sight sight;
    private volatile @Nullable Term term;
    private @Nullable V1Lease written;
    private @Nullable Trouble trouble;
    private Duration pause = Duration.ZERO;

    Candidate(ResourceClient<V1Lease> leases, ObjectKey key, ElectionOptions options) {
        this.leases = leases;
        this.key = key;
        this.options = options;
        this.timer = Contained.scheduler(options.timer(), this::breakOff);
        this.drafts = new LeaseDrafts(key, options.identity(), options.leaseDuration(), options.labels(), timer);
        this.outages = new OutageLog(LOG, "lease " + key, timer);
        this.claims = new Claims(options.identity());
        this.sight = new Sight(options.leaseDuration());
    }

    /** Never completes; fails when the client is closed. Needs unbounded demand: a slow subscriber must not delay the next try. */
    Flux<Leadership> states() {
        return Flux.push(sink -> {
            var standing = new Tries(sink);
            tries = standing;
            sink.onDispose(standing);
            standing.start();
        }, FluxSink.OverflowStrategy.IGNORE);
    }

    /** One try after the other. An aborted one counts as failed. */
    private final class Tries extends Attempts {

        private final FluxSink<Leadership> sink;
        private @Nullable Leadership emitted; // used by one try at a time

        Tries(FluxSink<Leadership> sink) {
            super(timer);
            this.sink = sink;
        }

        @Override
        protected Disposable begin() {
            return Mono.defer(Candidate.this::next).subscribe(this::tell, sink::error);
        }

        @Override
        protected void aborted(Throwable failure) {
            tell(failed(new TransportException("lease " + key + ": a try was aborted by " + failure, failure)));
        }

        private void tell(Leadership state) {
            if (!state.equals(emitted)) {
                emitted = state;
                sink.next(state);
            }
            nextAfter(pause);
        }
    }

    private void breakOff(Throwable failure) {
        Tries standing = tries;
        if (standing != null) {
            standing.breakOff(failure);
        }
    }

    private <T> Mono<T> contained(Mono<T> request) {
        return Contained.mono(request, this::breakOff);
    }

    private Mono<Leadership> next() {
        Term current = term;
        if (current == null) {
            return within(answered ? options.tryLimit() : options.renewDeadline(), look(null));
        }
        if (!current.holds()) {
            return Mono.just(lost(current, null, "it was not renewed in time"));
        }
        Duration limit = shorter(options.tryLimit(), current.remaining());
        V1Lease last = written;
        return within(limit, last == null ? look(current) : renew(last, current).onErrorResume(StatusException.class,
                refused -> look(current)));
    }

    private Mono<Leadership> within(Duration limit, Mono<Leadership> attempt) {
        return attempt
                .timeout(limit, Mono.error(() -> new TransportException("lease " + key + ": no answer within " + limit, null)), timer)
                .onErrorResume(KubernetesException.class, cause -> cause instanceof ClientClosedException
                        ? Mono.error(cause) : Mono.just(failed(cause)));
    }

    private Mono<Leadership> look(@Nullable Term current) {
        return contained(leases.get(key))
                .map(Optional::of)
                .onErrorResume(NotFoundException.class, none -> Mono.just(Optional.empty()))
                .flatMap(seen -> vote(seen.orElse(null), current));
    }

    private Mono<Leadership> vote(@Nullable V1Lease seen, @Nullable Term current) {
        long now = now();
        if (seen != null) {
            sight.look(LeaseDrafts.spec(seen), now);
        }
        Holder holder = holder(seen);
        String leader = holder == Holder.ANOTHER ? LeaseDrafts.spec(Objects.requireNonNull(seen)).getHolderIdentity() : null;
        return switch (Ballot.of(current != null, holder, sight.expired(now) || claims.has(sight.spec()))) {
            case CREATE, TAKE -> take(seen);
            case RENEW -> renew(Objects.requireNonNull(seen), Objects.requireNonNull(current));
            case WAIT -> {
                if (holder == Holder.ANOTHER) {
                    claims.clear();
                }
                yield Mono.just(following(leader));
            }
            case LOST -> Mono.just(lost(Objects.requireNonNull(current), leader,
                    seen == null ? "the lease was deleted" : "the holder of the lease is " + (leader == null ? "nobody" : leader)));
        };
    }

    /**
     * What a candidate does after it has read the lease.
     *
     * <pre>
     *               no lease     free    ours     another's
     *   following   CREATE *     TAKE    TAKE     TAKE *       * WAIT until the lease last seen of another has expired
     *   leading     LOST         LOST    RENEW    LOST
     * </pre>
     * A leader whose lease was deleted has lost it: another candidate may have created a new one, and led, since.
     */
    enum Ballot {
        CREATE, TAKE, RENEW, WAIT, LOST;

        /**
         * The holder of a lease. US if this candidacy wrote the lease, or may have written it: the identity alone does not tell, as another
         * process may have the same.
         */
        enum Holder {
            NO_LEASE, NOBODY, US, ANOTHER
        }

        /** @param expired whether the lease of another candidate, as last seen, has expired, or none was seen */
        static Ballot of(boolean leading, Holder holder, boolean expired) {
            return switch (holder) {
                case US -> leading ? RENEW : TAKE;
                case NOBODY -> leading ? LOST : TAKE;
                case NO_LEASE -> leading ? LOST : expired ? CREATE : WAIT;
                case ANOTHER -> leading ? LOST : expired ? TAKE : WAIT;
            };
        }
    }

    private Holder holder(@Nullable V1Lease seen) {
        if (seen == null) {
            return Holder.NO_LEASE;
        }
        return Sight.isFree(LeaseDrafts.spec(seen)) ? Holder.NOBODY : claims.has(LeaseDrafts.spec(seen)) ? Holder.US : Holder.ANOTHER;
    }

    private Mono<Leadership> take(@Nullable V1Lease seen) {
        int transition = sight.nextTransition();
        V1Lease draft = drafts.taken(seen, transition, options.random().getAsDouble());
        OffsetDateTime acquired = Objects.requireNonNull(LeaseDrafts.spec(draft).getAcquireTime());
        return Mono.defer(() -> {
            claims.add(acquired);
            Moment sent = Moment.now(timer);
            return contained(seen == null ? leases.create(Namespaces.of(Objects.requireNonNull(key.namespace())), draft)
                    : leases.update(key, draft))
                    .map(stored -> {
                        claims.won(acquired);
                        var time = new LeaseTerm(timer, options.renewDeadline());
                        time.renew(sent);
                        return won(stored, new Term(transition, time));
                    });
        });
    }

    private Mono<Leadership> renew(V1Lease seen, Term current) {
        return Mono.defer(() -> {
            Moment sent = Moment.now(timer);
            return contained(leases.update(key, drafts.held(seen))).map(stored -> {
                if (!current.holds()) {
                    return lost(current, null, "it was renewed too late"); // other candidates do not know, and wait for it to expire
                }
                current.time().renew(sent);
                return won(stored, current);
            });
        });
    }

    private Leadership won(V1Lease stored, Term winner) {
        sight.look(LeaseDrafts.spec(stored), now());
        if (!winner.holds()) {
            return following(null); // the answer arrived so late that the term is over already
        }
        if (term == null) {
            LOG.info("lease {}: {} leads, as term {}", key, options.identity(), winner.token());
        }
        term = winner;
        written = stored;
        inTouch();
        pause = shorter(options.retryPeriod(), winner.remaining());
        return new Leading(winner, null);
    }

    private Leadership following(@Nullable String leader) {
        inTouch();
        pause = options.drawPause();
        return new Following(leader, null);
    }

    private Leadership lost(Term ended, @Nullable String leader, String why) {
        end(ended, why);
        pause = options.drawPause();
        return new Following(leader, trouble);
    }

    private void end(Term ended, String why) {
        ended.time().end();
        term = null;
        written = null;
        LOG.info("lease {}: {} does not lead any more: {}", key, options.identity(), why);
    }

    private Leadership failed(KubernetesException cause) {
        answered |= cause instanceof StatusException;
        written = null; // the write may have arrived: read the lease first
        Trouble before = trouble;
        int attempt = before == null ? 1 : before.attempt() + 1;
        Term current = term;
        if (current != null && current.holds()) {
            pause = shorter(options.retryPeriod(), current.remaining());
            return new Leading(current, troubled(cause, attempt));
        }
        if (current != null) {
            end(current, "it was not renewed in time");
        }
        pause = pauseAfter(cause);
        return new Following(null, troubled(cause, attempt));
    }

    private Trouble troubled(KubernetesException cause, int attempt) {
        outages.failed(cause, "trying again", pause);
        Trouble next = new Trouble(cause, attempt, pause);
        trouble = next;
        return next;
    }

    private void inTouch() {
        answered = true;
        trouble = null;
        outages.ended("read or written again", "");
    }

    private Duration pauseAfter(KubernetesException cause) {
        Duration drawn = options.drawPause();
        Duration asked = cause instanceof StatusException refusal ? refusal.retryAfter().orElse(Duration.ZERO) : Duration.ZERO;
        return asked.compareTo(drawn) > 0 ? shorter(asked, LONGEST_PAUSE) : drawn;
    }

    /** Ends the term; it cannot be renewed. */
    Leadership stepDown() {
        Term ended = term;
        if (ended != null) {
            ended.time().end();
        }
        return new Following(null, null);
    }

    /**
     * False if this candidate considers itself the leader although the last renewal is older than the lease duration plus
     * {@code tolerance}: then its timer does not run.
     */
    boolean healthy(Duration tolerance) {
        Term current = term;
        return current == null || current.time().isEnded()
                || current.time().sinceRenewed().compareTo(options.leaseDuration().plus(tolerance)) <= 0;
    }

    /** Ends the term, then releases the lease if this candidate holds it or may hold it; if that fails, the lease expires. */
    Mono<Void> release() {
        return Mono.defer(() -> {
            stepDown();
            if (!options.releaseOnCancel() || claims.isEmpty()) {
                return Mono.empty();
            }
            return drafts.release(leases, seen -> claims.has(seen.getSpec()), options.renewDeadline(), failure ->
                    LOG.warn("lease {}: could not be released; other candidates wait until it expires: {}", key, failure.getMessage()));
        });
    }

    private long now() {
        return timer.now(TimeUnit.NANOSECONDS);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
