package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Commit.Difference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Several commits, conflated into one. Not thread-safe. */
final class CommitBatch<K, T> {

    private Commit<K, T> commit;
    private @Nullable Map<K, Difference<K, T>> conflated; // the differences of all commits, if there are several
    private int gone;

    CommitBatch(Commit<K, T> commit) {
        this.commit = commit;
    }

    /**
     * Conflates the next commit into this batch. Rows that changed back stay in it: a follower may have received another instance that
     * equals the present one.
     */
    void conflate(Commit<K, T> next) {
        Map<K, Difference<K, T>> all = byKey();
        int changes = all.size() + next.differences().size();
        conflateInto(all, next);
        gone += changes - all.size();
        commit = next.batch(commit.batch() || next.batch());
    }

    /** Whether the next commit ends an object that this batch begins. */
    boolean hasBrief(Commit<K, T> next) {
        return next.differences().stream().anyMatch(DifferenceToChange::isEnd)
                && DifferenceToChange.anyIsBrief(byKey(), next.differences());
    }

    /** The number of changes that later ones replaced. */
    int gone() {
        return gone;
    }

    Commit<K, T> all() {
        return conflated == null ? commit : new Commit<>(commit.snapshot(), List.copyOf(conflated.values()), commit.batch());
    }

    private Map<K, Difference<K, T>> byKey() {
        Map<K, Difference<K, T>> all = conflated;
        if (all == null) {
            all = new LinkedHashMap<>();
            conflateInto(all, commit);
            conflated = all;
        }
        return all;
    }

    private static <K, T> void conflateInto(Map<K, Difference<K, T>> conflated, Commit<K, T> commit) {
        for (Difference<K, T> difference : commit.differences()) {
            conflated.merge(difference.key(), difference, CommitBatch::both);
        }
    }

    /** Both differences, conflated; null for a row that was added and removed between them, as no follower knows it. */
    static <K, T> @Nullable Difference<K, T> both(Difference<K, T> one, Difference<K, T> next) {
        Difference<K, T> both = one.then(next);
        return both.before() == null && both.after() == null ? null : both;
    }
}
