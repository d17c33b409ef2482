package io.reactiveinformer.store;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.Known.Stale;
import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit.Difference;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedWildcardType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class StoreTest {

    private static final Namespaces ALL = Namespaces.all();
    private static final ObjectKey A = ObjectKey.of("ns", "a");
    private static final ObjectKey B = ObjectKey.of("ns", "b");

    private final Store.Managed<String> store = Store.Managed.create(ALL);

    private static Versioned<String> state(String uid, @Nullable String version) {
        return new Versioned<>(uid, version, uid + "@" + version);
    }

    private static Delta<String> upserted(ObjectKey key, String uid, @Nullable String version) {
        return new Delta.Upserted<>(ALL, key, state(uid, version));
    }

    private static Delta<String> deleted(ObjectKey key, String uid, String version) {
        return new Delta.Deleted<>(ALL, key, state(uid, version), DeletionCause.OBSERVED);
    }

    private static Delta<String> vanished(ObjectKey key, String uid, String version) {
        return new Delta.Deleted<>(ALL, key, state(uid, version), DeletionCause.INFERRED);
    }

    private static Delta<String> unreadable(ObjectKey key, String version) {
        return new Delta.Unreadable<>(ALL, key, version, new UnreadableObjectException(key + ": not a number", null));
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // List.of copies them
    private static Delta<String> listed(String version, Delta<String>... differences) {
        return new Delta.Replaced<>(ALL, List.of(differences), version, false);
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // List.of copies them
    private static Delta<String> restored(String version, Delta<String>... differences) {
        return new Delta.Replaced<>(ALL, List.of(differences), version, true);
    }

    private static Difference<ObjectKey, String> added(ObjectKey key, String uid, String version) {
        return new Difference<>(key, null, state(uid, version), null, null);
    }

    /** Other threads read the store while it is edited in place. */
    @Test
    void isKnownAsItIsReadUntilTheCommit() {
        store.apply(upserted(A, "u", "1"));
        List<@Nullable Versioned<String>> known = new ArrayList<>();
        store.addIndex(Index.of("asks what is known", text -> known.add(store.find(A))));
        store.apply(upserted(A, "u", "2"));
        assertThat(known).containsExactly(state("u", "1"), state("u", "1"));
        assertThat(store.find(A)).isEqualTo(state("u", "2"));
    }

    /** Stream scenario 70, 8.4.84. */
    @Test
    void showsAListAtOnceAndKnowsItsVersion() {
        assertThat(store.snapshot().complete()).isFalse();
        assertThat(store.snapshot().resourceVersion()).isEmpty();

        var commit = store.apply(listed("10", upserted(A, "ua", "3"), upserted(B, "ub", "4")));

        assertThat(commit.differences()).containsExactlyInAnyOrder(added(A, "ua", "3"), added(B, "ub", "4"));
        assertThat(commit.snapshot()).isSameAs(store.snapshot());
        assertThat(store.snapshot().complete()).isTrue();
        assertThat(store.snapshot().resourceVersion()).contains("10");
        assertThat(store.reached(ALL)).isEqualTo("10");
        assertThat(store.snapshot().list()).containsExactlyInAnyOrder("ua@3", "ub@4");
    }

    @Test
    void appliesLiveEventsAndMovesItsVersionWithThem() {
        store.apply(listed("10", upserted(A, "ua", "3")));

        assertThat(store.apply(upserted(A, "ua", "12")).differences())
                .containsExactly(new Difference<>(A, state("ua", "3"), state("ua", "12"), null, null));
        assertThat(store.snapshot().resourceVersion()).contains("12");
        assertThat(store.apply(deleted(A, "ua", "15")).differences())
                .containsExactly(new Difference<>(A, state("ua", "12"), null, DeletionCause.OBSERVED, "15"));
        assertThat(store.snapshot().resourceVersion()).contains("15");
        assertThat(store.apply(new Delta.Progressed<>(ALL, "20")).differences()).isEmpty();
        assertThat(store.snapshot().resourceVersion()).contains("20");
    }

    @Test
    void neverChangesASnapshotAndCountsItsRevisionUp() {
        store.apply(listed("10", upserted(A, "ua", "3")));
        Snapshot<ObjectKey, String> before = store.snapshot();

        store.apply(upserted(B, "ub", "11"));
        store.apply(deleted(A, "ua", "12"));

        assertThat(before.list()).containsExactly("ua@3");
        assertThat(before.size()).isEqualTo(1);
        assertThat(before.resourceVersion()).contains("10");
        assertThat(store.snapshot().revision()).isGreaterThan(before.revision());
        assertThat(store.snapshot().list()).containsExactly("ub@11");
    }

    /** Stream scenario 41, law 15. */
    @Test
    void doesNotRaiseTheDeadWithALateEventOfWhateverUid() {
        store.apply(listed("10", upserted(A, "ua", "3")));
        store.apply(deleted(A, "ua", "15"));
        Snapshot<ObjectKey, String> before = store.snapshot();

        assertThat(store.apply(upserted(A, "ua", "14")).differences()).isEmpty();
        assertThat(store.apply(upserted(A, "another", "15")).differences()).isEmpty();
        assertThat(store.apply(upserted(B, "ub", "9")).differences()).isEmpty();
        assertThat(store.snapshot()).isSameAs(before);
    }

    @Test
    void comparesVersionsAsNumbersOfAnyLength() {
        store.apply(listed("9", upserted(A, "ua", "3")));
        store.apply(upserted(A, "ua", "10"));
        store.apply(upserted(A, "ua", "99999999999999999999999999"));
        assertThat(store.apply(upserted(A, "ua", "100000000000000000000000000")).differences()).hasSize(1);
        assertThat(store.apply(upserted(A, "ua", "99999999999999999999999999")).differences()).isEmpty();
    }

    @Test
    void dropsOnlyEqualVersionsWhereTheyAreNotNumbers() {
        store.apply(listed("x", upserted(A, "ua", "a")));
        assertThat(store.apply(upserted(A, "ua", "x")).differences()).as("the part has it already").isEmpty();
        assertThat(store.apply(upserted(A, "ua", "c")).differences()).hasSize(1);
        assertThat(store.apply(upserted(A, "ua", "b")).differences()).hasSize(1);
        assertThat(store.apply(upserted(A, "ua", "b")).differences()).isEmpty();
        assertThat(store.snapshot().resourceVersion()).contains("b");
    }

    @Test
    void takesEventsWithoutVersionForNews() {
        store.apply(listed("10"));
        assertThat(store.apply(upserted(A, "ua", null)).differences()).hasSize(1);
        assertThat(store.snapshot().resourceVersion()).contains("10");
    }

    @Test
    void tellsOfARecreationInOneDifference() {
        store.apply(listed("10", upserted(A, "u1", "3")));
        assertThat(store.apply(upserted(A, "u2", "12")).differences())
                .containsExactly(new Difference<>(A, state("u1", "3"), state("u2", "12"), DeletionCause.OBSERVED, null));
        assertThat(store.apply(listed("20", upserted(A, "u3", "18"))).differences())
                .containsExactly(new Difference<>(A, state("u2", "12"), state("u3", "18"), DeletionCause.INFERRED, null));
    }

    @Test
    void keepsInstancesThatARelistFindsUnchanged() {
        store.apply(listed("10", upserted(A, "ua", "3"), upserted(B, "ub", "4")));
        Versioned<String> cached = store.find(A);

        var commit = store.apply(listed("20", upserted(A, "ua", "3"), vanished(B, "ub", "4")));

        assertThat(commit.differences()).containsExactly(new Difference<>(B, state("ub", "4"), null, DeletionCause.INFERRED, null));
        assertThat(store.find(A)).isSameAs(cached);
        assertThat(store.reached(ALL)).isEqualTo("20");
    }

    /** So it goes when a restored server has come past us: version 15 of A is another one than the one that we remember. */
    @Test
    void believesANewerListEvenWhereItHoldsHigherVersions() {
        store.apply(listed("10", upserted(A, "ua", "3")));
        store.apply(upserted(A, "ua", "17"));
        store.apply(upserted(B, "ub2", "18"));

        var commit = store.apply(listed("20", upserted(A, "ua", "15"), vanished(B, "ub", "16")));

        assertThat(commit.differences()).containsExactly(
                new Difference<>(A, state("ua", "17"), state("ua", "15"), null, null),
                new Difference<>(B, state("ub2", "18"), null, DeletionCause.INFERRED, null));
        assertThat(store.reached(ALL)).isEqualTo("20");
    }

    @Test
    void dropsARelistThatIsOlderThanWhatItHas() {
        store.apply(listed("10", upserted(A, "ua", "3")));
        store.apply(upserted(B, "ub", "25"));
        assertThat(store.apply(listed("20", vanished(A, "ua", "3"))).differences()).isEmpty();
        assertThat(store.snapshot().size()).isEqualTo(2);
        assertThat(store.reached(ALL)).isEqualTo("25");
    }

    /** The part has no list yet that this one could be older than, but its objects have their versions. */
    @Test
    void keepsWhatIsNewerThanTheFirstList() {
        store.apply(upserted(A, "ua", "12"));
        store.apply(upserted(B, "ub", "13"));

        assertThat(store.apply(listed("12", upserted(A, "ua", "9"), vanished(B, "ub", "8"))).differences())
                .as("a list knows better what was at its own version")
                .containsExactly(new Difference<>(A, state("ua", "12"), state("ua", "9"), null, null));
        assertThat(store.find(B)).isEqualTo(state("ub", "13"));
    }

    /** Law 15: a row that was saved ahead of the rest is newer than its part, and than what the server sends again on its way there. */
    @Test
    void anObjectAheadOfItsPartDoesNotTravelBack() {
        store.restore(ALL, List.of(upserted(A, "ua", "150")), "30");

        assertThat(store.apply(upserted(A, "ua", "40")).differences()).isEmpty();
        assertThat(store.apply(upserted(A, "ua", "150")).differences()).isEmpty();
        assertThat(store.apply(deleted(A, "ua", "149")).differences()).isEmpty();
        assertThat(store.apply(unreadable(A, "149")).differences()).isEmpty();
        assertThat(store.stale()).isEmpty();
        assertThat(store.find(A)).isEqualTo(state("ua", "150"));
        assertThat(store.apply(deleted(A, "ua", "150")).differences()).as("the end of a cached state is news").hasSize(1);
    }

    @Test
    void restoresRowsThatReadersSeeBeforeItIsComplete() {
        Commit<ObjectKey, String> commit = store.restore(ALL, List.of(upserted(A, "ua", "3"), unreadable(B, "4")), "30");

        assertThat(commit.differences()).containsExactly(added(A, "ua", "3"));
        assertThat(commit.snapshot()).isSameAs(store.snapshot());
        assertThat(store.snapshot().complete()).isFalse();
        assertThat(store.stale()).containsOnlyKeys(B);
        assertThat(store.reached(ALL)).as("nothing is complete yet").isNull();
        assertThat(store.received(ALL)).isEqualTo("30");
        assertThatThrownBy(() -> store.restore(ALL, List.of(), "31")).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("received already, up to version 30");
        Store.Managed<String> other = Store.Managed.create(Namespaces.of("one"));
        assertThat(other.restore(Namespaces.of("two"), List.of(upserted(A, "ua", "3")), "30").differences())
                .as("of a part that has left").isEmpty();
        assertThat(other.snapshot().size()).isZero();
    }

    /** A list is asked for not older than this: what came live before the first list says nothing of the rest. */
    @Test
    void saysHowFarItHasReceivedOnlyOnceListed() {
        store.apply(upserted(A, "ua", "12"));
        assertThat(store.received(ALL)).isNull();
        store.apply(listed("20"));
        assertThat(store.received(ALL)).isEqualTo("20");
    }

    @Test
    void aReopenedPartKeepsItsRowsUntilItIsListedAgain() {
        assertThat(store.reopen(ALL).snapshot().complete()).as("nothing to reopen").isFalse();
        store.apply(listed("20", upserted(A, "ua", "3")));

        Commit<ObjectKey, String> commit = store.reopen(ALL);

        assertThat(commit.snapshot().complete()).isFalse();
        assertThat(commit.snapshot().list()).containsExactly("ua@3");
        assertThat(store.apply(upserted(A, "ua", "19")).differences()).as("what it has reached stays").isEmpty();
        assertThat(store.apply(listed("21", upserted(A, "ua", "3"))).snapshot().complete()).isTrue();
    }

    @Test
    void lettingKeysGoLeavesNothingOfThem() {
        store.apply(listed("10", upserted(A, "ua", "3"), upserted(B, "ub", "4"), unreadable(ObjectKey.of("ns", "c"), "5")));
        store.apply(unreadable(A, "12"));

        Commit<ObjectKey, String> commit = store.retain(B::equals);

        assertThat(commit.differences()).containsExactly(new Difference<>(A, state("ua", "3"), null, DeletionCause.LEFT, null));
        assertThat(store.snapshot().list()).containsExactly("ub@4");
        assertThat(store.stale()).isEmpty();
        assertThat(store.snapshot().complete()).isTrue();
        store.apply(unreadable(B, "14"));
        assertThat(store.retain(B::equals).differences()).isEmpty();
        assertThat(store.stale()).containsOnlyKeys(B);
    }

    @Test
    void partsThatLeaveTakeTheirStaleObjectsAlong() {
        Namespaces one = Namespaces.of("one");
        Namespaces two = Namespaces.of("two");
        Store.Managed<String> parted = Store.Managed.create(Namespaces.of(List.of("one", "two")));
        for (Namespaces part : List.of(one, two)) {
            ObjectKey key = ObjectKey.of(part.names().iterator().next(), "a");
            parted.apply(new Delta.Unreadable<>(part, key, "3", new UnreadableObjectException("planned", null)));
        }
        parted.resize(one);
        assertThat(parted.stale()).containsOnlyKeys(ObjectKey.of("one", "a"));
    }

    /** Nothing of it was ever cached, so nothing is of another history. */
    @Test
    void anUnknownObjectThatANewEpochCannotReadStaysUnknown() {
        store.apply(listed("1000"));
        store.apply(restored("50", unreadable(A, "45")));
        assertThat(store.find(A)).isNull();
        assertThat(store.stale()).containsOnlyKeys(A);
        store.apply(new Delta.Unreadable<>(ALL, A, "51", new UnreadableObjectException("planned", null), true, "51"));
        assertThat(store.stale()).as("it is gone").isEmpty();
    }

    @Test
    void progressThatIsNoneIsNoCommit() {
        store.apply(listed("10"));
        var snapshot = store.snapshot();
        assertThat(store.apply(new Delta.Progressed<>(ALL, "9")).snapshot()).isSameAs(snapshot);
        assertThat(store.snapshot()).isSameAs(snapshot);
    }

    @Test
    void letsANewEpochReplaceWhatOlderVersionsSaid() {
        store.apply(listed("1000", upserted(A, "ua", "40"), upserted(B, "ub", "41")));
        store.apply(upserted(B, "ub", "1001"));
        Versioned<String> cached = store.find(A);
        var rewritten = new Delta.Upserted<>(ALL, B, new Versioned<>("ub", "1001", "another content of the same version"));

        var commit = store.apply(restored("50", upserted(A, "ua", "40"), rewritten));

        assertThat(commit.differences()).extracting(Difference::key).containsExactly(B);
        assertThat(store.find(A)).as("really the same").isSameAs(cached);
        assertThat(store.snapshot().get(B)).contains("another content of the same version");
        assertThat(store.reached(ALL)).isEqualTo("50");
    }

    @Test
    void readsAnObjectOfANewEpochWhoseLastGoodStateIsOfTheOldOne() {
        store.apply(listed("1000", upserted(A, "ua", "900"), upserted(B, "ub", "900")));
        store.apply(restored("50", unreadable(A, "45"), unreadable(B, "45")));
        assertThat(store.apply(upserted(A, "ua", "51")).differences()).hasSize(1);
        assertThat(store.apply(listed("60", upserted(B, "ub", "52"))).differences()).hasSize(1);
        assertThat(store.stale()).isEmpty();
    }

    @Test
    void keepsTheLastGoodStateOfAnUnreadableObjectAndMarksItStale() {
        store.apply(listed("10", upserted(A, "ua", "3")));

        assertThat(store.apply(unreadable(A, "12")).differences()).isEmpty();
        assertThat(store.find(A)).isEqualTo(state("ua", "3"));
        assertThat(store.stale()).containsExactly(Map.entry(A, new Stale("12", A + ": not a number")));
        assertThat(store.reached(ALL)).as("the version moves past").isEqualTo("12");

        store.apply(upserted(A, "ua", "13"));
        assertThat(store.stale()).isEmpty();
    }

    @Test
    void forgetsThatAnObjectIsStaleWhenItIsGone() {
        store.apply(listed("10", unreadable(A, "3"), unreadable(B, "4")));
        assertThat(store.stale()).containsOnlyKeys(A, B);
        store.apply(deleted(A, "ua", "12"));
        assertThat(store.stale()).containsOnlyKeys(B);
        store.apply(listed("20"));
        assertThat(store.stale()).as("the list had nothing unreadable").isEmpty();
    }

    @Test
    void isCompleteWhenEachPartOfItsScopeIsListed() {
        Namespaces one = Namespaces.of("one");
        Namespaces two = Namespaces.of("two");
        Store.Managed<String> parted = Store.Managed.create(Namespaces.of(List.of("one", "two")));

        parted.apply(new Delta.Replaced<>(one, List.of(), "10", false));
        assertThat(parted.snapshot().complete()).isFalse();
        assertThat(parted.snapshot().resourceVersion(one)).contains("10");
        assertThat(parted.snapshot().resourceVersion(two)).isEmpty();
        parted.apply(new Delta.Replaced<>(two, List.of(), "7", false));
        assertThat(parted.snapshot().complete()).isTrue();
        assertThat(parted.snapshot().resourceVersion()).as("there is no single one").isEmpty();

        var late = new Delta.Upserted<>(two, ObjectKey.of("two", "a"), state("u", "9"));
        assertThat(parted.apply(late).differences()).as("each part has a version of its own").hasSize(1);
        assertThat(Store.create(Namespaces.of(List.of())).snapshot().complete()).isTrue();
    }

    @Test
    void tellsOfEverythingInPartsWhenFedByNamespaces() {
        Namespaces one = Namespaces.of("one");
        store.apply(new Delta.Replaced<>(one, List.of(), "10", false));
        assertThat(store.snapshot().complete()).isTrue();
        assertThat(store.snapshot().resourceVersion()).contains("10");
    }

    @Test
    void letsObjectsLeaveWithTheirPartOfTheScope() {
        Namespaces one = Namespaces.of("one");
        Namespaces two = Namespaces.of("two");
        Store.Managed<String> parted = Store.Managed.create(Namespaces.of(List.of("one", "two")));
        ObjectKey stays = ObjectKey.of("one", "a");
        ObjectKey leaves = ObjectKey.of("two", "a");
        parted.apply(new Delta.Replaced<>(one, List.of(new Delta.Upserted<>(one, stays, state("u1", "3"))), "10", false));
        parted.apply(new Delta.Replaced<>(two, List.of(new Delta.Upserted<>(two, leaves, state("u2", "4"))), "10", false));

        var commit = parted.resize(Namespaces.of(List.of("one", "three")));

        assertThat(commit.differences()).containsExactly(new Difference<>(leaves, state("u2", "4"), null, DeletionCause.LEFT, null));
        assertThat(commit.snapshot().complete()).as("three has yet to be listed").isFalse();
        assertThat(parted.reached(one)).isEqualTo("10");
        assertThat(parted.apply(new Delta.Upserted<>(two, leaves, state("u2", "11"))).differences()).as("a late event").isEmpty();
        assertThat(parted.resize(one).snapshot().complete()).isTrue();
    }

    @Test
    void indexesByAnyNumberOfValues() {
        Index<String, Character> letters = Index.ofMany("letters", text -> text.chars().mapToObj(c -> (char) c).toList());
        store.apply(listed("10", new Delta.Upserted<>(ALL, A, new Versioned<>("ua", "3", "xyx"))));
        Snapshot<ObjectKey, String> older = store.snapshot();

        store.addIndex(letters);
        assertThat(store.snapshot().by(letters, 'x')).as("filled with what is there").containsExactly("xyx");
        store.apply(new Delta.Upserted<>(ALL, A, new Versioned<>("ua", "12", "yz")));
        store.apply(new Delta.Upserted<>(ALL, B, new Versioned<>("ub", "13", "z")));

        assertThat(store.snapshot().by(letters, 'x')).isEmpty();
        assertThat(store.snapshot().by(letters, 'y')).containsExactly("yz");
        assertThat(store.snapshot().by(letters, 'z')).containsExactlyInAnyOrder("yz", "z");
        assertThatThrownBy(() -> older.by(letters, 'x')).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("index letters");
    }

    /** Stream scenario 72. */
    @Test
    void leavesAnObjectOutOfTheIndexThatThrowsOnItAndReportsIt() {
        Store<String> reporting = new TrieStore<>(ALL);
        Index<String, Integer> fragile = Index.of("fragile", text -> Integer.valueOf(text));
        Index<String, Integer> length = Index.of("length", String::length);
        reporting.addIndex(fragile);
        reporting.addIndex(length);

        reporting.apply(listed("10", new Delta.Upserted<>(ALL, A, new Versioned<>("ua", "3", "12"))));
        List<String> reported = logged(() -> {
            reporting.apply(new Delta.Upserted<>(ALL, A, new Versioned<>("ua", "13", "no")));
            reporting.apply(new Delta.Upserted<>(ALL, A, new Versioned<>("ua", "14", "no")));
        });

        assertThat(reporting.snapshot().get(A)).contains("no");
        assertThat(reporting.snapshot().by(length, 2)).containsExactly("no");
        assertThat(reporting.snapshot().by(fragile, 12)).isEmpty();
        assertThat(reported).containsExactly("index fragile throws for ns/a, which the index therefore does not find;"
                + " further failures of it are not logged: For input string: \"no\"");
    }

    @Test
    void holdsNothingOfAMillionIndexValuesThatCameAndWent() {
        Store<Integer> numbers = Store.create();
        Index<Integer, Integer> self = Index.of("self", number -> number);
        numbers.addIndex(self);
        for (int i = 1; i <= 1_000_000; i++) {
            numbers.apply(new Delta.Upserted<>(ALL, A, new Versioned<>("ua", "" + i, i)));
        }
        var snapshot = (TrieSnapshot<ObjectKey, Integer>) numbers.snapshot();
        assertThat(snapshot.indexes().get(0).buckets().byValue().size()).isEqualTo(1);
        assertThat(snapshot.by(self, 1_000_000)).containsExactly(1_000_000);
    }

    @Test
    void listsByNamespaceIndexAndPredicateTogether() {
        Index<String, Integer> length = Index.of("length", String::length);
        store.addIndex(length);
        store.apply(listed("10", upserted(A, "ua", "3"), upserted(B, "longer", "4"), upserted(ObjectKey.of("other", "a"), "ux", "5")));
        Lister<String> lister = store.lister();

        assertThat(lister.count()).isEqualTo(3);
        assertThat(lister.inNamespace("ns").list()).containsExactlyInAnyOrder("ua@3", "longer@4");
        assertThat(lister.inNamespace("ns").count()).isEqualTo(2);
        assertThat(lister.inNamespace("ns").by(length, 4).keys()).containsExactly(A);
        assertThat(lister.inNamespace("ns").by(length, 4).count()).isEqualTo(1);
        assertThat(lister.by(length, 4).list(text -> text.endsWith("5"))).containsExactly("ux@5");
        assertThat(lister.inNamespace("other").get(A)).isEmpty();
        assertThat(lister.inNamespace("ns").get(A)).contains("ua@3");
        assertThat(lister.get(ObjectKey.clusterScoped("a"))).isEmpty();
        assertThat(lister.inNamespace("none").list()).isEmpty();
    }

    @Test
    void readsLabelsOfEveryFormThatKeepsThem() {
        Map<String, String> labels = Map.of("app", "web");
        assertThat(PartialObjectMetadata.labels(new V1Pod().metadata(new V1ObjectMeta().labels(labels)))).isEqualTo(labels);
        assertThat(PartialObjectMetadata.labels(new V1Pod())).isEmpty();
        assertThat(PartialObjectMetadata.labels(new PartialObjectMetadata("v1", "x", new V1ObjectMeta().labels(labels)))).isEqualTo(labels);
        assertThat(PartialObjectMetadata.labels(new JsonMapper().readTree("{\"metadata\":{\"labels\":{\"app\":\"web\"}}}")))
                .isEqualTo(labels);
        assertThat(PartialObjectMetadata.labels(new JsonMapper().readTree("{\"metadata\":{\"labels\":null}}"))).isEmpty();
        record Own(V1ObjectMeta metadata) {}
        assertThat(PartialObjectMetadata.labels(new Own(new V1ObjectMeta().labels(labels)))).isEqualTo(labels);
    }

    @Test
    void saysWhyItCannotSelect() {
        store.apply(listed("10", upserted(A, "ua", "3")));
        assertThatThrownBy(() -> store.lister().list(Selector.labels("app=web")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.String has no metadata");
        assertThatThrownBy(() -> store.lister().list(Selector.fields("spec.nodeName=n")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("only the server can select by fields");
        assertThatThrownBy(() -> store.lister().list(Selector.shards(Selector.Shards.byUid(0, 2))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("when the informer is created");
        assertThat(store.lister().list(Selector.any())).containsExactly("ua@3");
    }

    @Test
    void tellsWhichKeysAScopeCovers() {
        store.apply(listed("10", upserted(A, "ua", "3"), upserted(ObjectKey.of("x", "y"), "ub", "4")));
        List<ObjectKey> keys = new ArrayList<>();
        store.forEachKey(Namespaces.of("ns"), keys::add);
        assertThat(keys).containsExactly(A);
        store.forEachKey(ALL, keys::add);
        assertThat(keys).hasSize(3);
    }

    /** Law 24: what a user's function throws in the midst of a step leaves nothing of it, neither now nor with the next commit. */
    @Test
    void aStepThatFailsLeavesNoTrace() {
        store.apply(listed("10", upserted(A, "ua", "3"), upserted(B, "ub", "4"), unreadable(B, "5")));
        Snapshot<ObjectKey, String> before = store.snapshot();
        var asked = new AtomicInteger();
        assertThatThrownBy(() -> store.retain(key -> {
            if (asked.getAndIncrement() == 2) {
                throw new IllegalStateException("planned");
            }
            return false;
        })).hasMessage("planned");
        assertThat(store.snapshot()).isSameAs(before);
        assertThat(store.stale()).containsOnlyKeys(B);
        ObjectKey c = ObjectKey.of("ns", "c");
        assertThat(store.apply(upserted(c, "uc", "11")).differences()).containsExactly(added(c, "uc", "11"));
        assertThat(store.snapshot().list()).containsExactlyInAnyOrder("ua@3", "ub@4", "uc@11");
        assertThat(store.lister().inNamespace("ns").list()).hasSize(3);
    }

    /** What indexes log while {@code action} runs. */
    private static List<String> logged(Runnable action) {
        Logger log = (Logger) LoggerFactory.getLogger(Index.class);
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        log.addAppender(lines);
        try {
            action.run();
        } finally {
            log.detachAppender(lines);
        }
        return lines.list.stream().map(line -> line.getFormattedMessage() + ": " + line.getThrowableProxy().getMessage()).toList();
    }

    /** Law 16: index values are objects of the user, too. */
    @Test
    void anObjectWhoseIndexValuesCannotBeComparedIsOutOfThatIndexOnly() {
        var failures = new AtomicInteger();
        record Value(String text, AtomicInteger failures) {
            @Override
            public boolean equals(@Nullable Object other) {
                if (failures.getAndDecrement() > 0) {
                    throw new IllegalStateException("planned");
                }
                return other instanceof Value value && value.text.equals(text);
            }

            @Override
            public int hashCode() {
                return 1;
            }
        }
        Store<String> store = new TrieStore<>(ALL);
        Index<String, Value> byValue = Index.of("value", text -> new Value(text, failures));
        store.addIndex(byValue);
        store.apply(upserted(A, "ua", "1"));
        store.apply(upserted(B, "ub", "2"));
        assertThat(store.snapshot().by(byValue, new Value("ub@2", failures))).containsExactly("ub@2");
        failures.set(1);
        assertThat(logged(() -> store.apply(upserted(B, "ub", "3")))).singleElement().asString().contains("ns/b").endsWith("planned");
        assertThat(store.snapshot().list()).containsExactlyInAnyOrder("ua@1", "ub@3");
        assertThat(store.snapshot().by(byValue, new Value("ub@2", failures))).isEmpty();
        assertThat(store.snapshot().by(byValue, new Value("ub@3", failures))).isEmpty();
        failures.set(Integer.MAX_VALUE);
        store.apply(upserted(B, "ub", "4"));
        assertThat(store.snapshot().list()).containsExactlyInAnyOrder("ua@1", "ub@4");
        failures.set(0);
        assertThat(store.snapshot().by(byValue, new Value("ua@1", failures))).containsExactly("ua@1");
    }

    /** Kotlin and NullAway refuse the null that the page allows, if the type does not say so. */
    @Test
    void anIndexFunctionMayReturnNullByItsTypeToo() throws NoSuchMethodException {
        var function = (AnnotatedParameterizedType) Index.class.getMethod("of", String.class, Function.class)
                .getAnnotatedParameterTypes()[1];
        var value = (AnnotatedWildcardType) function.getAnnotatedActualTypeArguments()[1];
        assertThat(value.getAnnotatedUpperBounds()[0].isAnnotationPresent(Nullable.class)).isTrue();
        Index<String, String> index = Index.of("long", text -> text.length() < 3 ? null : text);
        assertThat(index.valuesOf("ab")).isEmpty();
        assertThat(index.valuesOf("abc")).containsExactly("abc");
    }
}
