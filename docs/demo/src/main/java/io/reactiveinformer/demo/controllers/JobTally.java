package io.reactiveinformer.demo.controllers;

import io.kubernetes.client.openapi.models.V1JobStatus;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1UncountedTerminatedPods;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How many pods of a job have succeeded and failed: each counts once, though pods are deleted and answers get lost. A pod is held by a
 * finalizer until it is written into the status that it is about to be counted; then it is let go; and when it is seen to be free, its
 * place in that list becomes one in the sum. Each step is a write that fails if the status is not the one that was looked at, so none is
 * done twice.
 *
 * @param succeeded in the sum
 * @param failed in the sum
 * @param succeeding uids of those that are about to be counted
 * @param failing the same
 */
record JobTally(int succeeded, int failed, Set<String> succeeding, Set<String> failing) {

    static final String HELD = "batch.kubernetes.io/job-tracking";

    static JobTally of(@Nullable V1JobStatus status, Collection<V1Pod> pods) {
        V1JobStatus before = status == null ? new V1JobStatus() : status;
        V1UncountedTerminatedPods listed = before.getUncountedTerminatedPods();
        Set<String> succeeded = listed == null ? Set.of() : set(listed.getSucceeded());
        Set<String> failed = listed == null ? Set.of() : set(listed.getFailed());
        Set<String> held = uids(pods, JobTally::isHeld);
        Set<String> succeeding = both(succeeded, held);
        Set<String> failing = both(failed, held);
        int nowSucceeded = Meta.count(before.getSucceeded()) + succeeded.size() - succeeding.size();
        int nowFailed = Meta.count(before.getFailed()) + failed.size() - failing.size();
        succeeding.addAll(uids(pods, pod -> isHeld(pod) && Pods.hasSucceeded(pod) && !failed.contains(Meta.uid(pod))));
        failing.addAll(uids(pods, pod -> isHeld(pod) && hasFailed(pod) && !succeeded.contains(Meta.uid(pod))));
        return new JobTally(nowSucceeded, nowFailed, succeeding, failing);
    }

    /** One that is deleted counts as failed at once: it may never get that far. */
    static boolean hasFailed(V1Pod pod) {
        return !Pods.hasSucceeded(pod) && !Pods.isActive(pod);
    }

    static boolean isHeld(V1Pod pod) {
        var finalizers = pod.getMetadata().getFinalizers();
        return finalizers != null && finalizers.contains(HELD);
    }

    int allSucceeded() {
        return succeeded + succeeding.size();
    }

    int allFailed() {
        return failed + failing.size();
    }

    boolean isSettled() {
        return succeeding.isEmpty() && failing.isEmpty();
    }

    /** Whether, once this is written, the pod may go. */
    boolean lists(V1Pod pod) {
        return succeeding.contains(Meta.uid(pod)) || failing.contains(Meta.uid(pod));
    }

    @Nullable V1UncountedTerminatedPods uncounted() {
        return isSettled() ? null : new V1UncountedTerminatedPods().succeeded(List.copyOf(succeeding)).failed(List.copyOf(failing));
    }

    private static Set<String> uids(Collection<V1Pod> pods, Predicate<V1Pod> which) {
        Set<String> uids = new TreeSet<>();
        pods.stream().filter(which).forEach(pod -> uids.add(Meta.uid(pod)));
        return uids;
    }

    private static Set<String> set(@Nullable Collection<String> uids) {
        return uids == null ? Set.of() : new HashSet<>(uids);
    }

    private static Set<String> both(Set<String> one, Set<String> other) {
        Set<String> both = new TreeSet<>(one);
        both.retainAll(other);
        return both;
    }
}
