package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

class StatusWriterTest extends WebsitesFixture {

    private final StatusWriter<Website> writer = StatusWriter.of(client, WEBSITES, websites);
    private Mono<Result> work = Mono.just(Result.done());

    private void write(Website seen, Function<Website, Website.Status> status) {
        writer.write(request(), seen, status).subscribe();
        clock.advance(Duration.ofSeconds(1));
    }

    private static Website.Status page(Website website, String page) {
        return new Website.Status(website.metadata().getGeneration(), page, Website.status(website.status()).conditions());
    }

    @Test
    void writesWhatDiffersOnly() {
        create("home", ", status: {page: old, theirs: {a: 1}}");
        start();
        write(cached(), website -> page(website, "home"));
        assertThat(stored().at("/status/page").asString()).isEqualTo("home");
        server.requests().clear();
        write(cached(), website -> page(website, "home"));
        assertThat(server.requests().all()).isEmpty();
        client.resources(WEBSITES).status().patch(HOME, Patch.merge(
                Map.of("status", Map.of("theirs", 5)))).block();
        clock.advance(Duration.ofSeconds(1));
        write(cached(), website -> page(website, null));
        assertThat(stored().path("status").has("page")).isFalse();
        assertThat(stored().at("/status/theirs").asInt()).isEqualTo(5);
    }

    @Test
    void computesItAgainAfterAConflict() {
        create("home", "");
        start();
        Website stale = cached();
        V1Condition theirs = new V1Condition().type("Theirs").status("True").reason("Fine").message("");
        write(stale, website -> new Website.Status(1L, null, List.of(theirs)));
        write(stale, website -> new Website.Status(1L, "home", Conditions.of(Website.status(website.status()).conditions(), 1L)
                .with("Ready", "True", "Published", "").list()));
        assertThat(stored().at("/status/conditions/0/type").asString()).isEqualTo("Theirs");
        assertThat(stored().at("/status/conditions/1/type").asString()).isEqualTo("Ready");
    }

    @Test
    void whatIsGoneIsNoFailure() {
        create("home", "");
        start();
        Website stale = cached();
        server.objects().delete(WEBSITES, HOME);
        assertThat(writer.write(request(), stale, website -> page(website, "x")).blockOptional()).isEmpty();
        create("home", "");
        write(stale, website -> page(website, "x"));
        assertThat(stored().has("status")).isFalse();
    }

    @Test
    void aFailureOfWorkThatHasWrittenToTheObjectIsWrittenAtOnce() {
        create("home", "");
        start();
        Mono<Result> failing = client.resources(WEBSITES).patch(HOME, Patch.merge(Map.of("metadata", Map.of("labels", Map.of("a", "b")))))
                .then(Mono.delay(Duration.ofSeconds(1)))
                .then(Mono.error(new IOException("no")));
        server.requests().clear();
        writer.reporting(request(), cached(), failing, (now, failure) -> page(now, failure.getMessage())).subscribe();
        clock.advance(Duration.ofSeconds(5));
        assertThat(stored().at("/status/page").asString()).isEqualTo("no");
        assertThat(server.requests().all()).filteredOn(each -> each.name() != null).extracting(each -> each.verb() + each.subresource())
                .containsExactly("patch", "patchstatus");
    }

    private Controller<ObjectKey> reporting() {
        return Controller.named("websites")
                .reconciles(WEBSITES, websites, UpdateFilter.generation())
                .reconcile(request -> websites.lister().get(request.key())
                        .map(website -> writer.reporting(request, website, work, (now, failure) -> page(now,
                                "failed: " + failure.getMessage() + " " + request.retries())))
                        .orElse(Mono.empty()));
    }

    private long statusWrites() {
        long writes = server.requests().writes().stream().filter(request -> request.subresource().equals("status")).count();
        server.requests().clear();
        return writes;
    }

    @Test
    void aFailureIsReportedOnce() {
        create("home", "");
        work = Mono.error(new IllegalStateException("no quota"));
        Controller<ObjectKey> controller = reporting();
        controller.start();
        start();
        clock.advance(Duration.ofHours(1));
        assertThat(statusWrites()).isEqualTo(1);
        assertThat(stored().at("/status/page").asString()).isEqualTo("failed: no quota 0");
        work = Mono.just(Result.failed(new IOException("no network")));
        clock.advance(Duration.ofHours(1));
        assertThat(statusWrites()).isEqualTo(1);
        work = Mono.just(Result.done());
        clock.advance(Duration.ofHours(1));
        work = Mono.just(Result.givenUp(new IOException("for ever")));
        controller.add(HOME);
        clock.advance(Duration.ofHours(1));
        assertThat(statusWrites()).isEqualTo(1);
        controller.close();
    }

    /** Its own words were overwritten by those for any failure. */
    @Test
    void workThatWritesTheStatusAndGivesUpHasReportedItself() {
        create("home", "");
        Controller<ObjectKey> controller = Controller.named("websites").reconciles(WEBSITES, websites, UpdateFilter.generation())
                .reconcile(request -> writer.reporting(request, cached(), writer.write(request, cached(), now -> page(now, "no such theme"))
                        .thenReturn(Result.givenUp(new IOException("refused"))), (now, failure) -> page(now, failure.getMessage())));
        controller.start();
        start();
        assertThat(stored().at("/status/page").asString()).isEqualTo("no such theme");
        controller.add(HOME);
        clock.advance(Duration.ofSeconds(1));
        assertThat(stored().at("/status/page").asString()).as("a second time").isEqualTo("no such theme");
        assertThat(statusWrites()).isEqualTo(1);
        controller.close();
    }

    /** An object of another type may have the same key. */
    @Test
    void aStatusOfAnotherTypeIsNoReportOfThisOne() {
        create("home", "");
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: home, namespace: shop}, "
                + "spec: {containers: [{name: a, image: b}]}}");
        ResourceType<V1Pod> type = ResourceType.of(V1Pod.class);
        Informer<V1Pod> pods = informers.of(type);
        StatusWriter<V1Pod> others = StatusWriter.of(client, type, pods);
        start();
        ReconcileRequest<ObjectKey> request = request();
        Mono<Result> work = others.write(request, pods.lister().get(HOME).orElseThrow(), pod -> new V1PodStatus().message("x"))
                .thenReturn(Result.givenUp(new IOException("refused")));
        writer.reporting(request, cached(), work, (now, failure) -> page(now, failure.getMessage())).block();
        assertThat(stored().at("/status/page").asString()).isEqualTo("refused");
    }

    @Test
    void aStatusThatCouldNotBeWrittenIsNoReport() {
        create("home", "");
        start();
        server.faults().on("patch", "websites/status").times(1).internalError();
        ReconcileRequest<ObjectKey> request = request();
        Mono<Result> work = writer.write(request, cached(), now -> page(now, "no such theme")).thenReturn(Result.done())
                .onErrorResume(refused -> Mono.just(Result.givenUp(refused)));
        writer.reporting(request, cached(), work, (now, failure) -> page(now, "reported")).block();
        assertThat(stored().at("/status/page").asString()).isEqualTo("reported");
    }

    @Test
    void aReportThatFailsIsTriedAgain() {
        create("home", "");
        server.faults().on("patch", "websites/status").times(1).internalError();
        work = Mono.error(new IllegalStateException("no quota"));
        Controller<ObjectKey> controller = reporting();
        controller.start();
        start();
        clock.advance(Duration.ofHours(1));
        assertThat(stored().at("/status/page").asString()).isEqualTo("failed: no quota 1");
        assertThat(statusWrites()).isEqualTo(2);
        controller.close();
    }
}
