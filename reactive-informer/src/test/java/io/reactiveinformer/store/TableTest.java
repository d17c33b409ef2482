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

    /** Laws 2 and 14: nobody is told, so everybody must go on knowing the instance that they were told of. */
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
}
