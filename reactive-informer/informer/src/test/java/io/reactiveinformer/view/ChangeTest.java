package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ChangeTest {

    private final Versioned<String> one = new Versioned<>("u", "1", "one");
    private final Versioned<String> two = new Versioned<>("u", "2", "two");
    private final Change<String, String> added = new Change.Added<>("a", one, true);
    private final Change<String, String> updated = new Change.Updated<>("a", one, two);
    private final Change<String, String> deleted = new Change.Deleted<>("a", two, DeletionCause.INFERRED, "3");
    private final Change<String, String> synced = new Change.Synced<>("3", 1);

    private static String matched(Change<String, String> change) {
        return change.match(
                added -> "added " + added.object(), updated -> "updated " + updated.before() + " " + updated.after(),
                deleted -> "deleted " + deleted.last() + " " + deleted.cause(), synced -> "synced " + synced.count());
    }

    @Test
    void matchGivesTheResultForItsKind() {
        assertThat(List.of(matched(added), matched(updated), matched(deleted), matched(synced)))
                .containsExactly("added one", "updated one two", "deleted two INFERRED", "synced 1");
    }

    @Test
    void acceptCallsTheConsumerForItsKindAndNoOther() {
        List<String> called = new ArrayList<>();
        for (Change<String, String> change : List.of(added, updated, deleted, synced)) {
            change.accept(
                    it -> called.add("added " + it.object()), it -> called.add("updated " + it.after()),
                    it -> called.add("deleted " + it.last()), it -> called.add("synced " + it.count()));
        }
        assertThat(called).containsExactly("added one", "updated two", "deleted two", "synced 1");
    }

    /** In this order a pattern takes them apart. */
    @Test
    void theObjectsAreComponentsAndStandBeforeTheirEntries() {
        assertThat(components(Change.Added.class)).containsExactly("key", "object", "initial", "entry");
        assertThat(components(Change.Updated.class)).containsExactly("key", "before", "after", "entryBefore", "entryAfter");
        assertThat(components(Change.Deleted.class)).containsExactly("key", "last", "cause", "deletedAt", "entry");
        assertThat(components(Change.Synced.class)).containsExactly("resourceVersion", "count");
    }

    private static List<String> components(Class<? extends Record> type) {
        return Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName).toList();
    }

    @Test
    void whatIsMadeOfEntriesHasTheirObjects() {
        assertThat(added).isEqualTo(new Change.Added<>("a", "one", true, one));
        assertThat(updated).isEqualTo(new Change.Updated<>("a", "one", "two", one, two));
        assertThat(deleted).isEqualTo(new Change.Deleted<>("a", "two", DeletionCause.INFERRED, "3", two));
    }

    /** Also one that equals it: readers compare objects by identity. */
    @Test
    void anObjectThatIsNotTheOneOfItsEntryIsRefused() {
        String equal = String.valueOf(new char[] {'o', 'n', 'e'});
        assertThatThrownBy(() -> new Change.Added<>("a", equal, true, one))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("object must be the same instance as the object of its entry; key a");
        assertThatThrownBy(() -> new Change.Updated<>("a", equal, "two", one, two))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("before must be the same instance as the object of its entry; key a");
        assertThatThrownBy(() -> new Change.Updated<>("a", "one", equal, one, two))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("after must be the same instance as the object of its entry; key a");
        assertThatThrownBy(() -> new Change.Deleted<>("a", equal, DeletionCause.LEFT, null, one))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("last must be the same instance as the object of its entry; key a");
    }

    @Test
    void aTextHasEachObjectOnce() {
        assertThat(added).hasToString("Added[key=a, initial=true, entry=" + one + "]");
        assertThat(updated).hasToString("Updated[key=a, entryBefore=" + one + ", entryAfter=" + two + "]");
        assertThat(deleted).hasToString("Deleted[key=a, cause=INFERRED, deletedAt=3, entry=" + two + "]");
    }
}
