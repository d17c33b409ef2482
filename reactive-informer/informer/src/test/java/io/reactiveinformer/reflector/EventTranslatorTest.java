package io.reactiveinformer.reflector;

import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.reflector.Phase.Freshness;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Store;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a word of the server means at a position: news, an old word, a gap, or another history (law 15). */
class EventTranslatorTest {

    private static final Namespaces ALL = Namespaces.all();
    private static final ObjectKey A = ObjectKey.clusterScoped("a");
    private static final ObjectKey B = ObjectKey.clusterScoped("b");

    private final Store<String> store = Store.create();
    private EventTranslator<String> position = new EventTranslator<>(ALL, store, "10");

    /** The position is 10; a is cached at 5, b at 9. */
    @BeforeEach
    void fill() {
        var a = new Delta.Upserted<>(ALL, A, state("ua", "5", "a"));
        var b = new Delta.Upserted<>(ALL, B, state("ub", "9", "b"));
        store.apply(new Delta.Replaced<>(ALL, List.of(a, b), "10", false));
    }

    private static Versioned<String> state(@Nullable String uid, @Nullable String version, String object) {
        return new Versioned<>(uid, version, object);
    }

    private boolean isNewEpoch(Freshness freshness, String end, Versioned<String> listedOfA) {
        position.knownFor(freshness);
        position.listed(new ObjectEvent.Applied<>(A, listedOfA));
        return isNewEpoch(freshness, end);
    }

    private boolean isNewEpoch(Freshness freshness, String end) {
        return ((ReflectorEvent.ListingEnded<String>) position.listingEnded(end, freshness)).newEpoch();
    }

    private static ReflectorEvent<String> received(ObjectEvent<String> event) {
        return new ReflectorEvent.Received<>(ALL, event);
    }

    private static ObjectEvent<String> modified(ObjectKey key, @Nullable String version) {
        return new ObjectEvent.Applied<>(key, state("u", version, "new"), true);
    }

    private static ObjectEvent<String> deleted(ObjectKey key, String version) {
        return new ObjectEvent.Deleted<>(key, state("u", version, "last"));
    }

    private static ObjectEvent<String> unreadable(@Nullable ObjectKey key, String version, boolean deleted) {
        return new ObjectEvent.Unreadable<>(key, "u", version, deleted, new UnreadableObjectException("planned", null));
    }

    private static AbstractThrowableAssert<?, ?> doubt(ThrowingCallable word) {
        return assertThatThrownBy(word).isInstanceOf(Outcome.Thrown.class);
    }

    @Test
    void otherContentOfOneVersionIsAnotherHistory() {
        assertThat(isNewEpoch(Freshness.MOST_RECENT, "20", state("ua", "5", "other"))).isTrue();
        assertThat(position.reached()).isEqualTo("20");
    }

    @Test
    void anObjectThatWentBackIsAnotherHistory() {
        assertThat(isNewEpoch(Freshness.MOST_RECENT, "20", state("ua", "4", "a"))).isTrue();
    }

    @Test
    void aStreamingListShowsAnotherHistoryToo() {
        position.knownFor(Freshness.MOST_RECENT);
        position.listed(new ObjectEvent.Applied<>(A, state("ua", "5", "other")));
        assertThat(isNewEpoch(Freshness.MOST_RECENT, "20")).isTrue();
    }

    /** Nothing after the first proof takes it back. */
    @Test
    void oneObjectIsProofEnoughOfAnotherHistory() {
        position.knownFor(Freshness.MOST_RECENT);
        position.listed(new ObjectEvent.Applied<>(A, state("ua", "5", "other")));
        position.listed(new ObjectEvent.Applied<>(B, state("ub", "9", "b")));
        assertThat(isNewEpoch(Freshness.MOST_RECENT, "20")).isTrue();
    }

    @Test
    void theSameOrALaterStateIsTheSameHistory() {
        assertThat(isNewEpoch(Freshness.MOST_RECENT, "20", state("ua", "5", "a"))).isFalse();
        assertThat(isNewEpoch(Freshness.MOST_RECENT, "22", state("ua", "21", "other"))).isFalse();
    }

    @Test
    void aChangeThatWasNeverReceivedIsAnotherHistory() {
        assertThat(isNewEpoch(Freshness.MOST_RECENT, "20", state("ua", "5", "a"))).isFalse();
        assertThat(isNewEpoch(Freshness.MOST_RECENT, "22", state("ua", "20", "other"))).isTrue();
    }

    @Test
    void theListAfterAProofOfAnotherHistoryBeginsAnEpoch() {
        position.replaced();
        assertThat(isNewEpoch(Freshness.MOST_RECENT, "20", state("ua", "5", "a"))).isTrue();
        assertThat(position.foundOtherHistory()).as("it was known before").isFalse();
        assertThat(isNewEpoch(Freshness.MOST_RECENT, "21", state("ua", "5", "a"))).as("once").isFalse();
    }

    @Test
    void aListAfterAProofOfAnotherHistoryBeginsAnEpoch() {
        position.replaced();
        position.redefined();
        assertThat(isNewEpoch(Freshness.NOT_OLDER, "20", state("ua", "21", "a"))).isTrue();
    }

    /** A name that is used again says nothing of the history of the object before. */
    @Test
    void anotherUidProvesNoOtherHistory() {
        assertThat(isNewEpoch(Freshness.MOST_RECENT, "20", state("uz", "4", "other"))).isFalse();
    }

    @Test
    void anObjectThatIsNotCachedProvesNothing() {
        position.knownFor(Freshness.MOST_RECENT);
        position.listed(new ObjectEvent.Applied<>(ObjectKey.clusterScoped("c"), state("uc", "3", "c")));
        assertThat(isNewEpoch(Freshness.MOST_RECENT, "20")).isFalse();
    }

    /** The server answers from where we are: what it says of an object is later than what we know of it. */
    @ParameterizedTest
    @EnumSource(value = Freshness.class, names = "MOST_RECENT", mode = EnumSource.Mode.EXCLUDE)
    void onlyAMostRecentListShowsAnotherHistory(Freshness freshness) {
        assertThat(isNewEpoch(freshness, "20", state("ua", "5", "other"))).isFalse();
        assertThat(isNewEpoch(freshness, "21", state("ua", "4", "a"))).isFalse();
    }

    /** Before the first complete list there is no history that another one could differ from. */
    @Test
    void theFirstListOpensNoEpoch() {
        position = new EventTranslator<>(ALL, store, null);
        assertThat(position.knownFor(Freshness.MOST_RECENT)).isSameAs(store);
        position.listed(new ObjectEvent.Applied<>(A, state("ua", "5", "other")));
        assertThat(isNewEpoch(Freshness.MOST_RECENT, "3")).isFalse();
    }

    /** The listing that showed it was cut off; the next one decides by itself. */
    @Test
    void eachListingProvesItsOwnHistory() {
        position.knownFor(Freshness.MOST_RECENT);
        position.listed(new ObjectEvent.Applied<>(A, state("ua", "5", "other")));
        assertThat(isNewEpoch(Freshness.MOST_RECENT, "20", state("ua", "5", "a"))).isFalse();
    }

    @Test
    void aMostRecentStateFromBeforeOursIsAnotherHistory() {
        assertThat(isNewEpoch(Freshness.MOST_RECENT, "9")).isTrue();
        assertThat(position.reached()).as("the position may fall").isEqualTo("9");
    }

    @Test
    void theStateThatWasReachedIsTheSameHistory() {
        assertThat(isNewEpoch(Freshness.MOST_RECENT, "10")).isFalse();
    }

    @ParameterizedTest
    @EnumSource(value = Freshness.class, names = "MOST_RECENT", mode = EnumSource.Mode.EXCLUDE)
    void anOlderListThanAskedForIsDoubt(Freshness freshness) {
        doubt(() -> position.listingEnded("9", freshness)).hasMessageContaining("older than the 10");
        assertThat(position.reached()).isEqualTo("10");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0"})
    void aListWithoutAVersionIsDoubt(String version) {
        doubt(() -> position.listingEnded(version, Freshness.ANY));
    }

    /** An equal version must not spare the decoding of what may be of another history. */
    @Test
    void aListingThatComparesLeavesNothingAsItIsKnown() {
        assertThat(position.knownFor(Freshness.MOST_RECENT).find(A)).isNull();
        assertThat(position.knownFor(Freshness.NOT_OLDER)).isSameAs(store);
        assertThat(position.knownFor(Freshness.ANY)).isSameAs(store);
    }

    /** Of a custom type whose definition may have changed. */
    @Test
    void whatMayBeRedefinedIsReadAnewUntilAListIsComplete() {
        position.redefined();
        assertThat(position.knownFor(Freshness.NOT_OLDER).find(A)).isNull();
        Versioned<String> cached = store.find(A);
        var listed = (ReflectorEvent.Received<String>) position.listed(new ObjectEvent.Applied<>(A, state("ua", "5", "a"))).get(0);
        assertThat(listed.event().entry()).as("shown as it is cached").isSameAs(cached);
        assertThat(position.listed(new ObjectEvent.Applied<>(A, state("ua", "5", "defaulted")))).singleElement()
                .isEqualTo(received(new ObjectEvent.Applied<>(A, state("ua", "5", "defaulted"))));
        position.listingEnded("20", Freshness.NOT_OLDER);
        assertThat(position.knownFor(Freshness.NOT_OLDER)).isSameAs(store);
    }

    @Test
    void anEventAfterThePositionIsNewsAndMovesIt() {
        assertThat(position.live(modified(A, "11"))).containsExactly(received(modified(A, "11")));
        assertThat(position.live(new ObjectEvent.Applied<>(B, state("u", "12", "new")))).hasSize(1);
        assertThat(position.live(deleted(A, "13"))).containsExactly(received(deleted(A, "13")));
        ObjectEvent<String> unreadable = unreadable(B, "14", false);
        assertThat(position.live(unreadable)).containsExactly(received(unreadable));
        assertThat(position.reached()).isEqualTo("14");
    }

    @Test
    void aStateThatIsCachedIsNoNewsAndNoDoubt() {
        assertThat(position.live(modified(B, "9"))).isEmpty();
        assertThat(position.live(modified(B, "8"))).isEmpty();
        assertThat(position.reached()).isEqualTo("10");
    }

    /** Versions only grow on a watch: one that is late and not cached shows that something is missing. */
    @Test
    void aLateEventThatIsNotKnownIsDoubt() {
        doubt(() -> position.live(modified(A, "6"))).hasMessageContaining("came after 10");
        doubt(() -> position.live(modified(ObjectKey.clusterScoped("c"), "10")));
    }

    /** Some servers send a deletion in the last version of the object; that this version is cached does not mean that its end is known. */
    @Test
    void aLateEndInTheCachedVersionIsDoubt() {
        doubt(() -> position.live(deleted(B, "9")));
        doubt(() -> position.live(unreadable(B, "9", true)));
        assertThat(position.live(unreadable(B, "9", false))).isEmpty();
        assertThat(position.live(deleted(B, "8"))).isEmpty();
    }

    @Test
    void anEventWithoutKeyOrVersionIsDoubt() {
        doubt(() -> position.live(unreadable(null, "11", false)));
        doubt(() -> position.listed(unreadable(null, "11", false)));
        for (String none : new String[] {null, "", "0"}) {
            doubt(() -> position.live(modified(A, none)));
        }
    }

    @Test
    void aBookmarkMovesThePositionAndNeverBack() {
        assertThat(position.live(new ObjectEvent.Bookmark<>("10", false)))
                .containsExactly(received(new ObjectEvent.Bookmark<>("10", false)));
        assertThat(position.live(new ObjectEvent.Bookmark<>("12", false)))
                .containsExactly(received(new ObjectEvent.Bookmark<>("12", false)));
        assertThat(position.live(new ObjectEvent.Bookmark<>("", false))).isEmpty();
        assertThat(position.live(new ObjectEvent.Bookmark<>("0", false))).isEmpty();
        assertThat(position.reached()).isEqualTo("12");
        doubt(() -> position.live(new ObjectEvent.Bookmark<>("11", false)));
    }

    /** Initial events come in the order of keys, so that none of them says how far all is known. */
    @Test
    void initialEventsDoNotMoveThePosition() {
        assertThat(position.listed(new ObjectEvent.Applied<>(A, state("u", "90", "a"))))
                .containsExactly(received(new ObjectEvent.Applied<>(A, state("u", "90", "a"))));
        assertThat(position.listed(modified(A, "91"))).containsExactly(received(modified(A, "91")));
        assertThat(position.listed(deleted(A, "92"))).containsExactly(received(deleted(A, "92")));
        ObjectEvent<String> unreadable = unreadable(A, "93", false);
        assertThat(position.listed(unreadable)).containsExactly(received(unreadable));
        assertThat(position.listed(new ObjectEvent.Bookmark<>("94", false))).isEmpty();
        assertThat(position.reached()).isEqualTo("10");
    }

    @Test
    void anUnreadableItemOfAListCountsAsPresent() {
        var failure = new UnreadableObjectException("planned", null);
        assertThat(position.listed(new ObjectEvent.Unreadable<>(A, "ua", "6", false, failure)))
                .containsExactly(received(new ObjectEvent.Unreadable<>(A, "ua", "6", false, failure)));
        assertThat(position.listed(new ObjectEvent.PageEnd<>("20", null))).isEmpty();
    }

    @Test
    void aWatchGoesOnFromThePosition() {
        assertThat(position.watching()).isEqualTo(new ReflectorEvent.Watching<>(ALL, "10"));
        assertThat(position.live(new ObjectEvent.Opened<>())).containsExactly(new ReflectorEvent.Watching<>(ALL, "10"));
        assertThat(new EventTranslator<>(ALL, store, null).watching()).isEqualTo(new ReflectorEvent.Watching<>(ALL, "0"));
    }

    /** Its version is known, and shows whether the server still has that state. */
    @Test
    void anUnreadableObjectCanBeTheNewest() {
        position.live(modified(A, "13"));
        position.live(unreadable(B, "14", false));
        assertThat(position.newest()).isEqualTo(new EventTranslator.Witness<>(B, "u", "14", null));
        position.live(unreadable(B, "15", true));
        assertThat(position.newest()).isNull();
        position.listed(new ObjectEvent.Applied<>(A, new Versioned<>("u", "16", "a16")));
        position.listed(new ObjectEvent.Unreadable<>(B, "u", "17", false, new UnreadableObjectException("planned", null)));
        position.listingEnded("20", Freshness.NOT_OLDER);
        assertThat(position.newest()).isEqualTo(new EventTranslator.Witness<>(B, "u", "17", null));
    }

    /** It is what a proof asks for, until a list has shown all that is gone. */
    @Test
    void theLastDeletionIsRememberedUntilTheNextList() {
        assertThat(position.gone()).isNull();
        position.live(deleted(A, "11"));
        position.live(unreadable(B, "12", true));
        position.live(modified(A, "13"));
        position.live(unreadable(A, "14", false));
        assertThat(position.gone()).isEqualTo(new EventTranslator.Gone(B, "12", "11", "u", null));
        position.live(deleted(A, "15"));
        assertThat(position.gone()).as("its last state could not be read").isEqualTo(new EventTranslator.Gone(A, "15", "14", "u", "14"));
        position.live(modified(A, "16"));
        position.live(deleted(A, "17"));
        assertThat(position.gone()).isEqualTo(new EventTranslator.Gone(A, "17", "16", "u", "16"));
        position.listingEnded("20", Freshness.NOT_OLDER);
        assertThat(position.gone()).isNull();
    }

    /** Equal versions prove nothing then, however the list is asked for. */
    @Test
    void nothingIsKnownOfAnObjectOnceTheHistoryWasReplaced() {
        assertThat(position.knownFor(Freshness.NOT_OLDER).find(A)).isNotNull();
        position.replaced();
        assertThat(position.knownFor(Freshness.NOT_OLDER).find(A)).isNull();
        isNewEpoch(Freshness.NOT_OLDER, "20");
        assertThat(position.knownFor(Freshness.NOT_OLDER).find(A)).isNotNull();
    }
}
