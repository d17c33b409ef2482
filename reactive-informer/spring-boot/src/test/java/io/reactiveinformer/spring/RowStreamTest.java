package io.reactiveinformer.spring;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.reactiveinformer.permissions.Permissions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.test.TestView;
import io.reactiveinformer.view.Retention;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Subscription;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The stream endpoint: what browsers have in the end. */
@Timeout(120)
class RowStreamTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final StreamOptions OPTIONS = StreamOptions.named("pods").withRetention(Retention.of(Duration.ofMinutes(5)).atMost(100));

    private VirtualTimeScheduler time;
    private TestView<ObjectKey, V1Pod> pods;
    private final AtomicInteger written = new AtomicInteger();
    private RowStream stream;

    @BeforeEach
    void virtualTime() {
        time = VirtualTimeScheduler.getOrSet();
        pods = TestView.of(Map.of());
        stream = stream(OPTIONS);
    }

    @AfterEach
    void realTime() {
        stream.close();
        VirtualTimeScheduler.reset();
    }

    private RowStream stream(StreamOptions options) {
        return RowStream.of(pods, pod -> {
            written.incrementAndGet();
            String phase = pod.getStatus().getPhase();
            if (phase.equals("bad")) {
                throw new IllegalStateException("no row of it");
            }
            return Map.of("phase", phase);
        }, options);
    }

    private void put(String namespace, String name, String phase, String app) {
        pods.put(ObjectKey.of(namespace, name), new V1Pod().metadata(new V1ObjectMeta().namespace(namespace).name(name)
                .labels(Map.of("app", app))).status(new V1PodStatus().phase(phase)));
    }

    private static StreamRequest request(@Nullable String last, String... query) {
        var headers = new HttpHeaders();
        if (last != null) {
            headers.set("Last-Event-ID", last);
        }
        var parameters = new LinkedMultiValueMap<String, String>();
        for (int i = 0; i < query.length; i += 2) {
            parameters.add(query[i], query[i + 1]);
        }
        return StreamRequest.of(headers, parameters);
    }

    /** As a page: keeps rows by key, and the id of the last event. */
    private static final class Browser extends BaseSubscriber<ServerSentEvent<String>> {

        private final Map<String, String> rows = new HashMap<>();
        private final List<String> events = new ArrayList<>();
        private @Nullable String last;
        private boolean over;
        private @Nullable Throwable failure;

        @Override
        protected void hookOnSubscribe(Subscription subscription) {}

        @Override
        protected void hookOnNext(ServerSentEvent<String> event) {
            last = event.id() == null ? last : event.id();
            JsonNode data = JSON.readTree(event.data());
            String key = data.path("key").asString("");
            events.add((event.event() + " " + key).strip());
            switch (event.event()) {
                case "reset" -> rows.clear();
                case "row" -> rows.put(key, data.at("/row/phase").asString());
                case "gone" -> rows.remove(key);
                default -> { }
            }
        }

        @Override
        protected void hookOnComplete() {
            over = true;
        }

        @Override
        protected void hookOnError(Throwable thrown) {
            failure = thrown;
        }
    }

    private Browser open(StreamRequest request) {
        var browser = new Browser();
        stream.events(request).subscribe(browser);
        browser.requestUnbounded();
        time.advanceTime();
        return browser;
    }

    private Browser again(Browser before, String... query) {
        Browser next = new Browser();
        next.rows.putAll(before.rows);
        stream.events(request(before.last, query)).subscribe(next);
        next.requestUnbounded();
        time.advanceTime();
        return next;
    }

    @Test
    void aBrowserThatComesBackReceivesWhatHasChanged() {
        put("shop", "a", "Pending", "web");
        put("shop", "b", "Pending", "web");
        Browser first = open(request(null));
        assertThat(first.events).containsExactlyInAnyOrder("reset", "row shop/a", "row shop/b", "synced").startsWith("reset").endsWith("synced");
        first.cancel();
        put("shop", "b", "Running", "web");
        pods.remove(ObjectKey.of("shop", "a"));
        put("shop", "c", "Pending", "db");
        Browser next = again(first);
        assertThat(next.events).containsExactly("row shop/b", "gone shop/a", "row shop/c", "synced");
        assertThat(next.rows).isEqualTo(Map.of("shop/b", "Running", "shop/c", "Pending"));
    }

    @Test
    void aRowIsWrittenOnceForAllBrowsers() {
        List<Browser> browsers = List.of(open(request(null)), open(request(null)), open(request(null, "namespace", "shop")));
        put("shop", "a", "Pending", "web");
        put("shop", "a", "Pending", "web");
        time.advanceTime();
        assertThat(written).hasValue(2);
        assertThat(browsers).allSatisfy(browser -> assertThat(browser.events).as("the same row is not sent again")
                .containsExactly("reset", "synced", "row shop/a"));
    }

    @Test
    void namespaceAndLabelsAreAskedFor() {
        put("shop", "a", "Pending", "web");
        put("shop", "b", "Pending", "db");
        put("bank", "c", "Pending", "web");
        Browser browser = open(request(null, "namespace", "shop", "labels", "app in (web,www)"));
        assertThat(browser.rows).containsOnlyKeys("shop/a");
        put("shop", "a", "Pending", "other");
        time.advanceTime();
        assertThat(browser.rows).isEmpty();
        assertThat(again(browser, "namespace", "bank").rows).as("the position of another selection").containsOnlyKeys("bank/c");
    }

    @Test
    void whatIsMalformedIsRefused() {
        assertThatThrownBy(() -> request(null, "namespace", "Shop/..")).isInstanceOf(ResponseStatusException.class)
                .hasMessageContaining("400").hasMessageContaining("namespace");
        assertThatThrownBy(() -> request(null, "labels", "app in (web")).isInstanceOf(ResponseStatusException.class)
                .hasMessageContaining("400").hasMessageContaining("labels");
        assertThatThrownBy(() -> request(null, "labels", "a".repeat(2_000))).isInstanceOf(ResponseStatusException.class);
    }

    @Test
    void anyPositionThatDoesNotHoldIsABeginning() {
        put("shop", "a", "Pending", "web");
        String position = open(request(null)).last;
        for (String forged : List.of("", "x", position + "9", "data: \n\nevent: row\n", "9".repeat(1_000_000), position.replace('.', ','))) {
            Browser browser = open(request(forged));
            assertThat(browser.events).containsExactly("reset", "row shop/a", "synced");
        }
        assertThat(open(request(null, "lastEventId", position)).events).containsExactly("synced");
    }

    @Test
    void namesAndRowsCannotForgeEvents() {
        put("shop", "a\n\nevent: row\ndata: {}", "x\n\ndata: y", "web");
        Browser browser = open(request(null));
        assertThat(browser.rows).containsExactly(Map.entry("shop/a\n\nevent: row\ndata: {}", "x\n\ndata: y"));
        stream.events(request(null)).take(3).doOnNext(event -> assertThat(String.valueOf(event.data())).doesNotContain("\n")).blockLast();
    }

    @Test
    void aRowThatCannotBeWrittenLeavesTheOthers() {
        put("shop", "a", "bad", "web");
        put("shop", "b", "Running", "web");
        assertThat(open(request(null)).rows).containsOnlyKeys("shop/b");
    }

    @Test
    void theRightsOfEachUserDecide() {
        put("shop", "a", "Pending", "web");
        put("bank", "b", "Pending", "web");
        Predicate<ObjectKey> shop = key -> "shop".equals(key.namespace());
        Predicate<ObjectKey> none = key -> false;
        Sinks.Many<Predicate<ObjectKey>> rights = Sinks.many().multicast().directBestEffort();
        Browser browser = open(request(null).withRights(rights.asFlux()));
        assertThat(browser.events).as("nothing is known").isEmpty();
        rights.tryEmitNext(shop);
        time.advanceTime();
        assertThat(browser.rows).containsOnlyKeys("shop/a");
        String position = browser.last;
        rights.tryEmitNext(none);
        time.advanceTime();
        assertThat(browser.rows).isEmpty();
        put("shop", "a", "Running", "web");
        time.advanceTime();
        assertThat(browser.rows).isEmpty();
        rights.tryEmitNext(shop);
        time.advanceTime();
        assertThat(browser.rows).isEqualTo(Map.of("shop/a", "Running"));
        Browser other = open(request(position).withRights(Flux.just(none)));
        assertThat(other.events).as("with the position of somebody who might").containsExactly("reset", "synced");
    }

    @Test
    void rightsThatAreNotKnownAreNoEmptyCluster() {
        put("shop", "a", "Pending", "web");
        Sinks.Many<Predicate<ObjectKey>> rights = Sinks.many().multicast().directBestEffort();
        Predicate<ObjectKey> all = key -> true;
        Browser browser = open(request(null).withRights(rights.asFlux()));
        rights.tryEmitNext(all);
        time.advanceTime();
        String position = browser.last;
        rights.tryEmitNext(Permissions.UNKNOWN);
        put("shop", "a", "Running", "web");
        time.advanceTimeBy(Duration.ofMillis(499));
        assertThat(browser.events).containsExactly("reset", "row shop/a", "synced");
        time.advanceTimeBy(Duration.ofMillis(1));
        assertThat(browser.events).endsWith("synced", "reset");
        assertThat(browser.rows).isEmpty();
        rights.tryEmitNext(all);
        time.advanceTime();
        assertThat(browser.events).endsWith("reset", "reset", "row shop/a", "synced");

        Browser back = open(request(position).withRights(Flux.just(Permissions.UNKNOWN, all)));
        assertThat(back.events).as("known before anything was told").containsExactly("row shop/a", "synced");
    }

    /** All informers stop, those of the rights first. */
    @Test
    void aStopLeavesTheRowsOfThePage() {
        put("shop", "a", "Pending", "web");
        Sinks.Many<Predicate<ObjectKey>> rights = Sinks.many().multicast().directBestEffort();
        Browser browser = open(request(null).withRights(rights.asFlux()));
        rights.tryEmitNext(key -> true);
        time.advanceTime();
        rights.tryEmitNext(Permissions.UNKNOWN);
        time.advanceTimeBy(Duration.ofMillis(100));
        pods.stop();
        time.advanceTime();
        assertThat(browser.over).isTrue();
        assertThat(browser.rows).containsOnlyKeys("shop/a");
    }

    @Test
    void whatWaitsForASlowBrowserIsNotSentWithOtherRights() {
        for (String name : List.of("a", "b", "c", "d")) {
            put("shop", name, "Pending", "web");
        }
        Sinks.Many<Predicate<ObjectKey>> rights = Sinks.many().multicast().directBestEffort();
        var slow = new Browser();
        stream.events(request(null).withRights(rights.asFlux())).subscribe(slow);
        slow.request(2);
        rights.tryEmitNext(key -> true);
        time.advanceTime();
        assertThat(slow.events).hasSize(2);
        rights.tryEmitNext(key -> false);
        time.advanceTimeBy(Duration.ofMinutes(4));
        slow.requestUnbounded();
        time.advanceTime();
        assertThat(slow.events.subList(2, slow.events.size())).doesNotContainSequence("pulse", "pulse").filteredOn(event -> !event.equals("pulse"))
                .containsExactly("reset", "synced");
    }

    @Test
    void aCloseEndsEachStreamAtOnce() {
        Browser waiting = open(request(null).withRights(Flux.never()));
        var stalled = new Browser();
        stream.events(request(null)).subscribe(stalled);
        time.advanceTime();
        stream.close();
        time.advanceTime();
        assertThat(waiting.over && stalled.over).isTrue();
        assertThat(stream.subscribers()).isZero();
        assertThat(open(request(null)).over).as("as by the end of the informer").isTrue();
    }

    /** Also one that has gone without the web server having noticed: that of WebFlux requests one event, and never cancels then. */
    @Test
    void aBrowserThatDoesNotReadIsEnded() {
        var gone = new Browser();
        stream.events(request(null)).subscribe(gone);
        gone.request(1);
        Browser reading = open(request(null));
        var slow = new Browser();
        stream.events(request(null)).subscribe(slow);
        for (int i = 0; i < 5; i++) {
            slow.request(1);
            time.advanceTimeBy(Duration.ofMinutes(4));
        }
        assertThat(gone.over).isTrue();
        assertThat(slow.over || reading.over).isFalse();
        assertThat(stream.subscribers()).isEqualTo(2);
    }

    @Test
    void rightsThatComeBackBringAllRowsAgain() {
        put("shop", "a", "Pending", "web");
        Predicate<ObjectKey> shop = key -> "shop".equals(key.namespace());
        Predicate<ObjectKey> none = key -> false;
        Browser first = open(request(null).withRights(Flux.just(shop)));
        Sinks.Many<Predicate<ObjectKey>> rights = Sinks.many().multicast().directBestEffort();
        Browser browser = open(request(first.last).withRights(rights.asFlux()));
        rights.tryEmitNext(shop);
        time.advanceTime();
        assertThat(browser.events).as("continues").containsExactly("synced");
        rights.tryEmitNext(none);
        time.advanceTime();
        rights.tryEmitNext(shop);
        time.advanceTime();
        assertThat(browser.rows).containsOnlyKeys("shop/a");
    }

    @Test
    void aPulseIsSentWhileNothingHappens() {
        Browser browser = open(request(null));
        time.advanceTimeBy(Duration.ofSeconds(31));
        assertThat(browser.events).containsExactly("reset", "synced", "pulse", "pulse");
    }

    @Test
    void aPulseSaysSinceWhenTheClusterIsAway() {
        List<ServerSentEvent<String>> events = new ArrayList<>();
        stream.events(request(null)).filter(event -> "pulse".equals(event.event())).subscribe(events::add);
        time.advanceTimeBy(Duration.ofSeconds(15));
        pods.disrupt(new TransportException("the server is away", null));
        time.advanceTimeBy(Duration.ofSeconds(15));
        pods.recover();
        time.advanceTimeBy(Duration.ofSeconds(15));
        assertThat(events).extracting(event -> String.valueOf(event.data()).replaceAll("[-0-9:.TZ]{20,}", "TIME"))
                .containsExactly("{}", "{\"staleSince\":\"TIME\"}", "{}");
    }

    @Test
    void endsWithTheInformerSoThatBrowsersConnectElsewhere() {
        Browser browser = open(request(null));
        Browser of = open(request(null).withRights(Flux.<Predicate<ObjectKey>>never()
                .startWith(key -> true)));
        pods.stop();
        time.advanceTime();
        assertThat(browser.over).isTrue();
        assertThat(of.over).as("although the rights go on").isTrue();
        assertThat(stream.subscribers()).isZero();
    }

    @Test
    void endsWithTheInformerAlthoughNoRightsAreKnown() {
        put("shop", "a", "Pending", "web");
        Browser browser = open(request(null).withRights(Flux.never()));
        Browser of = open(request(null).withRights(Flux.<Predicate<ObjectKey>>never().startWith(key -> false)));
        time.advanceTimeBy(Duration.ofSeconds(16));
        assertThat(browser.events).containsExactly("pulse");
        pods.stop();
        time.advanceTime();
        assertThat(browser.over && of.over).isTrue();
        assertThat(browser.events).containsExactly("pulse");
        assertThat(stream.subscribers()).isZero();
    }

    @Test
    void moreSubscribersThanAllowedAreRefused() {
        stream = stream(OPTIONS.withSubscribers(2));
        Browser first = open(request(null));
        open(request(null));
        assertThat(open(request(null)).failure).isInstanceOf(ResponseStatusException.class).hasMessageContaining("503")
                .hasMessageContaining("2 subscribers");
        first.cancel();
        assertThat(open(request(null)).failure).isNull();
    }

    @Test
    void selectionsAreLimitedAndIdleOnesGiveWay() {
        stream = stream(OPTIONS.withSelections(2));
        Browser first = open(request(null, "namespace", "a"));
        open(request(null, "namespace", "b"));
        assertThat(open(request(null, "namespace", "c")).failure).hasMessageContaining("503").hasMessageContaining("2 different selections");
        first.cancel();
        assertThat(open(request(null, "namespace", "c")).failure).isNull();
        assertThat(stream.subscribers()).isEqualTo(2);
    }

    /** Two browsers with the same rights, which change for both: the place of the first is not free yet when it needs another one. */
    @Test
    void aRightThatIsTakenIsNeverRefusedForWantOfPlaces() {
        stream = stream(OPTIONS.withSelections(1));
        put("shop", "a", "Pending", "web");
        Sinks.Many<Predicate<ObjectKey>> rights = Sinks.many().multicast().directBestEffort();
        List<Browser> both = List.of(open(request(null).withRights(rights.asFlux())), open(request(null).withRights(rights.asFlux())));
        rights.tryEmitNext(key -> true);
        time.advanceTime();
        assertThat(both).allSatisfy(browser -> assertThat(browser.rows).containsOnlyKeys("shop/a"));
        rights.tryEmitNext(key -> false);
        time.advanceTime();
        assertThat(both).allSatisfy(browser -> assertThat(browser.failure).isNull()).allSatisfy(browser -> assertThat(browser.rows).isEmpty());
        assertThat(open(request(null, "namespace", "shop")).failure).hasMessageContaining("503");
    }

    @Test
    void aSelectionIsKeptForThoseThatComeBack() {
        Browser first = open(request(null, "namespace", "a"));
        first.cancel();
        time.advanceTimeBy(Duration.ofMinutes(4));
        assertThat(again(first, "namespace", "a").events).containsExactly("synced");
        time.advanceTimeBy(Duration.ofMinutes(20));
        assertThat(again(first, "namespace", "a").events).as("while it is connected").containsExactly("synced");
    }

    @Test
    void aSelectionThatNobodyComesBackToIsForgotten() {
        Browser first = open(request(null, "namespace", "a"));
        first.cancel();
        time.advanceTimeBy(Duration.ofMinutes(6));
        assertThat(again(first, "namespace", "a").events).containsExactly("reset", "synced");
    }

    @Test
    void messagesOfAWebSocketSayTheSame() {
        put("shop", "a", "Pending", "web");
        List<String> messages = stream.messages(request(null)).take(3).collectList().block(Duration.ofSeconds(10));
        assertThat(messages).extracting(message -> JSON.readTree(message).path("event").asString()).containsExactly("reset", "row", "synced");
        assertThat(JSON.readTree(messages.get(1)).at("/data/row/phase").asString()).isEqualTo("Pending");
        assertThat(JSON.readTree(messages.get(1)).path("position").asString()).isNotEmpty();
    }

    /** How many events of each name a browser was told. */
    private static Map<String, Integer> eventsOf(String text) {
        Map<String, Integer> events = new TreeMap<>();
        text.lines().filter(line -> line.startsWith("event:")).forEach(line -> events.merge(line.substring(6), 1, Integer::sum));
        return events;
    }

    private static String idOf(String text) {
        return text.lines().filter(line -> line.startsWith("id:")).reduce((one, other) -> other).orElseThrow().substring(3);
    }

    private final List<String> parts = new ArrayList<>();

    private String written(StreamRequest request) {
        var response = new MockServerHttpResponse();
        var text = new StringBuilder();
        parts.clear();
        response.setWriteHandler(body -> body.map(part -> part.toString(StandardCharsets.UTF_8)).doOnNext(parts::add).doOnNext(text::append).then());
        Disposable answer = stream.writeTo(response, request).subscribe();
        time.advanceTime();
        answer.dispose();
        assertThat(response.getHeaders().getContentType()).isEqualTo(MediaType.TEXT_EVENT_STREAM);
        return text.toString();
    }

    @Test
    void anAnswerHasTheEventsThatThereAreTogether() {
        for (int i = 0; i < 300; i++) {
            put("shop", "p" + i, "Pending", "web");
        }
        String first = written(request(null));
        assertThat(eventsOf(first)).isEqualTo(Map.of("reset", 1, "row", 300, "synced", 1));
        assertThat(first.lines().filter(line -> line.startsWith("id:"))).as("one of each").hasSize(302);
        assertThat(parts).as("the reset and 127, 128, 46").hasSize(3);
        assertThat(first).matches("(?s)retry:1000\nevent:reset\ndata:\\{}\nid:[^\n]*\n\nevent:row\ndata:\\{\"key\":\"shop/p.*");
        put("shop", "p7", "Running", "web");
        pods.remove(ObjectKey.of("shop", "p8"));
        assertThat(written(request(idOf(first)))).matches("""
                event:row
                data:\\{"key":"shop/p7".*
                id:.*

                event:gone
                data:\\{"key":"shop/p8"}
                id:.*

                retry:1000
                event:synced
                data:\\{}
                id:.*

                """);
    }

    @Test
    void anAnswerThatIsCutAnywhereGoesOnThere() {
        for (int i = 0; i < 6; i++) {
            put("shop", "p" + i, "Pending", "web");
        }
        List<String> first = List.of(written(request(null)).split("(?<=\n\n)"));
        put("shop", "late", "Pending", "web");
        for (int told = 2; told <= 6; told++) {
            String key = first.get(told - 1).replaceFirst("(?s).*\"(shop/p\\d)\".*", "$1");
            pods.remove(ObjectKey.parse(key));
            time.advanceTime();
            assertThat(written(request(idOf(String.join("", first.subList(0, told)))))).as("after " + told).doesNotContain("event:reset")
                    .contains("event:gone\ndata:{\"key\":\"" + key + "\"}").contains("\"shop/late\"");
        }
    }

    /** A class may write JSON of its own, which may have lines. */
    @Test
    void aRowIsOneLine() {
        put("shop", "p0", "{\n\n\"forged\":\r\n1}\n\nevent:reset\ndata:{}\n\n", "web");
        stream = RowStream.of(pods, pod -> new OfItsOwn(pod.getStatus().getPhase()), OPTIONS);
        assertThat(written(request(null)).lines().filter(line -> line.startsWith("event:"))).containsExactly("event:reset", "event:row", "event:synced");
    }

    private record OfItsOwn(@JsonRawValue String json) {}

    /** A row of the other replica replaces all; what follows from there must not be taken for the rows of the first one. */
    @Test
    void anAnswerOfAnotherReplicaThatIsCutIsABeginning() {
        for (int i = 0; i < 10; i++) {
            put("shop", "p" + i, "Pending", "web");
        }
        String ofTheFirst = idOf(written(request(null)));
        RowStream first = stream;
        stream = stream(OPTIONS);
        String second = written(request(ofTheFirst));
        String cut = second.substring(0, second.indexOf("\n\n", second.indexOf("event:row")) + 2);
        stream.close();
        stream = first;
        assertThat(eventsOf(written(request(idOf(cut))))).isEqualTo(Map.of("reset", 1, "row", 10, "synced", 1));
    }

    @Test
    void anAnswerIsWrittenInPieces() {
        for (int i = 0; i < 10; i++) {
            put("shop", "p" + i, "x".repeat(20_000), "web");
        }
        String first = written(request(null));
        assertThat(eventsOf(first)).isEqualTo(Map.of("reset", 1, "row", 10, "synced", 1));
        assertThat(parts).as("five of two rows, the rest").hasSize(6);
    }

    @Test
    void anAnswerThatEndsBeforeItsFirstEventIsAStream() {
        pods = TestView.create();
        stream = stream(OPTIONS);
        var response = new MockServerHttpResponse();
        response.setWriteHandler(body -> body.then());
        StepVerifier.create(stream.writeTo(response, request(null))).then(() -> time.advanceTime()).then(stream::close).verifyComplete();
        assertThat(response.getHeaders().getContentType()).isEqualTo(MediaType.TEXT_EVENT_STREAM);
    }

    @Test
    void anAnswerThatIsRefusedHasNotBegun() {
        stream = stream(OPTIONS.withSubscribers(1));
        open(request(null));
        var response = new MockServerHttpResponse();
        StepVerifier.create(stream.writeTo(response, request(null))).expectErrorSatisfies(refused -> assertThat(refused)
                .isInstanceOf(ResponseStatusException.class).hasMessageContaining("503")).verify();
        assertThat(response.isCommitted()).isFalse();
        assertThat(response.getHeaders().getContentType()).isNull();
    }

    /** 1,000 changes a second over 10,000 rows for half a minute, cut each 10 s, away for a second each time. */
    @Test
    void aBrowserThatIsCutReceivesTheDifferencesOnly() {
        var random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            put("shop", "p" + i, "s", "web");
        }
        Browser browser = open(request(null));
        assertThat(browser.events).hasSize(10_002);
        long sent = 0;
        long needed = 0;
        for (int second = 1; second <= 33; second++) {
            boolean away = second % 11 == 0;
            int before = browser.events.size();
            if (away) {
                browser.cancel();
            }
            Set<Integer> changed = new HashSet<>();
            for (int i = 0; i < 1_000; i++) {
                int row = random.nextInt(10_000);
                changed.add(row);
                put("shop", "p" + row, "s" + second + "." + i, "web");
                if (!away) {
                    time.advanceTime();
                }
            }
            if (away) {
                browser = again(browser);
                before = 0;
            }
            sent += browser.events.size() - before;
            needed += away ? changed.size() : 1_000;
        }
        assertThat((double) sent / needed).as("%s events for %s changes", sent, needed).isBetween(1.0, 1.01);
        assertThat(browser.rows).hasSize(10_000);
        Map<String, String> shown = browser.rows;
        pods.snapshot().forEach((key, pod) -> assertThat(shown).containsEntry(key.toString(), pod.object().getStatus().getPhase()));
    }

    /** Slow browsers that are cut anywhere and come back have what is there in the end. */
    @Test
    void whateverIsCutTheRowsAreRightInTheEnd() {
        long first = System.nanoTime();
        for (long seed = first; seed < first + 100; seed++) {
            var random = new Random(seed);
            pods = TestView.of(Map.of());
            stream = stream(OPTIONS);
            Browser browser = null;
            for (int i = 0; i < 150; i++) {
                String name = "p" + random.nextInt(6);
                switch (random.nextInt(8)) {
                    case 0, 1, 2 -> put(random.nextBoolean() ? "shop" : "bank", name, "s" + i, random.nextBoolean() ? "web" : "db");
                    case 3 -> pods.remove(ObjectKey.of("shop", name));
                    case 4, 5 -> {
                        if (browser != null) {
                            browser.request(1 + random.nextInt(3));
                        }
                    }
                    case 6 -> {
                        Browser next = new Browser();
                        if (browser != null) {
                            browser.cancel();
                            next.rows.putAll(browser.rows);
                            next.last = browser.last;
                        }
                        browser = next;
                        stream.events(request(next.last, "labels", "app=web")).subscribe(next);
                    }
                    default -> time.advanceTime();
                }
            }
            Browser last = browser == null ? open(request(null, "labels", "app=web")) : again(browser, "labels", "app=web");
            Map<String, String> expected = new HashMap<>();
            pods.snapshot().forEach((key, pod) -> {
                if ("web".equals(pod.object().getMetadata().getLabels().get("app"))) {
                    expected.put(key.toString(), pod.object().getStatus().getPhase());
                }
            });
            assertThat(last.rows).as("seed %s", seed).isEqualTo(expected);
            stream.close();
        }
    }
}
