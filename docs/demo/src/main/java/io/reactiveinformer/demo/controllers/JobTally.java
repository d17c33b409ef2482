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
 * The numbers of a job's pods that have succeeded and failed. Each pod is counted once, even if pods are deleted and answers are lost: a
 * finalizer keeps a pod until its uid is in the status, in the list of uncounted pods. Then the finalizer is removed. Once the cache shows
 * that, the uid is removed from the list and the sum is increased. Each step is a write that fails if the status has changed since it was
 * read, so no step is done twice.
 *
 * @param succeeded the sum of counted pods that have succeeded
 * @param failed the sum of counted pods that have failed
 * @param succeeding the uids of pods that have succeeded and are not in the sum yet
 * @param failing the uids of pods that have failed and are not in the sum yet
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

    /** A deleted pod counts as failed at once: its phase may never become {@code Failed}. */
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

    /** Whether the pod's finalizer can be removed once this is written. */
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
