package io.reactiveinformer.permissions;

import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ClusterRoleBinding;
import io.kubernetes.client.openapi.models.V1Role;
import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.internal.informer.LatestValues;
import io.reactiveinformer.internal.informer.SharedThreads;
import io.reactiveinformer.permissions.BoundRole.Grant;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
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

    private final Policy policy = new Policy(); // written under this
    private final List<RbacSource<?>> sources;
    private final Duration limit;
    private final Scheduler timer;
    private final LatestValues<Status> statuses = LatestValues.ofStates(1);
    private final Disposable.Swap nextLook = Disposables.swap();
    private final Map<Followed, Follower> followers = new HashMap<>(); // as all below, guarded by this
    private final Map<String, Set<Follower>> bySubject = new HashMap<>();
    private final Map<KindKey, Kind> kinds = new HashMap<>();
    private final Set<ObjectKey> changedRoles = new HashSet<>();
    private final Set<String> changedSubjects = new HashSet<>();
    private Status known = new Status(false, "");
    private volatile boolean closed; // written under this

    /** What a subscriber wants to know; the request has neither namespace nor name. */
    private record Followed(User user, AccessRequest request) {}

    private record KindKey(Set<Grant> grants, AccessRequest request) {}

    /** All users with the same grants. */
    private static final class Kind {
        final KindKey key;
        final Set<ObjectKey> roles = new HashSet<>();
        final Set<Follower> followers = new HashSet<>();
        Rights rights = Rights.NONE;

        Kind(KindKey key) {
            this.key = key;
            key.grants.forEach(grant -> roles.add(grant.role()));
        }
    }

    /** The rights of one user, for all that subscribe to them. */
    private static final class Follower {
        final Followed followed;
        final LatestValues<Predicate<ObjectKey>> rights = LatestValues.ofStates(1);
        @Nullable Kind kind;
        int subscribers;

        Follower(Followed followed) {
            this.followed = followed;
        }
    }

    RolePermissions(InformerFactory informers, Duration limit, Scheduler timer) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("limit must be longer than zero, was " + limit);
        }
        this.limit = limit;
        this.timer = timer;
        sources = List.of(
                source(informers, ResourceType.of(V1Role.class).as(RoleRules.class), this::setRole),
                source(informers, ResourceType.of(V1ClusterRole.class).as(RoleRules.class), this::setRole),
                source(informers, ResourceType.of(V1RoleBinding.class).as(BoundRole.class), this::setBinding),
                source(informers, ResourceType.of(V1ClusterRoleBinding.class).as(BoundRole.class), this::setBinding));
        settle();
        sources.forEach(source -> source.start(timer));
    }

    private <T> RbacSource<T> source(InformerFactory informers, ResourceType<T> type, RbacSource.Target<T> target) {
        return new RbacSource<>(informers, type, target, this, this::settle);
    }

    private void setRole(ObjectKey key, @Nullable RoleRules before, @Nullable RoleRules after) {
        policy.setRole(key, after);
        changedRoles.add(key);
    }

    private void setBinding(ObjectKey key, @Nullable BoundRole before, @Nullable BoundRole after) {
        changedSubjects.addAll(policy.setBinding(key, before, after));
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
        Followed followed = new Followed(user, AccessRequest.of(verb, type));
        return Flux.defer(() -> {
            Follower follower = follow(followed);
            return follower == null ? Flux.just(Rights.NONE)
                    : follower.rights.flux(SharedThreads.ofChanges()).doFinally(end -> leave(follower)).distinctUntilChanged();
        });
    }

    @Override
    public Flux<Status> status() {
        return statuses.flux(SharedThreads.ofStatuses()).distinctUntilChanged();
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            settle();
            followers.values().forEach(follower -> follower.rights.complete());
            statuses.complete();
        }
        nextLook.dispose();
        sources.forEach(RbacSource::stop);
    }

    /** Returns null if nobody is followed any more. */
    private synchronized @Nullable Follower follow(Followed followed) {
        if (closed) {
            return null;
        }
        Follower follower = followers.computeIfAbsent(followed, Follower::new);
        if (follower.subscribers++ == 0) {
            BoundRole.subjectsOf(followed.user).forEach(subject -> bySubject.computeIfAbsent(subject, any -> new HashSet<>()).add(follower));
            place(follower);
        }
        return follower;
    }

    private synchronized void leave(Follower follower) {
        if (--follower.subscribers == 0) {
            followers.remove(follower.followed);
            BoundRole.subjectsOf(follower.followed.user).forEach(subject -> remove(bySubject, subject, follower));
            leaveKind(follower);
        }
    }

    private static <K> void remove(Map<K, Set<Follower>> from, K key, Follower follower) {
        from.computeIfPresent(key, (any, all) -> all.remove(follower) && all.isEmpty() ? null : all);
    }

    private void leaveKind(Follower follower) {
        Kind kind = follower.kind;
        if (kind != null && kind.followers.remove(follower) && kind.followers.isEmpty()) {
            kinds.remove(kind.key);
        }
    }

    /** Finds the kind of a user whose bindings may have changed. */
    private void place(Follower follower) {
        KindKey key = new KindKey(policy.grants(follower.followed.user), follower.followed.request);
        Kind last = follower.kind;
        if (last == null || !last.key.equals(key)) {
            leaveKind(follower);
            Kind kind = kinds.computeIfAbsent(key, this::kind);
            kind.followers.add(follower);
            follower.kind = kind;
        }
        publish(follower);
    }

    private Kind kind(KindKey key) {
        Kind kind = new Kind(key);
        kind.rights = policy.rights(key.grants, key.request);
        return kind;
    }

    private void publish(Follower follower) {
        Kind kind = follower.kind;
        Rights next = kind == null || !known.known() ? Rights.NONE : kind.rights;
        if (!next.equals(follower.rights.current())) {
            follower.rights.publish(next);
        }
    }

    /** Passes on what the changes since the last call mean; what is refused from now on is refused first. */
    private synchronized void settle() {
        Status last = known;
        known = verdict();
        for (Kind kind : kinds.values()) {
            if (!Collections.disjoint(kind.roles, changedRoles)) {
                kind.rights = policy.rights(kind.key.grants, kind.key.request);
                kind.followers.forEach(this::publish);
            }
        }
        changedRoles.clear();
        Set<Follower> concerned = new HashSet<>();
        changedSubjects.forEach(subject -> concerned.addAll(bySubject.getOrDefault(subject, Set.of())));
        changedSubjects.clear();
        concerned.forEach(this::place);
        if (known.known() != last.known()) {
            followers.values().forEach(this::publish);
        }
        if (!known.equals(last)) {
            statuses.publish(known);
        }
        lookAgain();
    }

    private Status verdict() {
        Instant now = now();
        String doubts = closed ? "the permissions were closed"
                : sources.stream().map(source -> source.doubt(now, limit)).filter(Objects::nonNull).collect(Collectors.joining("; "));
        return new Status(doubts.isEmpty(), doubts);
    }

    /** Nobody notifies of time that passes. */
    private void lookAgain() {
        Instant now = now();
        Disposable look = sources.stream().map(source -> source.until(now, limit)).filter(Objects::nonNull).min(Comparator.naturalOrder())
                .<Disposable>map(wait -> timer.schedule(this::settle, wait.toMillis(), TimeUnit.MILLISECONDS))
                .orElseGet(Disposables::disposed);
        nextLook.update(look);
    }

    private Instant now() {
        return Instant.ofEpochMilli(timer.now(TimeUnit.MILLISECONDS));
    }
}
