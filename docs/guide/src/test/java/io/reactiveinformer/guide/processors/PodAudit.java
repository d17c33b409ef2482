package io.reactiveinformer.guide.processors;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.view.Audited;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.View;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/** Writes each state of each pod to a file, and where some are missing. */
final class PodAudit {

    private final Path file;

    PodAudit(Path file) {
        this.file = file;
    }

    Mono<Void> follow(View<ObjectKey, V1Pod> pods, int waiting) {
        return Audited.of(pods, Delivery.every(waiting).partial().named("audit")).concatMap(this::write).then();
    }

    private Mono<Void> write(Audited<ObjectKey, V1Pod> one) {
        List<String> lines = one instanceof Audited.Gap<ObjectKey, V1Pod> gap
                ? Stream.concat(Stream.of(gap.missing() + " states are missing since " + gap.since() + ", but for the next " + gap.rows().size()),
                        gap.rows().stream().map(PodAudit::line)).toList()
                : List.of(line(((Audited.State<ObjectKey, V1Pod>) one).change()));
        return Mono.<Void>fromCallable(() -> append(lines))
                .subscribeOn(Schedulers.boundedElastic())
                .retryWhen(Retry.fixedDelay(Long.MAX_VALUE, Duration.ofMillis(500))); // meanwhile changes wait, then there is a gap
    }

    private Void append(List<String> lines) throws IOException {
        Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return null;
    }

    private static String line(Change<ObjectKey, V1Pod> change) {
        return change.match(
                added -> (added.initial() ? "present " : "added ") + state(added.key(), added.entry()),
                updated -> "updated " + state(updated.key(), updated.entryAfter()) + ", after version " + updated.entryBefore().resourceVersion(),
                deleted -> "deleted " + state(deleted.key(), deleted.entry()) + ", " + deleted.cause(),
                synced -> "all present pods were written");
    }

    private static String state(ObjectKey key, Versioned<V1Pod> pod) {
        return key + ": " + pod.object().getStatus().getPhase() + ", uid " + pod.uid() + ", version " + pod.resourceVersion();
    }
}
