package io.reactiveinformer.permissions;

import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ClusterRoleBinding;
import io.kubernetes.client.openapi.models.V1Role;
import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.internal.informer.LatestSubscription;
import io.reactiveinformer.internal.informer.LatestValues;
import io.reactiveinformer.internal.informer.SharedThreads;
import io.reactiveinformer.permissions.BoundRole.Grant;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Rights by roles and bindings.
 *
 * <p>Everything that is followed has a state of its own, made of the changes that were received, and not of the informers' snapshots: a
 * binding that is in a snapshot, but is deleted before it is received as a change, would never be received as deleted.
 */
final class RolePermissions implements Permissions {

    static final String CLOSED = "the permissions were closed";

    private final Policy policy = new Policy(); // written under this
    private final List<RbacSource<?>> sources;
    private final Duration limit;
    private final Scheduler timer;
    private final Disposable looks;
    private final LatestValues<Status> statuses = LatestValues.ofStates(1);
    private final Set<Follower> followers = ConcurrentHashMap.newKeySet();
    private final Map<Kind, Rights> kinds = new HashMap<>(); // as all below, guarded by this
    private Status known = new Status(false, "");
    private volatile boolean closed; // written under this

    /** Users with the same grants have the same rights. The request is for all namespaces and names. */
    private record Kind(Set<Grant> grants, AccessRequest request) {}

    /** A subscriber to the rights of a user. */
    private static final class Follower {
        final List<String> subjects;
        final LatestSubscription<Predicate<ObjectKey>> subscriber;
        Kind kind;
        @Nullable Rights last;

        Follower(List<String> subjects, LatestSubscription<Predicate<ObjectKey>> subscriber, Kind kind) {
            this.subjects = subjects;
            this.subscriber = subscriber;
            this.kind = kind;
        }
    }

    RolePermissions(InformerFactory from, Duration limit, Scheduler timer) {
        this.limit = atLeastASecond("limit", limit);
        this.timer = timer;
        Runnable settled = this::settle;
        sources = List.of(
                new RbacSource<>(from, ResourceType.of(V1Role.class).as(RoleRules.class), policy::setRole, this, settled),
                new RbacSource<>(from, ResourceType.of(V1ClusterRole.class).as(RoleRules.class), policy::setRole, this, settled),
                new RbacSource<>(from, ResourceType.of(V1RoleBinding.class).as(BoundRole.class), policy::setBinding, this, settled),
                new RbacSource<>(from, ResourceType.of(V1ClusterRoleBinding.class).as(BoundRole.class), policy::setBinding, this, settled));
        settle();
        sources.forEach(source -> source.start(timer));
        looks = timer.schedulePeriodically(this::settle, 1, 1, TimeUnit.SECONDS); // nobody notifies of time that passes
    }

    static Duration atLeastASecond(String name, Duration given) {
        if (given.toSeconds() < 1) {
            throw new IllegalArgumentException(name + " must be at least 1s, was " + given);
        }
        return given;
    }

    @Override
    public Mono<Decision> decide(User user, AccessRequest request) {
        return Mono.fromCallable(() -> {
            Status now = verdict();
            return now.known() ? policy.decide(user, request) : new Decision(false, now.reason());
        });
    }

    @Override
    public Flux<Predicate<ObjectKey>> rights(User user, ResourceType<?> type, String verb) {
        List<String> subjects = BoundRole.subjectsOf(user);
        AccessRequest request = AccessRequest.of(verb, type);
        return Flux.defer(() -> LatestSubscription.<Predicate<ObjectKey>>flux(
                1, SharedThreads.ofChanges(), subscriber -> follow(subjects, request, subscriber))).distinctUntilChanged();
    }

    @Override
    public Flux<Status> status() {
        return Flux.defer(() -> statuses.flux(SharedThreads.ofStatuses())).distinctUntilChanged();
    }

    @Override
    public void close() {
        looks.dispose();
        sources.forEach(RbacSource::stop);
        synchronized (this) {
            closed = true;
            settle();
            followers.forEach(follower -> follower.subscriber.complete());
            statuses.complete();
        }
    }

    private synchronized Disposable follow(List<String> subjects, AccessRequest request, LatestSubscription<Predicate<ObjectKey>> to) {
        Follower follower = new Follower(subjects, to, new Kind(policy.grants(subjects), request));
        followers.add(follower);
        publish(follower);
        if (closed) {
            to.complete();
        }
        return () -> followers.remove(follower);
    }

    private void publish(Follower follower) {
        Rights next = known.known() ? kinds.computeIfAbsent(follower.kind, this::rights) : Rights.UNKNOWN;
        if (!next.equals(follower.last)) {
            follower.last = next;
            follower.subscriber.set(next);
        }
    }

    private Rights rights(Kind kind) {
        return policy.rights(kind.grants, kind.request);
    }

    /** Passes on what the changes since the last call mean, and forgets the kinds that nobody is of. */
    private synchronized void settle() {
        known = verdict();
        kinds.replaceAll((kind, rights) -> {
            boolean changed = kind.grants.stream().anyMatch(grant -> policy.changedRoles.contains(grant.role()));
            Rights now = changed ? rights(kind) : rights;
            return now.equals(rights) ? rights : now; // the same instance for all
        });
        for (Follower follower : followers) {
            if (!Collections.disjoint(policy.changedSubjects, follower.subjects)) {
                follower.kind = new Kind(policy.grants(follower.subjects), follower.kind.request);
            }
            publish(follower);
        }
        kinds.keySet().retainAll(followers.stream().map(follower -> follower.kind).collect(Collectors.toSet()));
        policy.settle(kinds.keySet().stream().map(Kind::request).collect(Collectors.toSet()));
        statuses.publish(known);
    }

    private Status verdict() {
        Instant now = Instant.ofEpochMilli(timer.now(TimeUnit.MILLISECONDS));
        String doubts = closed ? CLOSED
                : sources.stream().map(source -> source.doubt(now, limit)).filter(Objects::nonNull).collect(Collectors.joining("; "));
        return new Status(doubts.isEmpty(), doubts);
    }
}
