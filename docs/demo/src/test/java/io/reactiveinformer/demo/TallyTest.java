package io.reactiveinformer.demo;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.view.Change;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TallyTest {

    private static final ObjectKey A = ObjectKey.of("ns", "a");
    private static final ObjectKey B = ObjectKey.of("ns", "b");

    private final Tally tally = new Tally();

    @Test
    void replaysWhatItReceives() {
        tally.add(new Change.Added<>(B, entry("2"), true));
        tally.add(new Change.Added<>(A, entry("1"), true));
        tally.add(new Change.Synced<>("5", 2));
        tally.add(new Change.Updated<>(A, entry("1"), entry("6")));
        tally.add(new Change.Deleted<>(B, entry("2"), DeletionCause.OBSERVED, "7"));

        assertThat(tally.objects()).containsOnlyKeys(A).containsValue(entry("6"));
        assertThat(tally.version()).isEqualTo("7");
        assertThat(tally.changes()).as("all but Synced").isEqualTo(4);
        assertThat(tally.synced()).isTrue();
    }

    @Test
    void hasNoVersionBeforeSomethingWasComplete() {
        tally.add(new Change.Added<>(A, entry("9"), true));

        assertThat(tally.version()).isNull();
        assertThat(tally.synced()).isFalse();
    }

    @Test
    void doesNotGoBackToTheVersionOfAnInferredDeletion() {
        tally.add(new Change.Added<>(A, entry("1"), true));
        tally.add(new Change.Synced<>("10", 1));
        tally.add(new Change.Deleted<>(A, entry("1"), DeletionCause.INFERRED, "1"));

        assertThat(tally.version()).isEqualTo("10");
    }

    private static Versioned<String> entry(String version) {
        return new Versioned<>("u", version, version);
    }
}
