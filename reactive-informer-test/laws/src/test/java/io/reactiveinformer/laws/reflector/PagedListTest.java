package io.reactiveinformer.laws.reflector;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.DeltaStage;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Store;
import io.reactiveinformer.test.Script;
import io.reactiveinformer.test.ScriptedListerWatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.test.scheduler.VirtualTimeScheduler;

import static io.reactiveinformer.test.Script.added;
import static io.reactiveinformer.test.Script.bookmark;
import static io.reactiveinformer.test.Script.expired;
import static io.reactiveinformer.test.Script.failsAfter;
import static io.reactiveinformer.test.Script.modified;
import static io.reactiveinformer.test.Script.never;
import static io.reactiveinformer.test.Script.refusal;
import static io.reactiveinformer.test.Script.refused;
import static io.reactiveinformer.test.Script.staysOpenAfter;
import static io.reactiveinformer.test.Script.tooLarge;
import static org.assertj.core.api.Assertions.assertThat;

/** How a reflector lists, where not as a stream. */
class PagedListTest {

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final ScriptedListerWatcher<String> server = new ScriptedListerWatcher<>();

    /** Stream scenarios 1 and 2. */
    @Test
    void listsPageAfterPage() {
        server.onPage("10", "c1", "a").onPage("10", "c2", "b").onPage("10", "", "c").onWatch("10", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "a@10", "b@10", "c@10", "listed 10", "watching 10")
                .end();
        assertThat(server.requests()).startsWith(
                "list resourceVersion=0 limit=500", "list limit=500 continue=c1", "list limit=500 continue=c2");
    }

    /** 8.3.58, 8.3.61: the version is that of the first page, and only the first asks for one. */
    @Test
    void aListOfManyPagesIsOfTheVersionOfItsFirst() {
        server.onPage("10", "c1", "a").onPage("11", "c2", "b").onPage("12", null, "c").onWatch("10", never());
        ReflectorProbe.of(clock, server).emits("listing", "a@10", "b@11", "c@12", "listed 10", "watching 10").end();
    }

    /** 8.3.60, stream scenario 4; never the token that the server offers, which would make an inconsistent list. */
    @Test
    void listsAnewInOneAnswerWhenAPageIsGone() {
        server.onPage("10", "c1", "a").onList(refused(refusal(410, "Expired", "the continue token is too old")))
                .onList("20", "b").onWatch("20", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "a@10", "listing", "b@20", "listed 20", "watching 20")
                .end();
        assertThat(server.requests()).startsWith(
                "list resourceVersion=0 limit=500", "list limit=500 continue=c1", "list resourceVersion=0");
    }

    /** 8.1.24: where the server pages that one all the same, we follow. Unlike client-go, no limit is sent with a version. */
    @Test
    void followsAServerThatPagesWithoutBeingAsked() {
        server.onList("10").onWatch("10", expired()).onPage("20", "c1", "a").onPage("20", null, "b").onWatch("20", never());
        ReflectorProbe.of(clock, server).whatever().afterSeconds(0.8).emits("listing", "a@20", "b@20", "listed 20", "watching 20").end();
    }

    /** 8.1.22. */
    @Test
    void pagesAreAsLargeAsConfigured() {
        server.onPage("10", "c1", "a").onPage("10", null, "b").onWatch("10", never());
        ReflectorProbe.of(clock, server, options -> options.withPageSize(4)).whatever().end();
        assertThat(server.requests()).startsWith("list resourceVersion=0 limit=4", "list limit=4 continue=c1");
    }

    @Test
    void aListThatEndsTooSoonIsNone() {
        server.onList(Flux.just(Script.item("a", "1"))).onList("10").onWatch("10", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "a@1", "transport #1, list in 0.8")
                .afterSeconds(0.8).emits("listing", "listed 10", "watching 10")
                .end();
    }

    @Test
    void aListThatFallsSilentIsNotTrusted() {
        server.onList(Flux.just(Script.item("a", "1")).concatWith(Flux.never())).onList("10").onWatch("10", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "a@1")
                .afterSeconds(90).emits("transport #1, list in 0.8")
                .afterSeconds(0.8).emits("listing", "listed 10", "watching 10")
                .end();
    }

    /** 8.1.25. */
    @Test
    void aRelistAsksForNothingOlderThanWhatWasSeen() {
        server.onList("10").onWatch("10", failsAfter(refusal(410, "Expired", ""), added("a", "12"), bookmark("15")))
                .onList("20").onWatch("20", never());
        ReflectorProbe.of(clock, server).afterSeconds(0.8).whatever().end();
        assertThat(server.requests()).contains("list resourceVersion=15 match=NotOlderThan");
    }

    @Test
    void neverBelievesAListThatIsOlderThanWhatItAskedFor() {
        server.onList("100").onWatch("100", expired()).onList("99").onList("101").onWatch("101", never());
        ReflectorProbe.of(clock, server)
                .whatever()
                .afterSeconds(0.8).emits("listing", "transport #2, list in 0.8")
                .afterSeconds(0.8).emits("listing", "listed 101", "watching 101")
                .end();
        assertThat(server.requests()).contains("list limit=500");
    }

    /** Recorded exchange 35; law 15. */
    @Test
    void aMostRecentStateThatIsOlderThanOursOpensANewEpoch() {
        server.onList("100", "a").onWatch("100", expired())
                .onList(refused(tooLarge())).onList("7", "b").onWatch("7", staysOpenAfter(added("c", "8")));
        ReflectorProbe.of(clock, server)
                .whatever()
                .afterSeconds(0.8).emits("listing", "listing", "b@7", "new epoch 7", "watching 7", "+c@8")
                .end();
    }

    /** 8.1.28: the list is late, not of another history. */
    @Test
    void asksForTheMostRecentStateWhenOurVersionIsFromTheFuture() {
        server.onList("10").onWatch("10", expired())
                .onList(refused(tooLarge())).onList("11").onWatch("11", never());
        ReflectorProbe.of(clock, server)
                .whatever()
                .afterSeconds(0.8).emits("listing", "listing", "listed 11", "watching 11")
                .end();
    }

    /** 8.1.26. */
    @Test
    void asksForTheMostRecentStateWhenEvenTheListHasExpired() {
        server.onList("10").onWatch("10", expired())
                .onList(refused(refusal(410, "Expired", "too old"))).onList("20").onWatch("20", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "listed 10", "watching 10", "410 #1, list in 0.8")
                .afterSeconds(0.8).emits("listing", "listing", "listed 20", "watching 20")
                .end();
        assertThat(server.requests()).contains("list resourceVersion=10 match=NotOlderThan", "list limit=500");
    }

    /** This server does not read continue tokens, and one of its answers has none. */
    @Test
    void aTokenThatComesTwiceWouldComeForEver() {
        server.onPage("10", "c1", "a").onPage("10", "c1", "b").onList("10", "a", "b").onWatch("10", never());
        ReflectorProbe.of(clock, server).emits("listing", "a@10", "b@10", "listing", "a@10", "b@10", "listed 10", "watching 10").end();
        assertThat(server.requests()).contains("list resourceVersion=0");
    }

    @Test
    void tokensThatGoRoundInACircleWouldComeForEver() {
        server.onPage("10", "c1", "a").onPage("10", "c2", "b").onPage("10", "c1", "c").onList("10", "a", "b").onWatch("10", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "a@10", "b@10", "c@10", "listing", "a@10", "b@10", "listed 10", "watching 10").end();
    }

    /** A page is no page that came before because an object is on both: a list that shows one twice is a list. */
    @Test
    void anObjectOnTwoPagesIsListed() {
        server.onPage("10", "c1", "a", "b").onPage("10", "c2", "a", "c").onPage("10", null, "a").onWatch("10", never());
        ReflectorProbe.of(clock, server).emits("listing", "a@10", "b@10", "a@10", "c@10", "a@10", "listed 10", "watching 10").end();
    }

    /**
     * Pages of an inconsistent list: the newest state that was shown is kept, and what is missing comes by the watch from the first page.
     */
    @Test
    void ofAnObjectOnTwoPagesTheNewerStateIsKept() {
        server.onList(Flux.just(Script.item("a:1", "9"), Script.item("b:1", "12"), new ObjectEvent.PageEnd<>("10", "c1")))
                .onList(Flux.just(Script.item("b:2", "8"), Script.item("a:2", "11"), Script.lastPage("13")))
                .onWatch("10", staysOpenAfter(modified("b:3", "12"), modified("c:1", "13")));
        var store = Store.<String>create();
        Reflector.of(server, store, ReflectorOptions.defaults().withStreaming(false).withTimer(clock)).events()
                .transform(DeltaStage.over(store)).subscribe(store::apply);
        Map<String, String> objects = new TreeMap<>();
        store.snapshot().forEach((key, entry) -> objects.put(key.toString(), entry.object() + "@" + entry.resourceVersion()));
        assertThat(objects).isEqualTo(Map.of("a", "a:2@11", "b", "b:1@12", "c", "c:1@13"));
    }

    /** One that does not read tokens makes up a new one for each page; in one answer there is none. */
    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a b"})
    void pagesThatBringNothingNewAreNotFollowedForEver(String objects) {
        var asked = new ArrayList<String>();
        var endless = new ScriptedSource(options -> {
            asked.add(options.limit() + " " + options.continueToken());
            List<ObjectEvent<String>> page = new ArrayList<>();
            for (String object : objects.isEmpty() ? new String[0] : objects.split(" ")) {
                page.add(Script.item(object, "5"));
            }
            page.add(new ObjectEvent.PageEnd<>("10", options.limit() == 0 ? null : "token " + asked.size()));
            return Flux.fromIterable(page);
        });
        ReflectorProbe probe = ReflectorProbe.of(clock, endless);
        assertThat(probe.lines()).endsWith("listed 10", "watching 10");
        assertThat(asked.size()).isBetween(100, 103);
        assertThat(asked).last().isEqualTo("0 null");
        probe.cancel();
    }

    /** Whatever is asked, there is another page: named, and paced. */
    @Test
    void aListWithoutAnEndIsANamedFailureWithAPause() {
        for (int length : new int[] {10, 900_000}) {
            var requests = new AtomicInteger();
            var endless = new ScriptedSource(options ->
                    Flux.just(new ObjectEvent.PageEnd<>("10", "t".repeat(length) + requests.incrementAndGet())));
            List<String> causes = new ArrayList<>();
            ReflectorProbe probe = ReflectorProbe.of(clock, endless,
                    options -> options.withGiveUpWhen(disrupted -> !causes.add(disrupted.cause().getMessage())));
            assertThat(causes).singleElement().asString().startsWith("cannot list scripted source: ")
                    .contains(length == 10 ? "100 pages in a row brought nothing new" : "a continue token has 900");
            assertThat(requests.get()).isLessThan(210);
            probe.after(Duration.ofHours(1)).cancel();
            assertThat(requests.get()).isLessThan(length == 10 ? 210 * 130 : 2 * 130);
        }
    }

    /** The same objects again and again, within one page or over many. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 50})
    void objectsThatComeInACircleAreANamedFailureWithAPause(int objects) {
        var asked = new AtomicInteger();
        var items = new AtomicInteger();
        Flux<ObjectEvent<String>> circle =
                Flux.<ObjectEvent<String>>generate(sink -> sink.next(Script.item("a" + items.incrementAndGet() % objects, "5")));
        var endless = new ScriptedSource(options -> asked.incrementAndGet() % 2 == 0 ? circle : circle.take(70).concatWith(circle));
        List<String> causes = new ArrayList<>();
        ReflectorProbe probe = ReflectorProbe.of(clock, endless,
                options -> options.withGiveUpWhen(disrupted -> !causes.add(disrupted.cause().getMessage())));
        assertThat(causes).singleElement().asString().startsWith("cannot list scripted source: of ")
                .contains(" objects and pages, a", " came 100 times");
        assertThat(items.get()).isLessThan(2 * 4 * 128 * objects);
        probe.after(Duration.ofHours(1)).cancel();
        assertThat(asked.get()).isLessThan(2 * 130);
    }

    /** Each page brings one new object, and there is always another: it may be the whole truth, but it is not asked for at full speed. */
    @Test
    void pagesThatBringNextToNothingAreAskedForAtAPace() {
        var asked = new AtomicInteger();
        var endless = new ScriptedSource(options -> asked.incrementAndGet() > 1_000
                ? Flux.never() : Flux.just(Script.item("a" + asked, "5"), new ObjectEvent.PageEnd<>("10", "token " + asked)));
        ReflectorProbe probe = ReflectorProbe.of(clock, endless);
        assertThat(asked.get()).isEqualTo(101);
        probe.afterSeconds(14);
        assertThat(asked.get()).isEqualTo(101 + 140);
        probe.cancel();
    }

    /** Pages that are full follow at once, however small they were asked for. */
    @ParameterizedTest
    @ValueSource(ints = {2, 10, 500})
    void fullPagesFollowAtOnce(int size) {
        var asked = new AtomicInteger();
        var large = new ScriptedSource(options -> {
            int page = asked.incrementAndGet();
            return Flux.range(0, Math.min(size, 10)).map(n -> Script.item("a" + page + "." + n, "5"))
                    .concatWithValues(new ObjectEvent.PageEnd<>("10", page < 400 ? "token " + page : null));
        });
        ReflectorProbe probe = ReflectorProbe.of(clock, large, options -> options.withPageSize(size));
        assertThat(probe.lines()).endsWith("listed 10", "watching 10");
        probe.cancel();
    }

    /** A byte each half second, or an object each twenty: at that pace a list takes hours. */
    @Test
    void aListThatBringsAnObjectNowAndThenIsGivenUpAfterThreeMinutes() {
        var slow = new ScriptedSource(options -> Flux.interval(Duration.ofSeconds(20), clock).map(n -> Script.item("a" + n, "5")));
        List<String> causes = new ArrayList<>();
        ReflectorProbe probe = ReflectorProbe.of(clock, slow,
                options -> options.withGiveUpWhen(disrupted -> !causes.add(disrupted.cause().getMessage())));
        probe.afterSeconds(199);
        assertThat(causes).isEmpty();
        probe.afterSeconds(1);
        assertThat(causes).containsExactly("cannot list scripted source: only 10 objects and pages came in 180 s");
        probe.cancel();
    }

    /** Half a million objects come within minutes, and each is one. */
    @Test
    void aLargeListMayTakeItsTime() {
        var large = new ScriptedSource(options -> Flux.interval(Duration.ofSeconds(5), clock).take(360).map(n -> Script.item("a" + n, "5"))
                .concatWithValues(Script.lastPage("10")));
        ReflectorProbe probe = ReflectorProbe.of(clock, large).after(Duration.ofMinutes(30));
        assertThat(probe.lines()).endsWith("listed 10", "watching 10");
        probe.cancel();
    }

    /** Lists as the test says; its watches stay open. */
    private record ScriptedSource(Function<ListOptions, Flux<ObjectEvent<String>>> lists) implements ListerWatcher<String> {

        @Override
        public Identity identity() {
            return Identity.of("scripted source", Namespaces.all());
        }

        @Override
        public Flux<ObjectEvent<String>> list(ListOptions options, Reading<String> reading) {
            return Flux.defer(() -> lists.apply(options));
        }

        @Override
        public Flux<ObjectEvent<String>> watch(WatchOptions options, Reading<String> reading) {
            return never();
        }
    }

    /** Asked for one answer, it sends pages all the same. */
    @Test
    void whoGoesRoundInACircleWithoutBeingAskedIsPaced() {
        server.onPage("10", "c1").onPage("10", "c1").onPage("10", "c1").onPage("10", "c1").onPage("10", "c1").onPage("10", "c1");
        List<String> causes = new ArrayList<>();
        ReflectorProbe.of(clock, server, options -> options.withGiveUpWhen(disrupted -> !causes.add(disrupted.cause().getMessage())))
                .emits("listing", "listing", "transport #1, list in 0.8")
                .afterSeconds(0.8).emits("listing", "transport #2, list in 1.6")
                .end();
        assertThat(causes).first().asString().contains("a continue token came twice");
    }

    /** The rest of the list may be behind it; and the page is not asked for again and again. */
    @Test
    void aLaterPageThatEndsTooSoonIsNone() {
        server.onPage("10", "c1", "a").onList(Flux.just(Script.item("b", "1"))).onList("20").onWatch("20", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "a@10", "b@1", "transport #1, list in 0.8")
                .afterSeconds(0.8).emits("listing", "listed 20", "watching 20")
                .end();
        assertThat(server.requests()).startsWith("list resourceVersion=0 limit=500", "list limit=500 continue=c1",
                "list resourceVersion=0 limit=500");
    }

    /** Law 17: whatever it has against our version, without it there is an answer. */
    @Test
    void asksForTheMostRecentStateWhenTheServerCannotReadOurVersion() {
        server.onList("10").onWatch("10", expired()).onList(refused(refusal(400, "BadRequest", "resourceVersion: invalid")))
                .onList("20", "a").onWatch("20", never());
        ReflectorProbe.of(clock, server).emits("listing", "listed 10", "watching 10", "410 #1, list in 0.8")
                .afterSeconds(0.8).emits("listing", "400 #2, list in 0.8")
                .afterSeconds(0.8).emits("listing", "a@20", "listed 20", "watching 20")
                .end();
        assertThat(server.requests()).containsSubsequence("list resourceVersion=10 match=NotOlderThan", "list limit=500");
    }
}
