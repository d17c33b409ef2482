package io.reactiveinformer.test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

class WatchesTest {

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(time).history(8).build();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
        time.dispose();
    }

    @Test
    void tellsWhatHappenedSinceAVersionAndThenWhatHappens() {
        create("before");
        String version = server.resourceVersion();
        create("a");
        StepVerifier.create(requests.events("/api/v1/configmaps?watch=true&resourceVersion=" + version))
                .expectNext("ADDED a " + server.resourceVersion())
                .then(() -> update("a"))
                .assertNext(event -> assertThat(event).startsWith("MODIFIED a"))
                .then(() -> delete("a"))
                .assertNext(event -> assertThat(event).isEqualTo("DELETED a " + server.resourceVersion()))
                .thenCancel()
                .verify(Duration.ofSeconds(10));
    }

    @Test
    void sendsABookmarkEachMinuteAndOneBeforeTheEnd() {
        create("a");
        String version = server.resourceVersion();
        StepVerifier.create(requests.events("/api/v1/configmaps?watch=true&allowWatchBookmarks=true&timeoutSeconds=70&resourceVersion="
                + version))
                .then(() -> time.advanceTimeBy(Duration.ofSeconds(59)))
                .then(() -> server.objects().create("{apiVersion: v1, kind: Secret, metadata: {name: other, namespace: t}}"))
                .then(() -> time.advanceTimeBy(Duration.ofSeconds(1)))
                .assertNext(event -> assertThat(event).isEqualTo("BOOKMARK " + server.resourceVersion()))
                .then(() -> time.advanceTimeBy(Duration.ofSeconds(8)))
                .assertNext(event -> assertThat(event).startsWith("BOOKMARK"))
                .then(() -> time.advanceTimeBy(Duration.ofSeconds(2)))
                .expectComplete()
                .verify(Duration.ofSeconds(10));
    }

    @Test
    void beginsAStreamingListWithTheStateAndItsMark() {
        create("b");
        create("a");
        StepVerifier.create(requests.events(
                        "/api/v1/configmaps?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"))
                .assertNext(event -> assertThat(event).startsWith("ADDED a"))
                .assertNext(event -> assertThat(event).startsWith("ADDED b"))
                .expectNext("BOOKMARK " + server.resourceVersion())
                .then(() -> delete("a"))
                .expectNextMatches(event -> event.startsWith("DELETED a"))
                .thenCancel()
                .verify(Duration.ofSeconds(10));
    }

    @Test
    void isExpiredInAnOrderlyAnswerWhenHistoryIsGone() {
        create("a");
        String version = server.resourceVersion();
        for (int i = 0; i < 10; i++) {
            update("a");
        }
        StepVerifier.create(requests.events("/api/v1/configmaps?watch=true&resourceVersion=" + version))
                .expectNext("ERROR 410")
                .expectComplete()
                .verify(Duration.ofSeconds(10));
    }

    @Test
    void endsTheWatchOfAReaderWhoIsTooSlow() {
        create("a");
        StepVerifier.create(requests.events("/api/v1/configmaps?watch=true&resourceVersion=" + server.resourceVersion()), 0)
                .expectSubscription()
                .then(() -> {
                    for (int i = 0; i < 100; i++) {
                        update("a");
                    }
                })
                .thenRequest(1000)
                .expectComplete()
                .verify(Duration.ofSeconds(10));
    }

    @Test
    void isSilentOnAVersionFromTheFuture() {
        StepVerifier.create(
                requests.events("/api/v1/configmaps?watch=true&allowWatchBookmarks=true&timeoutSeconds=90&resourceVersion=99999999"))
                .then(() -> create("a"))
                .then(() -> time.advanceTimeBy(Duration.ofSeconds(90)))
                .expectComplete()
                .verify(Duration.ofSeconds(10));
    }

    @Test
    void deletesWhatLeavesTheSelectorInItsLastMatchingState() {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t, labels: {tier: fe}}}");
        StepVerifier.create(requests.watch("/api/v1/configmaps?watch=true&labelSelector=tier%3Dfe&resourceVersion="
                + server.resourceVersion()))
                .then(() -> server.objects()
                        .update("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t, labels: {tier: be}}}"))
                .assertNext(event -> assertThat(event)
                        .contains("DELETED", "\"tier\":\"fe\"", "\"resourceVersion\":\"" + server.resourceVersion() + "\""))
                .then(() -> server.objects()
                        .update("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t, labels: {tier: fe}}}"))
                .assertNext(event -> assertThat(event).contains("ADDED", "\"tier\":\"fe\""))
                .thenCancel()
                .verify(Duration.ofSeconds(10));
    }

    @Test
    void beginsInOrderWhileOthersWrite() {
        try (FakeApiServer busy = FakeApiServer.builder().history(100_000).build()) {
            var watcher = new Requests(busy.transport());
            busy.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t}}");
            var enough = new AtomicBoolean();
            Mono<Void> writing = Flux.range(0, 3)
                    .flatMap(writer -> Mono.fromRunnable(() -> busy.objects()
                                    .update("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t}, data: {n: '"
                                            + changes.incrementAndGet() + "'}}"))
                            .subscribeOn(Schedulers.boundedElastic())
                            .repeat(() -> !enough.get()))
                    .then()
                    .cache();
            writing.subscribe();
            try {
                for (int round = 0; round < 1_000; round++) {
                    StepVerifier.create(watcher.events("/api/v1/configmaps?watch=true&allowWatchBookmarks=true&resourceVersion="
                            + busy.resourceVersion()))
                            .assertNext(event -> assertThat(event).startsWith("MODIFIED"))
                            .thenCancel()
                            .verify(Duration.ofSeconds(10));
                }
            } finally {
                enough.set(true);
                writing.block(Duration.ofSeconds(10));
            }
        }
    }

    private void create(String name) {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: t}}");
    }

    private final AtomicInteger changes = new AtomicInteger();

    private void update(String name) {
        server.objects().update("{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name
                + ", namespace: t}, data: {n: '" + changes.incrementAndGet() + "'}}");
    }

    private void delete(String name) {
        server.objects().delete("{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: t}}");
    }
}
