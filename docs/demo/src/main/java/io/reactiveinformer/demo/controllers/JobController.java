package io.reactiveinformer.demo.controllers;

import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobCondition;
import io.kubernetes.client.openapi.models.V1JobStatus;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.DeleteOptions;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Owner;
import io.reactiveinformer.controller.ReconcileRequest;
import io.reactiveinformer.controller.Route;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.recorder.EventRecorder;
import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Runs the pods of a job until enough have succeeded, too many have failed, or its time is over. Then it stops the pods that still run, and
 * deletes the job when its time to live after the end is over.
 *
 * <p>Left out are indexed jobs, which are not touched, and {@code podFailurePolicy}, {@code successPolicy} and
 * {@code podReplacementPolicy}, which are ignored. A suspended job starts no pods, but has no condition {@code Suspended}.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/workloads/controllers/job/">Kubernetes: Jobs</a>
 */
final class JobController {

    static final ResourceType<V1Job> JOBS = ResourceType.of(V1Job.class);

    static final String NAME_LABEL = "batch.kubernetes.io/job-name";
    static final String UID_LABEL = "batch.kubernetes.io/controller-uid";

    private static final int AT_ONCE = 16;

    private final Cluster cluster;
    private final Informer<V1Job> jobs;
    private final Informer<V1Pod> pods;
    private final Ownership<V1Job, V1Pod> ownership;
    private final PodControl<V1Job> control;
    private final EventRecorder events;

    private JobController(Cluster cluster) {
        this.cluster = cluster;
        this.jobs = cluster.informer(JOBS);
        this.pods = cluster.informer(PodControl.PODS);
        this.ownership = new Ownership<>(cluster, JOBS, PodControl.PODS, JobController::selector);
        this.events = cluster.recorder("job-controller");
        this.control = new PodControl<>(cluster, JOBS, events);
    }

    static Controller<ObjectKey> of(Cluster cluster) {
        var controller = new JobController(cluster);
        return Controller.named("jobs")
                .watches(controller.jobs, Route.self())
                .watches(controller.pods, controller.ownership.route())
                // pods that have lost their controller, but still have the finalizer
                .watches(controller.pods, Route.toNamedBy(NAME_LABEL))
                .reconcile(controller::reconcile);
    }

    /** The selector of a job. Most API servers write one if the user does not. */
    private static V1LabelSelector selector(V1Job job) {
        V1LabelSelector selector = job.getSpec().getSelector();
        return selector != null ? selector : new V1LabelSelector().putMatchLabelsItem(UID_LABEL, Meta.uid(job));
    }

    private Mono<Result> reconcile(ReconcileRequest<ObjectKey> request) {
        V1Job job = jobs.lister().get(request.key()).filter(there -> !Meta.isLeaving(there)).orElse(null);
        V1JobCondition end = job == null ? null : JobVerdict.end(job);
        Flux<V1Pod> abandoned = Flux.fromStream(() -> heldBy(request.key())
                .filter(pod -> job == null || end != null || !Owner.of(JOBS, job).controls(pod)));
        return abandoned.flatMapDelayError(pod -> release(pod, request), AT_ONCE, 1)
                .then(job == null || !isOurs(job) ? Mono.empty() : end != null ? expire(job, end) : run(job, request));
    }

    private static boolean isOurs(V1Job job) {
        return !"Indexed".equals(job.getSpec().getCompletionMode())
                && "kubernetes.io/job-controller"
                        .equals(Objects.requireNonNullElse(job.getSpec().getManagedBy(), "kubernetes.io/job-controller"));
    }

    /** The pods of a job of this name that still have the finalizer. */
    private Stream<V1Pod> heldBy(ObjectKey job) {
        Stream<V1Pod> left = ownership.orphans(job).stream().filter(pod -> job.name().equals(Meta.labels(pod).get(NAME_LABEL)));
        return Stream.concat(ownership.controlledBy(job).stream(), left).filter(JobTally::isHeld);
    }

    private Mono<V1Pod> release(V1Pod pod, ReconcileRequest<?> request) {
        var patch = Map.of("metadata", Map.of("uid", Meta.uid(pod), "$deleteFromPrimitiveList/finalizers", List.of(JobTally.HELD)));
        return cluster.resources(PodControl.PODS)
                .patch(Meta.key(pod), Patch.strategic(patch))
                .doOnNext(request.wrote(pods))
                // the pod is gone, or another one of its name
                .onErrorComplete(failure -> failure instanceof NotFoundException || failure instanceof InvalidRequestException);
    }

    private Mono<Result> expire(V1Job job, V1JobCondition end) {
        Duration left = cluster.left(end.getLastTransitionTime(), job.getSpec().getTtlSecondsAfterFinished());
        if (left == null) {
            return Mono.empty();
        } else if (!left.isNegative() && !left.isZero()) {
            return Mono.just(Result.again(left));
        }
        var options = DeleteOptions.defaults().withPropagation(DeleteOptions.Propagation.FOREGROUND).withUid(Meta.uid(job));
        return cluster.resources(JOBS)
                .delete(Meta.key(job), options)
                .onErrorComplete(NotFoundException.class)
                .then(Mono.empty());
    }

    private Mono<Result> run(V1Job job, ReconcileRequest<?> request) {
        return ownership.claim(job, pod -> true, request).flatMap(own -> {
            JobTally tally = JobTally.of(job.getStatus(), own);
            List<V1Pod> active = own.stream().filter(Pods::isActive).toList();
            JobVerdict verdict = JobVerdict.of(job, tally, active, cluster);
            int missing = (verdict != null ? 0 : wanted(job, tally, active.size())) - active.size();
            Duration pause = missing > 0 ? JobBackoff.left(own, cluster) : Duration.ZERO;
            Mono<Void> counted = report(job, status(job, tally, own, verdict), request)
                    .thenMany(Flux.fromIterable(own).filter(tally::lists))
                    .flatMapDelayError(pod -> release(pod, request), AT_ONCE, 1)
                    .then();
            Mono<Void> scaled = pause.isZero() ? scale(job, missing, active, request) : Mono.empty();
            return Flux.concatDelayError(counted, scaled).then(Mono.justOrEmpty(nextLook(pause, JobVerdict.untilDeadline(job, cluster))));
        });
    }

    private static int wanted(V1Job job, JobTally tally, int active) {
        int parallelism = Objects.requireNonNullElse(job.getSpec().getParallelism(), 1);
        Integer completions = JobVerdict.completions(job);
        if (Boolean.TRUE.equals(job.getSpec().getSuspend())) {
            return 0;
        } else if (completions == null) {
            return tally.allSucceeded() > 0 ? Math.min(active, parallelism) : parallelism;
        }
        return Math.max(0, Math.min(parallelism, completions - tally.allSucceeded()));
    }

    private Mono<Void> scale(V1Job job, int missing, List<V1Pod> active, ReconcileRequest<?> request) {
        return missing >= 0
                ? control.create(missing, job, job.getSpec().getTemplate(), metadata -> marked(metadata, job), request)
                : control.delete(active.stream().sorted(Pods.VICTIMS).limit(-missing).toList(), job, request);
    }

    private static V1ObjectMeta marked(V1ObjectMeta metadata, V1Job job) {
        Map<String, String> labels = Meta.with(metadata.getLabels(), NAME_LABEL, Meta.name(job));
        labels.put(UID_LABEL, Meta.uid(job));
        labels.put("job-name", Meta.name(job)); // older names of these labels, which selectors still use
        labels.put("controller-uid", Meta.uid(job));
        return metadata.labels(labels).finalizers(Stream.concat(
                metadata.getFinalizers() == null ? Stream.empty() : metadata.getFinalizers().stream(), Stream.of(JobTally.HELD))
                        .distinct().toList());
    }

    private V1JobStatus status(V1Job job, JobTally tally, Collection<V1Pod> own, @Nullable JobVerdict verdict) {
        V1JobStatus before = Objects.requireNonNullElseGet(job.getStatus(), V1JobStatus::new);
        int active = (int) own.stream().filter(Pods::isActive).count();
        int terminating = (int) own.stream().filter(pod -> Meta.isLeaving(pod) && !Pods.isOver(pod)).count();
        boolean over = verdict != null && active == 0 && terminating == 0 && tally.isSettled();
        return new V1JobStatus()
                .startTime(before.getStartTime() != null || Boolean.TRUE.equals(job.getSpec().getSuspend())
                        ? before.getStartTime() : cluster.now())
                .completionTime(over && verdict != null && verdict.isSuccess() ? cluster.now() : null)
                .active(Meta.orNothing(active))
                .ready(Meta.orNothing((int) own.stream().filter(pod -> Pods.isActive(pod) && Pods.isReady(pod)).count()))
                .terminating(Meta.orNothing(terminating))
                .succeeded(Meta.orNothing(tally.succeeded()))
                .failed(Meta.orNothing(tally.failed()))
                .uncountedTerminatedPods(tally.uncounted())
                .conditions(verdict == null ? before.getConditions() : verdict.conditions(job, over, cluster));
    }

    /** Writes the status; fails if the job has changed since it was read, see {@link JobTally}. */
    private Mono<Void> report(V1Job job, V1JobStatus status, ReconcileRequest<?> request) {
        return status.equals(job.getStatus())
                ? Mono.empty()
                : cluster.report(JOBS, new V1Job().metadata(job.getMetadata()).spec(job.getSpec()).status(status), request)
                        .doOnNext(this::tellEnd).then();
    }

    private void tellEnd(V1Job written) {
        V1JobCondition end = JobVerdict.end(written);
        if (end != null && end.getType().equals("Complete")) {
            events.normal(written, "Completed", "Complete", "Job completed");
        } else if (end != null) {
            events.warning(written, String.valueOf(end.getReason()), "Fail", String.valueOf(end.getMessage()));
        }
    }

    private static @Nullable Result nextLook(Duration pause, @Nullable Duration untilDeadline) {
        return Stream.of(pause, Objects.requireNonNullElse(untilDeadline, Duration.ZERO))
                .filter(time -> !time.isZero() && !time.isNegative())
                .min(Comparator.naturalOrder())
                .map(Result::again)
                .orElse(null);
    }
}
