package io.reactiveinformer.reflector;

import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Store;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Events of the time before the saved version, which a server repeats. 10 is the version of one of the newest objects, 20 the saved
 * version.
 */
class ReplayTest {

    private static final Namespaces ALL = Namespaces.all();
    private static final ObjectKey CACHED = ObjectKey.clusterScoped("cached");
    private static final ObjectKey AHEAD = ObjectKey.clusterScoped("ahead");
    private static final ObjectKey GONE = ObjectKey.clusterScoped("gone");

    private final Store<String> store = Store.create();
    private Replay<String> replay;

    @BeforeEach
    void fill() {
        store.apply(new Delta.Replaced<>(ALL,
                List.of(new Delta.Upserted<>(ALL, CACHED, state("10")), new Delta.Upserted<>(ALL, AHEAD, state("25"))), "20", false));
        replay = new Replay<>(store, "10", "20");
        assertThat(replay.from()).isEqualTo("10");
    }

    private static Versioned<String> state(String version) {
        return new Versioned<>("u", version, "text");
    }

    private static ObjectEvent<String> added(ObjectKey key, String version) {
        return new ObjectEvent.Applied<>(key, state(version));
    }

    private static ObjectEvent<String> deleted(ObjectKey key, String version) {
        return new ObjectEvent.Deleted<>(key, state(version));
    }

    private static ObjectEvent<String> unreadable(ObjectKey key, String version, boolean deleted) {
        return new ObjectEvent.Unreadable<>(key, "u", version, deleted, new UnreadableObjectException("planned", null));
    }

    @Test
    void objectsThatCameAndWentAreRepeatedOnly() {
        assertThat(replay.repeats(added(GONE, "11"))).isTrue();
        assertThat(replay.repeats(new ObjectEvent.Applied<>(GONE, state("12"), true))).isTrue();
        assertThat(replay.repeats(new ObjectEvent.Bookmark<>("13", false))).isTrue();
        assertThat(replay.repeats(deleted(GONE, "14"))).isTrue();
        assertThat(replay.repeats(unreadable(GONE, "15", false))).isTrue();
        assertThat(replay.repeats(unreadable(GONE, "20", true))).isTrue();
        assertThat(replay.repeats(added(GONE, "21"))).isFalse();
    }

    /** It would be cached in that state. */
    @Test
    void aChangeOfACachedObjectIsOfAnotherHistory() {
        for (ObjectEvent<String> event : List.of(new ObjectEvent.Applied<>(CACHED, state("11"), true), added(CACHED, "20"),
                deleted(CACHED, "15"), unreadable(CACHED, "15", false))) {
            assertThatThrownBy(() -> replay.repeats(event)).isInstanceOf(Outcome.Thrown.class)
                    .hasMessageStartingWith("cached changed at ").hasMessageEndingWith("and is cached in its state of 10");
        }
    }

    @Test
    void anObjectThatStaysIsOfAnotherHistory() {
        for (ObjectEvent<String> next : List.of(added(GONE, "21"), new ObjectEvent.Bookmark<String>("20", false),
                new ObjectEvent.Bookmark<String>("30", false))) {
            replay.from();
            replay.repeats(added(ObjectKey.clusterScoped("new"), "11"));
            assertThatThrownBy(() -> replay.repeats(next)).isInstanceOf(Outcome.Thrown.class)
                    .hasMessage("new is not cached, and exists in the server's state at 20");
        }
    }

    /** Servers may repeat more than they are asked for. */
    @Test
    void whatIsNotNewerThanTheNewestObjectShowsNothing() {
        assertThat(replay.repeats(added(CACHED, "10"))).isTrue();
        assertThat(replay.repeats(added(GONE, "9"))).isTrue();
        assertThat(replay.repeats(new ObjectEvent.Bookmark<>("20", false))).isFalse();
    }

    @Test
    void theNewestObjectIsRepeatedInItsState() {
        store.apply(new Delta.Upserted<>(ALL, CACHED, state("21")));
        assertThat(new Replay<>(store, "10", "21").repeats(new ObjectEvent.Applied<>(CACHED, state("21"), true))).isTrue();
        assertThat(new Replay<>(store, "10", "22").repeats(new ObjectEvent.Applied<>(CACHED, state("20"), true))).isTrue();
    }

    /** It was received before something older that waited in line: its earlier states are unknown. */
    @Test
    void anObjectThatIsCachedFromAfterTheSavedVersionShowsNothing() {
        assertThat(replay.repeats(added(AHEAD, "11"))).isTrue();
        assertThat(replay.repeats(new ObjectEvent.Bookmark<>("20", false))).isFalse();
    }

    @Test
    void startsOverWithEachWatch() {
        replay.repeats(added(GONE, "11"));
        replay.from();
        assertThat(replay.repeats(new ObjectEvent.Bookmark<>("20", false))).isFalse();
    }

    @Test
    void anEventOfAnUnknownObjectOrVersionIsNotRepeated() {
        assertThat(replay.repeats(new ObjectEvent.Unreadable<>(null, null, "15", false, new UnreadableObjectException("planned", null))))
                .isFalse();
        assertThat(replay.repeats(new ObjectEvent.Applied<>(GONE, new Versioned<>("u", null, "text")))).isFalse();
    }
}
