package io.reactiveinformer.guide.refusals;

import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1CronJob;
import io.kubernetes.client.openapi.models.V1CronJobSpec;
import io.kubernetes.client.openapi.models.V1JobSpec;
import io.kubernetes.client.openapi.models.V1JobTemplateSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.Applier;
import io.reactiveinformer.controller.Conditions;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Owner;
import io.reactiveinformer.controller.ReconcileRequest;
import io.reactiveinformer.controller.StatusWriter;
import io.reactiveinformer.controller.UpdateFilter;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.StatusException;
import reactor.core.publisher.Mono;

/** Runs a cron job for each backup, and reports the server's refusal of it. */
final class BackupOperator {

    private static final ResourceType<V1CronJob> CRON_JOBS = ResourceType.of(V1CronJob.class);

    private final Informer<Backup> backups;
    private final Applier<V1CronJob> jobs;
    private final StatusWriter<Backup> status;
    private final Controller<ObjectKey> controller;

    BackupOperator(KubernetesClient client, InformerFactory informers) {
        this.backups = informers.of(Backup.TYPE);
        this.jobs = Applier.of(client, CRON_JOBS, informers.of(CRON_JOBS)).withForce();
        this.status = StatusWriter.of(client, Backup.TYPE, backups);
        this.controller = Controller.named("backups")
                .reconciles(Backup.TYPE, backups, UpdateFilter.generation())
                .owns(informers.of(CRON_JOBS))
                .reconcile(request -> backups.lister().get(request.key()).map(backup -> run(request, backup)).orElse(Mono.empty()));
    }

    Controller<ObjectKey> controller() {
        return controller;
    }

    private Mono<Result> run(ReconcileRequest<ObjectKey> request, Backup backup) {
        return jobs.apply(request, job(backup))
                .flatMap(job -> report(request, backup, "True", "Scheduled", backup.spec().schedule()).thenReturn(Result.done()))
                .onErrorResume(StatusException.class, refused ->
                        report(request, backup, "False", refused.status().reason(), refused.status().message())
                                .thenReturn(Result.givenUp(refused)));
    }

    private Mono<Backup> report(ReconcileRequest<ObjectKey> request, Backup backup, String ready, String reason, String message) {
        return status.write(request, backup, now -> new Backup.Status(
                Conditions.of(now.conditions(), now.metadata().getGeneration()).with("Scheduled", ready, reason, message).list()));
    }

    private static V1CronJob job(Backup backup) {
        Backup.Spec spec = backup.spec();
        return Owner.of(backup).own(new V1CronJob()
                .metadata(new V1ObjectMeta().namespace(backup.metadata().getNamespace()).name(backup.metadata().getName()))
                .spec(new V1CronJobSpec().schedule(spec.schedule()).jobTemplate(new V1JobTemplateSpec().spec(new V1JobSpec()
                        .template(new V1PodTemplateSpec().spec(new V1PodSpec().restartPolicy("OnFailure").addContainersItem(
                                new V1Container().name("backup").image(spec.image()).addArgsItem(spec.volume()))))))));
    }
}
