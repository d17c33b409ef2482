package io.reactiveinformer.store;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TableTest {

    private final Table<String, String> table = Table.create();

    private static Versioned<String> state(int version) {
        return new Versioned<>("u", "" + version, "at " + version);
    }

    /** Laws 2 and 14: nothing is emitted, so the table must keep the instance that its subscribers received. */
    @Test
    void keepsTheInstanceOfARowThatOneCommitPutsBackAsItWas() {
        Versioned<String> first = state(1);
        table.put("a", first, DeletionCause.OBSERVED);
        table.commit(true);

        table.put("a", state(2), DeletionCause.OBSERVED);
        table.put("a", state(1), DeletionCause.OBSERVED);
        Commit<String, String> commit = table.commit(true);

        assertThat(commit.differences()).isEmpty();
        assertThat(commit.snapshot().find("a")).isSameAs(first);
    }

    /** Law 16. */
    @Test
    void twoStatesWhoseEqualsThrowsAreDifferent() {
        Table<String, Touchy> touchy = Table.create();
        var first = new Versioned<>("u", "1", new Touchy());
        var again = new Versioned<>("u", "1", new Touchy());
        touchy.put("a", first, DeletionCause.OBSERVED);
        touchy.commit(true);

        touchy.put("a", first, DeletionCause.OBSERVED);
        assertThat(touchy.commit(true).differences()).as("one is itself").isEmpty();
        touchy.put("a", again, DeletionCause.OBSERVED);
        assertThat(touchy.commit(true).differences()).hasSize(1);
        assertThat(touchy.find("a")).isSameAs(again);
    }

    private static final class Touchy {
        @Override
        public boolean equals(Object other) {
            throw new NullPointerException("a field");
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }
}
