package io.reactiveinformer.reflector;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.UnavailableException;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Store;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a server's answer about one object shows of its history (law 15): with too little suspicion the cache is wrong; with too much, each
 * broken watch leads to a list.
 */
class HistoryCheckTest {

    private static final Namespaces ALL = Namespaces.all();
    private static final ObjectKey A = ObjectKey.clusterScoped("a");
    private static final ObjectKey B = ObjectKey.clusterScoped("b");
    private static final ObjectKey C = ObjectKey.clusterScoped("c");
    private static final ObjectKey D = ObjectKey.clusterScoped("d");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final Store<String> store = Store.create();
    private final Source source = new Source();
    private final Reflector.Group group = Reflector.Group.create();

    /** Answers each question with what is next in line. */
    private static final class Source implements ListerWatcher<String> {

        private final Queue<Flux<ObjectEvent<String>>> answers = new ArrayDeque<>();
        private final Queue<Flux<ObjectEvent<String>>> firstAnswers = new ArrayDeque<>();
        private final List<String> asked = new ArrayList<>();
        private boolean redefinable;

        /** All objects are not supported until a test gives an answer. */
        @Override
        public Flux<ObjectEvent<String>> list(ListOptions options, Reading<String> reading) {
            ObjectKey key = options.key();
            boolean exactly = options.match() == ListOptions.Match.EXACT;
            if (key != null || options.limit() == 1) {
                asked.add((key == null ? "any" : key.name()) + (exactly ? "@" : " since ") + options.resourceVersion());
                return answers.isEmpty() ? Flux.never() : answers.remove();
            }
            if (firstAnswers.isEmpty()) {
                return Flux.empty();
            }
            asked.add("first " + options.limit() + "@" + options.resourceVersion());
            return firstAnswers.remove();
        }

        @Override
        public Identity identity() {
            return new Identity("things", ALL, redefinable, Past.ALL);
        }

        @Override
        public Flux<ObjectEvent<String>> watch(WatchOptions options, Reading<String> reading) {
            throw new AssertionError("a proof is no watch");
        }
    }

    /** Up to 10; what changed last is b, at 9. */
    @BeforeEach
    void fill() {
        store.apply(list("10", row(A, "5"), row(B, "9"), row(C, "7")));
    }

    @AfterEach
    void close() {
        time.dispose();
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // they are only read
    private static Delta<String> list(String version, Delta<String>... rows) {
        return new Delta.Replaced<>(ALL, List.of(rows), version, false);
    }

    private void empty(String version) {
        store.apply(list(version, gone(A, "5"), gone(B, "9"), gone(C, "7")));
    }

    private static Delta<String> gone(ObjectKey key, String version) {
        return new Delta.Deleted<>(ALL, key, state(key, version), DeletionCause.INFERRED);
    }

    private static Delta<String> row(ObjectKey key, String version) {
        return new Delta.Upserted<>(ALL, key, state(key, version));
    }

    private static Versioned<String> state(ObjectKey key, String version) {
        return new Versioned<>("u" + key.name(), version, key.name() + version);
    }

    private static ObjectEvent<String> item(ObjectKey key, String version) {
        return new ObjectEvent.Applied<>(key, state(key, version));
    }

    private static ObjectEvent<String> end(String version) {
        return new ObjectEvent.PageEnd<>(version, null);
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // they are only read
    private void answer(ObjectEvent<String>... events) {
        source.answers.add(Flux.just(events));
    }

    /** Received right after the version before it. */
    private static EventTranslator.Gone deleted(ObjectKey key, String version) {
        return new EventTranslator.Gone(key, version, String.valueOf(Integer.parseInt(version) - 1), "u" + key.name(), null);
    }

    private HistoryCheck<String> proof(String reached, EventTranslator.@Nullable Gone gone) {
        return proof(reached, gone, true);
    }

    private HistoryCheck<String> proof(String reached, EventTranslator.@Nullable Gone gone, boolean lastTry) {
        String before = gone == null ? reached : gone.before();
        EventTranslator<String> position = running(before);
        if (store.snapshot().size() == 0) {
            position.listingEnded(before, Phase.Freshness.MOST_RECENT); // which has shown nothing
        }
        if (gone != null) {
            position.live(new ObjectEvent.Deleted<>(gone.key(), state(gone.key(), gone.version())));
            position.live(new ObjectEvent.Bookmark<>(reached, false));
        }
        return proof(position, lastTry);
    }

    /** After what a reflector began with was proven. */
    private EventTranslator<String> running(String reached) {
        EventTranslator<String> position = new EventTranslator<>(ALL, store, reached);
        position.verified(null);
        return position;
    }

    private HistoryCheck<String> proof(EventTranslator<String> position, boolean lastTry) {
        return new HistoryCheck<>(source, ReflectorOptions.defaults().withTimer(time).withGroup(group), position, false, lastTry);
    }

    /** What contradicts; "none" if nothing does; "open" while there is no answer. */
    private String asked(HistoryCheck<String> proof) {
        var result = new ArrayList<>(List.of("open"));
        proof.contradiction().subscribe(
                contradiction -> result.set(0, contradiction), failure -> result.set(0, failure.getClass().getSimpleName()), () -> {
                    if (result.get(0).equals("open")) {
                        result.set(0, "none");
                    }
                });
        return result.get(0);
    }

    private String asked() {
        return asked(proof("10", null));
    }

    @Test
    void whatChangedLastIsAskedForAtOurVersion() {
        answer(item(B, "9"), end("10"));
        assertThat(asked()).isEqualTo("none");
        assertThat(source.asked).containsExactly("b@10");
    }

    /** What the cache has from after our version cannot be in the state at our version. */
    @Test
    void whatIsCachedFromAfterOurVersionIsNoWitness() {
        answer(item(C, "7"), end("8"));
        assertThat(asked(proof("8", null))).isEqualTo("none");
        assertThat(source.asked).containsExactly("c@8");
    }

    @Test
    void aWitnessThatDoesNotExistShowsAnotherHistory() {
        answer(end("10"));
        assertThat(asked()).isEqualTo("b was at 9, and does not exist in the server's state at 10");
    }

    @Test
    void aWitnessInAnotherStateShowsAnotherHistory() {
        answer(item(B, "8"), end("10"));
        answer(new ObjectEvent.Applied<>(B, new Versioned<>("ub", "9", "other content")), end("10"));
        answer(new ObjectEvent.Applied<>(B, new Versioned<>("another uid", "9", "b9")), end("10"));
        assertThat(asked()).isEqualTo("b was at 9, and is another state, of 8 in the server's state at 10");
        assertThat(asked()).contains("is another state, of 9");
        assertThat(asked()).contains("is another state, of 9");
    }

    /** As their definition changes: only the version counts. */
    @Test
    void objectsThatMayBeShownOtherwiseAreComparedByTheirVersion() {
        source.redefinable = true;
        answer(new ObjectEvent.Applied<>(B, new Versioned<>("ub", "9", "with a default")), end("10"));
        answer(item(B, "8"), end("10"));
        assertThat(asked()).isEqualTo("none");
        assertThat(asked()).contains("another state");
    }

    /** Not every server answers exactly: what is newer than our version is not what was there at it. */
    @Test
    void anAnswerOfAnotherVersionShowsNothing() {
        answer(end("11"));
        answer(item(B, "8"), end("11"));
        answer(item(B, "11"), end("10"));
        assertThat(asked()).isEqualTo("none");
        assertThat(asked()).isEqualTo("none");
        assertThat(asked()).isEqualTo("none");
    }

    @Test
    void anAnswerWithoutAnEndShowsNothing() {
        answer(item(B, "8"));
        assertThat(asked()).isEqualTo("none");
    }

    @Test
    void otherObjectsAndUnreadableOnesShowNothing() {
        answer(new ObjectEvent.Unreadable<>(B, "ub", "9", false, new UnreadableObjectException("planned", null)), end("10"));
        answer(item(A, "5"), item(B, "9"), end("10"));
        answer(new ObjectEvent.Unreadable<>(A, "ua", "5", false, new UnreadableObjectException("planned", null)), end("10"));
        assertThat(asked()).isEqualTo("none");
        assertThat(asked()).isEqualTo("none");
        assertThat(asked()).as("the witness itself was not there").contains("does not exist");
    }

    @Test
    void anObjectThatWasDeletedAfterTheWitnessIsRequestedToo() {
        answer(item(B, "9"), end("10"));
        answer(item(D, "3"), end("9"));
        answer(item(D, "3"), end("10"));
        assertThat(asked(proof("10", deleted(D, "10")))).isEqualTo("d was deleted at 10, and exists in the server's state at 10");
        assertThat(source.asked).containsExactly("b@10", "d@9", "d@10");
    }

    @Test
    void aDeletionThatTheServerKnowsShowsNothing() {
        answer(item(B, "9"), end("10"));
        answer(item(D, "3"), end("9"));
        answer(end("10"));
        answer(item(B, "9"), end("10"));
        answer(new ObjectEvent.Unreadable<>(D, null, null, false, new UnreadableObjectException("planned", null)), end("9"));
        answer(item(D, "11"), end("11"));
        answer(item(B, "9"), end("10"));
        answer(end("11"));
        answer(item(A, "5"), end("10"));
        assertThat(asked(proof("10", deleted(D, "10")))).isEqualTo("none");
        assertThat(asked(proof("10", deleted(D, "10")))).as("created again since, and not answered exactly").isEqualTo("none");
        assertThat(asked(proof("10", deleted(D, "10")))).as("not answered exactly; another object").isEqualTo("none");
        assertThat(source.asked).hasSize(9);
    }

    /** Such as where all changes since the restored state are deletions: none of what is cached differs then. */
    @Test
    void anObjectThatDidNotExistBeforeItsDeletionShowsAnotherHistory() {
        List<Flux<ObjectEvent<String>>> answers = List.of(
                Flux.just(end("9")),
                Flux.just(new ObjectEvent.Applied<>(D, new Versioned<>("another uid", "3", "d3")), end("9")),
                Flux.just(new ObjectEvent.Unreadable<>(D, "another uid", null, false, new UnreadableObjectException("planned", null)),
                        end("9")),
                Flux.just(item(A, "5"), end("9")));
        for (Flux<ObjectEvent<String>> before : answers) {
            answer(item(B, "9"), end("10"));
            source.answers.add(before);
            assertThat(asked(proof("10", deleted(D, "10")))).isEqualTo("d was deleted at 10, and did not exist in that state at 9");
        }
        assertThat(source.asked).hasSize(8).containsOnly("b@10", "d@9");
    }

    @Test
    void anObjectInAnotherStateBeforeItsDeletionShowsAnotherHistory() {
        EventTranslator<String> position = new EventTranslator<>(ALL, store, "10");
        position.live(new ObjectEvent.Applied<>(A, state(A, "11"), true));
        position.live(new ObjectEvent.Bookmark<>("12", false));
        position.live(new ObjectEvent.Deleted<>(A, state(A, "13")));
        answer(item(A, "5"), end("12"));
        assertThat(asked(proof(position, true))).isEqualTo("a was deleted at 13, and did not exist in that state at 12");
        answer(item(A, "11"), end("12"));
        answer(end("13"));
        assertThat(asked(proof(position, true))).isEqualTo("none");
        assertThat(source.asked).as("the cache is behind").containsExactly("a@12", "a@12", "a@13");
    }

    /** Only the newest object and the absence of the deleted one are left to ask for. */
    @Test
    void aServerMayForgetWhatWasBeforeADeletion() {
        answer(item(B, "9"), end("10"));
        source.answers.add(Flux.error(StatusException.of(Status.of(410, "Expired", "planned"), "list things")));
        answer(end("10"));
        assertThat(asked(proof("10", deleted(D, "10")))).isEqualTo("none");
        assertThat(source.asked).containsExactly("b@10", "d@9", "d@10");
    }

    @Test
    void aWitnessThatContradictsIsEnough() {
        answer(end("10"));
        assertThat(asked(proof("10", deleted(A, "10")))).startsWith("b was at 9");
        assertThat(source.asked).containsExactly("b@10");
    }

    /** An object need not be readable to exist. */
    @Test
    void aDeletedObjectThatExistsUnreadablyShowsAnotherHistory() {
        answer(item(B, "9"), end("10"));
        answer(item(C, "7"), end("9"));
        answer(new ObjectEvent.Unreadable<>(C, null, null, false, new UnreadableObjectException("planned", null)), end("10"));
        answer(item(B, "9"), end("10"));
        answer(item(C, "7"), end("9"));
        answer(new ObjectEvent.Unreadable<>(A, null, null, false, new UnreadableObjectException("planned", null)), end("10"));
        assertThat(asked(proof("10", deleted(C, "10")))).isEqualTo("c was deleted at 10, and exists in the server's state at 10");
        assertThat(asked(proof("10", deleted(C, "10")))).as("another object").isEqualTo("none");
    }

    @Test
    void anUnreadableObjectWhereNoneExistedShowsAnotherHistory() {
        empty("20");
        answer(new ObjectEvent.Unreadable<>(A, "ua", "20", false, new UnreadableObjectException("planned", null)), end("22"));
        answer(new ObjectEvent.Unreadable<>(A, "ua", "21", false, new UnreadableObjectException("planned", null)), end("22"));
        answer(new ObjectEvent.Unreadable<>(A, "ua", null, false, new UnreadableObjectException("planned", null)), end("22"));
        assertThat(asked(proof("20", null))).isEqualTo("a exists since 20 without having been received before 20");
        assertThat(asked(proof("20", null))).as("came later").isEqualTo("none");
        assertThat(asked(proof("20", null))).as("of an unknown version").isEqualTo("none");
    }

    /** One request a break, where one says all. */
    @Test
    void aDeletionBeforeTheWitnessIsNotAskedFor() {
        answer(item(B, "9"), end("10"));
        assertThat(asked(proof("10", deleted(A, "8")))).isEqualTo("none");
        assertThat(source.asked).containsExactly("b@10");
    }

    @Test
    void whoHoldsNothingAsksForAnything() {
        empty("20");
        answer(end("20"));
        answer(item(A, "21"), end("22"));
        answer(item(A, "20"), end("22"));
        assertThat(asked(proof("20", null))).isEqualTo("none");
        assertThat(asked(proof("20", null))).as("came later").isEqualTo("none");
        assertThat(asked(proof("20", null))).isEqualTo("a exists since 20 without having been received before 20");
        assertThat(source.asked).containsOnly("any@20");
    }

    @Test
    void whoHoldsNothingAsksForWhatWasDeleted() {
        empty("20");
        answer(item(A, "5"), end("18"));
        answer(item(A, "5"), end("20"));
        assertThat(asked(proof("20", deleted(A, "19")))).isEqualTo("a was deleted at 19, and exists in the server's state at 20");
        assertThat(source.asked).containsExactly("a@18", "a@20");
    }

    /** What is on its way to the cache is not in it yet. */
    @Test
    void aCacheThatIsBehindIsNoWitness() {
        HistoryCheck<String> proof = proof("12", null);
        assertThat(asked(proof)).isEqualTo("none");
        assertThat(source.asked).isEmpty();
        assertThat(proof.isUnproven()).isTrue();
    }

    /** What was received last proves little: in another history it may have changed at the same version. All of it is compared later. */
    @Test
    void whileACacheIsBehindTheProofIsForNow() {
        EventTranslator<String> position = new EventTranslator<>(ALL, store, "10");
        position.live(new ObjectEvent.Applied<>(B, state(B, "12"), true));
        answer(item(B, "12"), end("12"));
        HistoryCheck<String> behind = proof(position, true);
        assertThat(asked(behind)).isEqualTo("none");
        assertThat(behind.isUnproven()).isTrue();
        store.apply(new Delta.Upserted<>(ALL, B, state(B, "12"), "12"));
        answer(item(B, "12"), end("12"));
        HistoryCheck<String> caughtUp = proof(position, true);
        assertThat(asked(caughtUp)).isEqualTo("none");
        assertThat(caughtUp.isUnproven()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 404, 422})
    void aServerThatMayNotOrCannotAnswerShowsNothing(int code) {
        source.answers.add(Flux.error(StatusException.of(Status.of(code, "", "planned"), "list things")));
        assertThat(asked()).isEqualTo("none");
    }

    /** As while rights are restored with everything else. */
    @ParameterizedTest
    @ValueSource(ints = {403, 404})
    void beforeTheLastTryARefusalThatMayPassIsAFailure(int code) {
        source.answers.add(Flux.error(StatusException.of(Status.of(code, "", "planned"), "list things")));
        assertThat(asked(proof("10", null, false))).endsWith("Exception");
    }

    @Test
    void anyOtherFailureIsTheFailureOfTheRequest() {
        source.answers.add(Flux.error(StatusException.of(Status.of(503, "", "planned"), "list things")));
        assertThat(asked()).isEqualTo(UnavailableException.class.getSimpleName());
    }

    @Test
    void silenceIsAFailure() {
        var failures = new ArrayList<Throwable>();
        proof("10", null).contradiction().subscribe(contradiction -> {}, failures::add);
        time.advanceTimeBy(Duration.ofSeconds(14));
        assertThat(failures).isEmpty();
        time.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(failures).singleElement().isInstanceOf(IdleTimeout.SilentException.class);
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // they are only read
    private String askedOfAll(ObjectEvent<String>... events) {
        source.firstAnswers.add(Flux.just(events));
        return asked();
    }

    private static ObjectEvent<String> unreadable(ObjectKey key, String version) {
        return new ObjectEvent.Unreadable<>(key, "u" + key.name(), version, false, new UnreadableObjectException("planned", null));
    }

    private void becomesUnreadable(ObjectKey key, String version) {
        store.apply(new Delta.Unreadable<>(ALL, key, version, new UnreadableObjectException("planned", null), false, version));
    }

    @Test
    void aSmallCacheIsComparedAsAWhole() {
        assertThat(askedOfAll(item(A, "5"), item(B, "9"), item(C, "7"), end("10"))).isEqualTo("none");
        assertThat(source.asked).as("one request").containsExactly("first 100@10");
    }

    /** Of a deletion that was not received, such as before a list, no witness knows. */
    @Test
    void anObjectThatIsNotCachedShowsAnotherHistory() {
        assertThat(askedOfAll(item(A, "5"), item(B, "9"), item(C, "7"), item(D, "3"), end("10")))
                .isEqualTo("d is not cached, and exists in the server's state at 10");
        assertThat(askedOfAll(item(A, "5"), item(B, "9"), item(C, "7"), unreadable(D, "3"), end("10"))).startsWith("d is not cached");
    }

    @Test
    void anObjectThatDoesNotExistShowsAnotherHistory() {
        assertThat(askedOfAll(item(B, "9"), item(C, "7"), end("10")))
                .isEqualTo("a is cached, and does not exist in the server's state at 10");
    }

    @Test
    void anyObjectInAnotherStateShowsAnotherHistory() {
        assertThat(askedOfAll(item(A, "4"), item(B, "9"), item(C, "7"), end("10")))
                .isEqualTo("a was at 5, and is another state, of 4 in the server's state at 10");
        assertThat(askedOfAll(unreadable(A, "4"), item(B, "9"), item(C, "7"), end("10"))).startsWith("a was at 5");
        assertThat(askedOfAll(new ObjectEvent.Applied<>(A, new Versioned<>("ua", "5", "other content")), item(B, "9"), item(C, "7"),
                end("10")))
                .startsWith("a was at 5");
        assertThat(askedOfAll(unreadable(A, "5"), item(B, "9"), item(C, "7"), end("10"))).as("the same, unread").isEqualTo("none");
    }

    @Test
    void moreObjectsThanAreCachedShowAnotherHistory() {
        assertThat(askedOfAll(item(A, "5"), item(B, "9"), item(C, "7"), new ObjectEvent.PageEnd<>("10", "next")))
                .isEqualTo("there are more objects than are cached in the server's state at 10");
    }

    @Test
    void anUnreadableObjectIsComparedByItsVersion() {
        becomesUnreadable(A, "11");
        becomesUnreadable(D, "12");
        assertThat(askedOfAllAt12(item(A, "11"), item(B, "9"), item(C, "7"), unreadable(D, "12"))).isEqualTo("none");
        assertThat(askedOfAllAt12(item(A, "5"), item(B, "9"), item(C, "7"), unreadable(D, "12"))).startsWith("a was at 11");
        assertThat(askedOfAllAt12(item(A, "11"), item(B, "9"), item(C, "7"), item(D, "8"))).startsWith("d was at 12");
        assertThat(askedOfAllAt12(item(A, "11"), item(B, "9"), item(C, "7"))).startsWith("d is cached, and does not exist");
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // they are only read
    private String askedOfAllAt12(ObjectEvent<String>... events) {
        source.firstAnswers.add(Flux.just(events).concatWithValues(end("12")));
        return asked(proof("12", null));
    }

    /** Where the whole cache is not compared. */
    @Test
    void anUnreadableObjectIsAWitnessToo() {
        becomesUnreadable(A, "12");
        answer(item(A, "12"), end("12"));
        answer(unreadable(A, "12"), end("12"));
        answer(item(A, "5"), end("12"));
        assertThat(asked(proof("12", null))).isEqualTo("none");
        assertThat(asked(proof("12", null))).isEqualTo("none");
        assertThat(asked(proof("12", null))).isEqualTo("a was at 12, and is another state, of 5 in the server's state at 12");
        assertThat(source.asked).containsOnly("a@12");
    }

    @Test
    void anAnswerThatIsNotExactOrNotWholeShowsNothing() {
        assertThat(askedOfAll(item(A, "4"), end("11"))).as("the state of another version").isEqualTo("none");
        assertThat(askedOfAll(item(A, "4"), item(B, "12"), end("10"))).as("a newer object").isEqualTo("none");
        assertThat(askedOfAll(item(A, "4"), item(D, "1"))).as("the end is missing").isEqualTo("none");
        assertThat(source.asked).containsOnly("first 100@10");
    }

    /** What the cache has from after our version may be anything at our version. */
    @Test
    void whatIsCachedFromAfterOurVersionIsNotCompared() {
        source.firstAnswers.add(Flux.just(item(A, "5"), item(B, "2"), item(C, "7"), end("8")));
        assertThat(asked(proof("8", null))).isEqualTo("none");
        source.firstAnswers.add(Flux.just(item(A, "5"), item(C, "7"), end("8")));
        assertThat(asked(proof("8", null))).isEqualTo("none");
    }

    @Test
    void aLargerCacheAsksForItsWitness() {
        store.apply(new Delta.Replaced<>(
                ALL, IntStream.range(0, HistoryCheck.FEW).mapToObj(i -> row(ObjectKey.clusterScoped("e" + i), "3")).toList(),
                "10", false));
        source.firstAnswers.add(Flux.just(end("10")));
        answer(item(B, "9"), end("10"));
        assertThat(asked()).isEqualTo("none");
        assertThat(source.asked).containsExactly("b@10");
    }

    /** Without a second request. */
    @Test
    void aServerThatRefusesToShowAllShowsNothing() {
        source.firstAnswers.add(Flux.error(StatusException.of(Status.of(400, "", "planned"), "list things")));
        assertThat(asked()).isEqualTo("none");
        assertThat(source.asked).containsExactly("first 100@10");
    }

    /** Then only an object that has not changed since proves anything. */
    @Test
    void beforeAListAServerMayHaveForgottenOurVersion() {
        source.firstAnswers.add(Flux.error(StatusException.of(Status.of(410, "Expired", "planned"), "list things")));
        answer(item(B, "9"), end("30"));
        var proof = new HistoryCheck<>(source, ReflectorOptions.defaults().withTimer(time).withGroup(group), running("10"), true, true);
        assertThat(asked(proof)).isEqualTo("none");
        assertThat(proof.isUnproven()).isFalse();
        assertThat(source.asked).containsExactly("first 100@10", "b since 10");
    }

    /** The cache was saved by another process. */
    private HistoryCheck<String> atStart() {
        return proof(new EventTranslator<>(ALL, store, "10"), true);
    }

    private void fillWith(int more) {
        store.apply(new Delta.Replaced<>(
                ALL, IntStream.range(0, more).mapToObj(i -> row(ObjectKey.clusterScoped("e" + i), "3")).toList(), "10", false));
    }

    @Test
    void atTheStartACacheOfOnePageIsComparedAsAWhole() {
        fillWith(497);
        source.firstAnswers.add(Flux.just(item(A, "5"), end("10")));
        var proof = atStart();
        assertThat(asked(proof)).isEqualTo("b is cached, and does not exist in the server's state at 10");
        assertThat(source.asked).containsExactly("first 500@10");
    }

    /** And then by what the server repeats: the watch starts at the object before it. */
    @Test
    void atTheStartALargerCacheIsProvenByItsNewestObject() {
        fillWith(498);
        answer(item(B, "9"), end("10"));
        var proof = atStart();
        assertThat(asked(proof)).isEqualTo("none");
        assertThat(proof.isUnproven()).isFalse();
        assertThat(proof.repeatFrom()).isEqualTo("7");
        assertThat(source.asked).containsExactly("b@10");
    }

    /** There is nothing before it that a restored server would not remember. */
    @Test
    void atTheStartASingleObjectOfManyIsNoProof() {
        Store<String> one = Store.create();
        one.apply(list("10", row(B, "9")));
        answer(item(B, "9"), end("10"));
        var proof = proof(new EventTranslator<>(ALL, one, "10"), true);
        assertThat(asked(proof)).isEqualTo("none");
        assertThat(proof.isUnproven()).isTrue();
    }

    @Test
    void atTheStartTheNewestObjectMustHaveItsContent() {
        answer(new ObjectEvent.Applied<>(B, new Versioned<>("ub", "9", "other content")), end("10"));
        assertThat(asked(atStart())).startsWith("b was at 9, and is another state");
    }

    /** The server's refusal is no reason to believe what another process has saved, nor is an answer that is not exact. */
    @Test
    void atTheStartARefusalIsNoProof() {
        source.firstAnswers.add(Flux.error(StatusException.of(Status.of(400, "", "planned"), "list things")));
        assertIsLackingAtStart();
        source.firstAnswers.add(Flux.just(item(A, "5"), item(B, "9"), item(C, "7"), end("11")));
        assertIsLackingAtStart();
        source.firstAnswers.add(Flux.just(item(A, "11"), item(B, "9"), item(C, "7"), end("10")));
        assertIsLackingAtStart();
        answer(item(B, "11"), end("10"));
        assertIsLackingAtStart();
        answer(item(A, "5"), end("11"));
        assertIsLackingAtStart();
        source.answers.add(Flux.error(StatusException.of(Status.of(422, "", "planned"), "list things")));
        assertIsLackingAtStart();
        source.answers.add(Flux.empty());
        var unsupported = atStart();
        assertThat(asked(unsupported)).isEqualTo("none");
        assertThat(unsupported.isUnproven()).as("a source that asks nothing").isFalse();
    }

    private void assertIsLackingAtStart() {
        var proof = atStart();
        assertThat(asked(proof)).isEqualTo("none");
        assertThat(proof.isUnproven()).isTrue();
    }

    /** In a running reflector, a definition that was changed ends the watch, and all is decoded anew. */
    @Test
    void atTheStartCustomObjectsMustHaveTheirContentToo() {
        source.redefinable = true;
        ObjectEvent<String> other = new ObjectEvent.Applied<>(A, new Versioned<>("ua", "5", "other content"));
        assertThat(askedOfAll(other, item(B, "9"), item(C, "7"), end("10"))).isEqualTo("none");
        source.firstAnswers.add(Flux.just(other, item(B, "9"), item(C, "7"), end("10")));
        assertThat(asked(atStart())).startsWith("a was at 5, and is another state");
    }

    @Test
    void atTheStartAnEmptyCacheWithoutAnyObjectOnTheServerIsProven() {
        Store<String> none = Store.create();
        none.apply(list("10"));
        answer(end("10"));
        answer(item(A, "4"), end("10"));
        var proof = proof(new EventTranslator<>(ALL, none, "10"), true);
        assertThat(asked(proof)).isEqualTo("none");
        assertThat(proof.isUnproven()).isFalse();
        assertThat(asked(proof(new EventTranslator<>(ALL, none, "10"), true))).startsWith("a exists since 4");
        assertThat(source.asked).containsExactly("any@10", "any@10");
    }
}
