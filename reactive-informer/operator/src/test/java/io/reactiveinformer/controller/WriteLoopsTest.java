package io.reactiveinformer.controller;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.client.WriteOptions;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** A controller whose own writes wake it again and again. */
@Timeout(60)
class WriteLoopsTest extends WebsitesFixture {

    private static final ResourceType<V1ConfigMap> PAGES = ResourceType.of(V1ConfigMap.class);
    private static final ResourceType<V1Secret> SECRETS = ResourceType.of(V1Secret.class);

    private final Logger logger = (Logger) LoggerFactory.getLogger(Controller.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final AtomicInteger random = new AtomicInteger();
    private final Informer<V1ConfigMap> pages = informers.of(PAGES);
    private final List<Result> results = new ArrayList<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
    }

    private List<String> warnings() {
        return List.copyOf(log.list).stream().map(ILoggingEvent::getFormattedMessage).filter(line -> line.contains("again and again"))
                .toList();
    }

    private void start(Reconciler<ObjectKey> reconciler) {
        create("home", "");
        Controller<ObjectKey> controller = Controller.named("websites").reconciles(WEBSITES, websites).owns(pages).reconcile(reconciler);
        controller.results().subscribe(each -> results.add(each.result()));
        controller.start();
        start();
    }

    private V1ConfigMap page(String hash) {
        return new V1ConfigMap().metadata(new V1ObjectMeta().name("home").namespace("shop")
                .annotations(Map.of("example.com/checksum", hash, "stays", "x"))).data(Map.of("page", "Hello"));
    }

    private Mono<Result> applied(ReconcileRequest<ObjectKey> request, Dependents<Website> dependents) {
        return websites.lister().get(request.key()).map(website -> dependents.reconcile(request, website).map(Dependents.Report::result))
                .orElse(Mono.empty());
    }

    private Dependents<Website> restless() {
        return Dependents.of(client, WEBSITES, site -> List.of(page("secret-" + random.incrementAndGet()))).kind(PAGES, pages);
    }

    private long writes() {
        return server.requests().writes().stream().filter(each -> each.verb() == ApiRequest.Verb.PATCH).count();
    }

    /** start() did not return, beyond the test's time limit and without a line. */
    @Test
    void inVirtualTimeTheStartReturnsAndTheResultNamesTheField() {
        Dependents<Website> dependents = restless();
        start(request -> applied(request, dependents));
        assertThat(writes()).isBetween(10L, 30L);
        assertThat(warnings()).singleElement().asString()
                .contains("websites", "shop/home", "configmaps", "metadata.annotations[example.com/checksum]")
                .doesNotContain("secret-", "stays", "resourceVersion", "managedFields");
        assertThat(results.stream().filter(Result.Failed.class::isInstance).map(each -> ((Result.Failed) each).cause().getMessage()))
                .isNotEmpty().allMatch(message -> message.contains("metadata.annotations[example.com/checksum]"));
    }

    @Test
    void thePausesGrowAndALineComesEachFiveMinutes() {
        Dependents<Website> dependents = restless();
        start(request -> applied(request, dependents));
        clock.advance(Duration.ofHours(1));
        assertThat(writes()).as("one a minute in the end").isBetween(60L, 120L);
        assertThat(warnings()).hasSizeBetween(10, 13);
    }

    @Test
    void aStatusThatDiffersEachTimeIsNamed() {
        StatusWriter<Website> status = StatusWriter.of(client, WEBSITES, websites);
        start(request -> status.write(request, cached(), now -> new Website.Status(1L, "p" + random.incrementAndGet(), null))
                .thenReturn(Result.done()));
        assertThat(writes()).isBetween(10L, 30L);
        assertThat(warnings()).singleElement().asString().contains("websites", "shop/home", "in status.page");
    }

    @Test
    void whatAnotherWriterChangesBackIsNamed() {
        Applier<V1ConfigMap> applier = Applier.of(client, PAGES, pages).withForce();
        Controller<ObjectKey> other = Controller.named("other").reconciles(PAGES, pages).reconcile(request ->
                applier.apply(request, page("theirs")).thenReturn(Result.done()));
        other.start();
        Dependents<Website> dependents = Dependents.of(client, WEBSITES, site -> List.of(page("ours"))).kind(PAGES, pages);
        start(request -> applied(request, dependents));
        assertThat(warnings()).isNotEmpty().first().asString().contains("metadata.annotations[example.com/checksum]");
        other.close();
    }

    @Test
    void writesWithoutAHelperAreCountedToo() {
        start(request -> client.resources(PAGES).apply(HOME, page("x" + random.incrementAndGet()),
                WriteOptions.defaults().withFieldManager("raw").withForce()).thenReturn(Result.again(Duration.ZERO)));
        assertThat(results).anyMatch(Result.Failed.class::isInstance);
        assertThat(warnings()).isNotEmpty().first().asString().contains("websites", "shop/home");
    }

    /** Nothing is wrong with this one: the test is faster than its clock. */
    @Test
    void afterManyChangesAtOneInstantTheNextResultsAreGood() {
        start(request -> Mono.just(Result.done()));
        for (int i = 0; i < 2_100; i++) {
            client.resources(WEBSITES).patch(HOME, Patch.merge(Map.of("spec", Map.of("parts", i)))).block();
        }
        clock.advance(Duration.ofSeconds(10));
        int before = results.size();
        client.resources(WEBSITES).patch(HOME, Patch.merge(Map.of("spec", Map.of("parts", 0)))).block();
        clock.advance(Duration.ofSeconds(1));
        assertThat(results.subList(before, results.size())).isNotEmpty().allMatch(Result.Done.class::isInstance);
    }

    @Test
    void aSecretIsNamedByItsFieldsOnly() {
        Informer<V1Secret> secrets = informers.of(SECRETS);
        Dependents<Website> dependents = Dependents.of(client, WEBSITES, site -> List.of(new V1Secret()
                .metadata(new V1ObjectMeta().name("home")).data(Map.of("password",
                        ("hush" + random.incrementAndGet()).getBytes(StandardCharsets.UTF_8))))).kind(SECRETS, secrets);
        create("home", "");
        Controller.named("websites").reconciles(WEBSITES, websites).owns(secrets)
                .reconcile(request -> applied(request, dependents)).start();
        start();
        assertThat(warnings()).singleElement().asString().contains("secrets", "in data.password").doesNotContain("hush", "aHVza");
    }

    /** Each step is a write that causes the next look, which then writes nothing. */
    @Test
    void aControllerThatRestsBetweenItsWritesIsNotSlowedDown() {
        StatusWriter<Website> status = StatusWriter.of(client, WEBSITES, websites);
        start(request -> status.write(request, cached(), now -> new Website.Status((long) now.spec().parts(), "p", null))
                .thenReturn(Result.done()));
        for (int i = 0; i < 500; i++) {
            client.resources(WEBSITES).patch(HOME, Patch.merge(Map.of("spec", Map.of("parts", i)))).block();
        }
        clock.advance(Duration.ofMillis(1));
        assertThat(stored().at("/status/observedGeneration").asInt()).isEqualTo(499);
        assertThat(warnings()).isEmpty();
        assertThat(results).noneMatch(Result.Failed.class::isInstance);
    }

    @Test
    void aStatusThatFollowsManyChangesOfOthersIsNotSlowedDown() {
        StatusWriter<Website> status = StatusWriter.of(client, WEBSITES, websites);
        start(request -> status.write(request, cached(), now -> new Website.Status((long) pages.lister().count(), "p", null))
                .thenReturn(Result.done()));
        String uid = cached().metadata().getUid();
        for (int i = 0; i < 150; i++) {
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: p" + i + ", ownerReferences: ["
                    + "{apiVersion: example.com/v1, kind: Website, name: home, uid: " + uid + ", controller: true}]}}");
        }
        clock.advance(Duration.ofMillis(1));
        assertThat(stored().at("/status/observedGeneration").asInt()).isEqualTo(150);
        assertThat(warnings()).isEmpty();
    }

    @Test
    void whatIsMendedGoesOnAtItsUsualPace() {
        Dependents<Website> dependents = Dependents.of(client, WEBSITES,
                site -> List.of(page(site.spec().parts() < 9 ? "x" + random.incrementAndGet() : "9"))).kind(PAGES, pages);
        start(request -> applied(request, dependents));
        clock.advance(Duration.ofMinutes(10));
        client.resources(WEBSITES).patch(HOME, Patch.merge(Map.of("spec", Map.of("parts", 9)))).block();
        clock.advance(Duration.ofMinutes(2));
        long rests = writes();
        clock.advance(Duration.ofHours(1));
        assertThat(writes()).isEqualTo(rests);
        client.resources(PAGES).patch(HOME, Patch.merge(Map.of("metadata", Map.of("annotations", Map.of("stays", "y"))))).block();
        clock.advance(Duration.ofMillis(100));
        assertThat(server.objects().get(PAGES, HOME).orElseThrow().at("/metadata/annotations/stays").asString()).isEqualTo("x");
    }
}
