package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.test.faults.Cut;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class FinalizerTest extends WebsitesFixture {

    private static final String NAME = "example.com/cache";

    private final Finalizer<Website> finalizer = Finalizer.of(NAME, client, WEBSITES, websites);
    private final List<String> done = new ArrayList<>();
    private Mono<Void> purge = Mono.empty();

    private final Controller<ObjectKey> controller = controller();

    private Controller<ObjectKey> controller() {
        return Controller.named("websites")
                .reconciles(WEBSITES, websites)
                .reconcile(request -> websites.lister().get(request.key())
                        .map(website -> finalizer.around(request, website, this::publish, gone -> {
                            done.add("purge");
                            return purge;
                        }))
                        .orElse(Mono.empty()));
    }

    private Mono<Result> publish(Website website) {
        done.add("publish " + finalizers());
        return Mono.empty();
    }

    @BeforeEach
    void begin() {
        create("home", "");
        controller.start();
    }

    private List<String> finalizers() {
        List<String> finalizers = new ArrayList<>();
        server.objects().get(WEBSITES, HOME)
                .ifPresent(website -> website.at("/metadata/finalizers").forEach(each -> finalizers.add(each.asString())));
        return finalizers;
    }

    private void addsAnother(String name) {
        server.objects().edit(WEBSITES, HOME, tree -> {
            tree.withObject("metadata").withArray("finalizers").insert(0, name);
            return tree;
        });
    }

    @Test
    void isThereBeforeTheFirstEffect() {
        start();
        assertThat(done.get(0)).isEqualTo("publish [" + NAME + "]");
        server.requests().clear();
        controller.add(HOME);
        clock.advance(Duration.ofSeconds(1));
        assertThat(server.requests().writes()).isEmpty();
    }

    @Test
    void isRemovedAfterTheCleanup() {
        start();
        purge = Mono.delay(Duration.ofSeconds(10)).doOnNext(over -> done.add("purged " + finalizers())).then();
        server.objects().delete(WEBSITES, HOME);
        clock.advance(Duration.ofMinutes(1));
        assertThat(done).containsOnlyOnce("purge").endsWith("purge", "purged [" + NAME + "]");
        assertThat(server.objects().get(WEBSITES, HOME)).isEmpty();
        assertThat(controller.held()).isEmpty();
    }

    @Test
    void staysUntilTheCleanupSucceeds() {
        start();
        purge = Mono.error(new IllegalStateException("no"));
        server.objects().delete(WEBSITES, HOME);
        clock.advance(Duration.ofMinutes(1));
        assertThat(finalizers()).containsExactly(NAME);
        assertThat(done.stream().filter("purge"::equals)).hasSizeGreaterThan(3);
        purge = Mono.empty();
        clock.advance(Duration.ofMinutes(10));
        assertThat(server.objects().get(WEBSITES, HOME)).isEmpty();
    }

    @Test
    void othersSurvive() {
        addsAnother("example.com/theirs");
        addsAnother("example.com/first");
        start();
        assertThat(finalizers()).containsExactly("example.com/first", "example.com/theirs", NAME);
        purge = Mono.fromRunnable(this::removesTheFirst); // the cached index is not that of the finalizer any more
        server.objects().delete(WEBSITES, HOME);
        clock.advance(Duration.ofMinutes(1));
        assertThat(finalizers()).containsExactly("example.com/theirs");
    }

    private void removesTheFirst() {
        server.objects().edit(WEBSITES, HOME, tree -> {
            tree.withObject("metadata").withArray("finalizers").remove(0);
            return tree;
        });
    }

    @Test
    void anotherWriterIsNoFailure() {
        start();
        controller.close();
        Website stale = cached();
        server.objects().edit(WEBSITES, HOME, tree -> {
            tree.withObject("metadata").putArray("finalizers").add("example.com/theirs");
            return tree;
        });
        finalizer.add(request(), withoutFinalizers(stale)).as(this::run);
        assertThat(finalizers()).containsExactly("example.com/theirs", NAME);
        server.objects().edit(WEBSITES, HOME, tree -> {
            tree.withObject("metadata").putArray("finalizers").add(NAME).add("example.com/theirs");
            return tree;
        });
        finalizer.remove(request(), cached()).as(this::run);
        assertThat(finalizers()).containsExactly("example.com/theirs");
    }

    private static Website withoutFinalizers(Website website) {
        return new Website(website.apiVersion(), website.kind(), new V1ObjectMeta()
                .namespace("shop").name("home").uid(website.metadata().getUid())
                .resourceVersion(website.metadata().getResourceVersion()), website.spec(), null);
    }

    private Void run(Mono<?> work) {
        work.subscribe();
        clock.advance(Duration.ofSeconds(1));
        return null;
    }

    @Test
    void aLostAnswerIsRepaired() {
        start();
        server.faults().on("patch", "websites").times(2).internalError();
        server.objects().delete(WEBSITES, HOME);
        clock.advance(Duration.ofMinutes(1));
        assertThat(server.objects().get(WEBSITES, HOME)).isEmpty();
    }

    @Test
    void nothingBeginsForWhatIsBeingDeletedWithoutIt() {
        server.objects().edit(WEBSITES, HOME, tree -> {
            tree.withObject("metadata").putArray("finalizers").add("example.com/theirs");
            return tree;
        });
        server.objects().delete(WEBSITES, HOME);
        start();
        assertThat(done).isEmpty();
        assertThat(finalizers()).containsExactly("example.com/theirs");
    }

    /** The cache receives nothing any more, while another replica takes the finalizer off, and the object goes. */
    private void goesUnseen() {
        server.faults().onWatch("websites").always().stall();
        server.restart();
        server.objects().edit(WEBSITES, HOME, tree -> {
            tree.withObject("metadata").putArray("finalizers");
            return tree;
        });
        server.objects().get(WEBSITES, HOME).ifPresent(unless -> server.objects().delete(WEBSITES, HOME));
    }

    /** Leads after {@link #controller}, as another replica would. */
    private void leads() {
        done.clear();
        server.requests().clear();
        controller().start();
        clock.advance(Duration.ofSeconds(1));
    }

    @Test
    void aNewLeaderBeginsNothingForWhatIsGone() {
        start();
        controller.close();
        goesUnseen();
        leads();
        assertThat(finalizer.isOn(cached())).as("cached, still").isTrue();
        assertThat(done).isEmpty();
    }

    @Test
    void aNewLeaderDoesNotCleanUpForTheObjectOfThatNameBefore() {
        start();
        purge = Mono.error(new IllegalStateException("no"));
        server.objects().delete(WEBSITES, HOME);
        clock.advance(Duration.ofSeconds(1));
        controller.close();
        goesUnseen();
        create("home", "");
        leads();
        assertThat(cached().metadata().getDeletionTimestamp()).as("cached, still").isNotNull();
        assertThat(done).isEmpty();
    }

    @Test
    void nothingBeginsAgainAfterTheAnswerToTheRemovalWasLost() {
        start();
        controller.close();
        server.faults().onWatch("websites").always().stall();
        server.restart();
        server.objects().delete(WEBSITES, HOME); // which the cache does not receive
        server.faults().on("patch", "websites").times(1).cut(Cut.RST);
        server.faults().on("patch", "websites").skip(1).times(1).status(403, "Forbidden", "no");
        leads();
        clock.advance(Duration.ofSeconds(10));
        assertThat(server.objects().get(WEBSITES, HOME)).isEmpty();
        assertThat(cached().metadata().getDeletionTimestamp()).as("cached").isNull();
        assertThat(done).containsExactly("purge");
    }

    @Test
    void noSecondCleanupAfterTheAnswerToTheRemovalWasLost() {
        start();
        purge = Mono.error(new IllegalStateException("no"));
        server.objects().delete(WEBSITES, HOME);
        clock.advance(Duration.ofSeconds(1));
        server.faults().onWatch("websites").always().stall();
        server.restart();
        server.faults().on("patch", "websites").times(1).cut(Cut.RST);
        server.faults().on("patch", "websites").skip(1).times(1).status(403, "Forbidden", "no");
        purge = Mono.fromRunnable(done::clear);
        clock.advance(Duration.ofSeconds(30));
        assertThat(server.objects().get(WEBSITES, HOME)).isEmpty();
        create("home", "");
        clock.advance(Duration.ofMinutes(5));
        assertThat(cached().metadata().getDeletionTimestamp()).as("cached").isNotNull();
        assertThat(done).as("since the first that succeeded").isEmpty();
    }

    @Test
    void aCleanupThatFailedIsNotRepeatedForAnotherObject() {
        start();
        purge = Mono.error(new IllegalStateException("no"));
        server.objects().delete(WEBSITES, HOME);
        clock.advance(Duration.ofSeconds(1));
        assertThat(done).endsWith("purge");
        goesUnseen(); // somebody takes the finalizer off by hand
        create("home", "");
        done.clear();
        clock.advance(Duration.ofMinutes(5));
        assertThat(done).isEmpty();
    }

    @Test
    void whatIsBeingDeletedBeginsNothingThoughItHasTheFinalizer() {
        start();
        controller.close();
        Website alive = cached();
        server.objects().delete(WEBSITES, HOME);
        assertThat(finalizer.add(request(), alive).blockOptional()).isEmpty();
    }

    @Test
    void addsItAgainWhereTheCacheHasNotSeenThatItWasTakenOff() {
        start();
        controller.close();
        Website marked = cached();
        finalizer.add(request(), marked).as(this::run);
        finalizer.remove(request(), marked).as(this::run);
        assertThat(finalizers()).isEmpty();
        finalizer.add(request(), marked).as(this::run);
        assertThat(finalizers()).containsExactly(NAME);
    }

    @Test
    void looksAgainWhereTheServerDoesNotHaveWhatIsCached() {
        start();
        controller.close();
        goesUnseen();
        leads();
        server.requests().clear();
        clock.advance(Duration.ofSeconds(31));
        assertThat(server.requests().all()).extracting(ApiRequest::verb).contains(ApiRequest.Verb.GET);
    }

    @Test
    void looksAgainWhereTheServerDoesNotServeTheTypeForAMoment() {
        server.faults().on("patch", "websites").times(1).status(404, "NotFound", "the server could not find the requested resource");
        start();
        assertThat(done).isEmpty();
        clock.advance(Duration.ofSeconds(30));
        assertThat(done).isNotEmpty();
    }

    @Test
    void asksAgainOnceTheControllerIsResponsibleForMore() {
        start();
        server.requests().clear();
        controller.add(HOME);
        clock.advance(Duration.ofSeconds(1));
        assertThat(server.requests().all()).isEmpty();
        controller.addAll(HOME::equals);
        clock.advance(Duration.ofSeconds(1));
        assertThat(server.requests().all()).extracting(ApiRequest::verb).containsExactly(ApiRequest.Verb.GET);
    }

    @Test
    void aNewLeaderAsksOnceForEachObject() {
        start();
        controller.close();
        Controller<ObjectKey> second = controller();
        done.clear();
        server.requests().clear();
        second.start();
        clock.advance(Duration.ofSeconds(1));
        second.add(HOME);
        clock.advance(Duration.ofSeconds(1));
        assertThat(done).hasSize(2);
        assertThat(server.requests().all()).extracting(ApiRequest::verb).containsExactly(ApiRequest.Verb.GET);
    }

    @Test
    void needsADomain() {
        for (String bad : List.of("cache", "/cache", "example.com/", "a/b/c", "")) {
            assertThatIllegalArgumentException().isThrownBy(() -> Finalizer.of(bad, client, WEBSITES, websites));
        }
    }
}
