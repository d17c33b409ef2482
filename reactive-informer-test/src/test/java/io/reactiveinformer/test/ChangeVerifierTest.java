package io.reactiveinformer.test;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.view.Change;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ChangeVerifierTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Versioned<String> one = new Versioned<>("u1", "1", "one");
    private final Versioned<String> two = new Versioned<>("u1", "2", "two");
    private final Versioned<String> other = new Versioned<>("u2", "3", "other");

    @Test
    void speaksTheWordsOfChanges() {
        ChangeVerifier.of(Flux.<Change<String, String>>just(
                        new Change.Added<>("a", one, true),
                        new Change.Synced<>("1", 1),
                        new Change.Updated<>("a", one, two),
                        new Change.Deleted<>("a", two, "3", DeletionCause.OBSERVED)))
                .expectInitial("a")
                .expectSynced(1)
                .expectUpdated("a", after -> after.equals("two"))
                .expectDeleted("a", DeletionCause.OBSERVED)
                .expectComplete()
                .verify(PATIENCE);
    }

    @Test
    void saysWhatItWantedAndWhatItGot() {
        var verifier = ChangeVerifier.of(Flux.<Change<String, String>>just(new Change.Added<>("a", one, true))).expectSynced().expectComplete();
        assertThatThrownBy(() -> verifier.verify(PATIENCE)).hasMessageContaining("expected: Synced; was: initial Added a");
    }

    @Test
    void catchesAWrongBefore() {
        var another = new Versioned<>("u1", "1", "else");
        breaks("what this subscriber received last", List.of(new Change.Added<>("a", one, true), new Change.Updated<>("a", another, two)));
    }

    @Test
    void catchesAnUpdateAcrossTwoUids() {
        breaks("from one uid to another", List.of(new Change.Added<>("a", one, true), new Change.Updated<>("a", one, other)));
    }

    @Test
    void catchesAVersionThatGoesBack() {
        breaks("do not go back", List.of(new Change.Added<>("a", two, true), new Change.Updated<>("a", two, one)));
    }

    @Test
    void catchesADeletionOfWhatWasNotThere() {
        breaks("was there", List.of(new Change.Deleted<>("a", one, "2", DeletionCause.OBSERVED)));
    }

    @Test
    void catchesSyncedTwiceAndAWrongCount() {
        breaks("comes once", List.of(new Change.Synced<>("1", 0), new Change.Synced<>("1", 0)));
        breaks("how many", List.of(new Change.Added<>("a", one, true), new Change.Synced<>("1", 2)));
    }

    @Test
    void catchesInitialEntriesAfterSynced() {
        breaks("after Synced", List.of(new Change.Synced<>("1", 0), new Change.Added<>("a", one, true)));
    }

    private static void breaks(String law, List<Change<String, String>> changes) {
        StepVerifier.create(Flux.fromIterable(changes).transform(ChangeLaws.check()))
                .expectNextCount(changes.size() - 1L)
                .expectErrorMatches(failure -> failure instanceof AssertionError && failure.getMessage().contains(law))
                .verify(PATIENCE);
    }
}
