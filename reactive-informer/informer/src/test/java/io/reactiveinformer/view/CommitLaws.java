package io.reactiveinformer.view;

import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Laws 12 and 14 for the commits of a view: each is one step to rows that never change again, has real differences only, and leaves
 * the very instances of all other rows.
 */
final class CommitLaws<K, T> implements CommitListener<K, T> {

    private final Rule<K, T> rule;
    private final IdentityHashMap<Snapshot<K, T>, Map<K, Versioned<T>>> seen = new IdentityHashMap<>();
    private Map<K, Versioned<T>> before = Map.of();
    private long revision;
    private @Nullable Throwable failure;
    private @Nullable AssertionError behind;

    /** What the rows have to be, by what they are derived from. */
    interface Rule<K, T> {
        void check(Map<K, Versioned<T>> before, Map<K, Versioned<T>> after, Commit<K, T> commit);
    }

    CommitLaws(Rule<K, T> rule) {
        this.rule = rule;
    }

    static <K, T> Map<K, Versioned<T>> rows(Snapshot<K, T> snapshot) {
        Map<K, Versioned<T>> rows = new HashMap<>();
        snapshot.forEach(rows::put);
        return rows;
    }

    @Override
    public void begin(Snapshot<K, T> rows) {
        before = rows(rows);
        revision = rows.revision();
        seen.put(rows, before);
    }

    @Override
    public void file(Commit<K, T> commit) {
        Map<K, Versioned<T>> after = rows(commit.snapshot());
        assertThat(after).hasSize(commit.snapshot().size());
        assertThat(commit.snapshot().revision()).as("revision")
                .isGreaterThanOrEqualTo(commit.differences().isEmpty() ? revision : revision + 1);
        Set<K> changed = new HashSet<>();
        for (Commit.Difference<K, T> difference : commit.differences()) {
            K key = difference.key();
            assertThat(changed.add(key)).as("one difference a row").isTrue();
            assertThat(before.get(key)).isSameAs(difference.before());
            assertThat(after.get(key)).isSameAs(difference.after());
            assertThat(Objects.equals(difference.before(), difference.after())).as("no difference: %s", difference).isFalse();
        }
        Set<K> keys = new HashSet<>(before.keySet());
        keys.addAll(after.keySet());
        keys.removeAll(changed);
        keys.forEach(key -> assertThat(after.get(key)).as("what has not changed").isSameAs(before.get(key)));
        follow(after, commit);
        before = after;
        revision = commit.snapshot().revision();
        seen.put(commit.snapshot(), after);
    }

    /** A source that had a row only briefly makes two commits in one run of the worker: the first of them may be behind the source. */
    private void follow(Map<K, Versioned<T>> after, Commit<K, T> commit) {
        try {
            rule.check(before, after, commit);
            behind = null;
        } catch (AssertionError different) {
            behind = different;
        }
    }

    @Override
    public void end(@Nullable Throwable cause) {
        failure = failure == null ? cause : failure;
    }

    /** To be called when no worker runs. */
    void check() {
        if (behind != null) {
            throw new AssertionError("a commit breaks a law: " + behind.getMessage(), behind);
        }
        if (failure != null) {
            throw new AssertionError("a commit breaks a law: " + failure.getMessage(), failure);
        }
    }

    /** @param now what readers see by now */
    void checkAtRest(Snapshot<K, T> now) {
        check();
        Map<K, Versioned<T>> rows = rows(now);
        assertThat(rows).as("what was emitted last").isEqualTo(before);
        rule.check(rows, rows, new Commit<>(now, List.of()));
        seen.forEach((snapshot, then) -> rows(snapshot)
                .forEach((key, row) -> assertThat(row).as("what was once seen").isSameAs(then.get(key))));
        seen.forEach((snapshot, then) -> assertThat(snapshot.size()).isEqualTo(then.size()));
    }
}
