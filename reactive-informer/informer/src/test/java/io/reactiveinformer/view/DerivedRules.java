package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rules for each commit of a derived view: it is computed from the present rows of its sources, and from nothing older, except where
 * the user's function throws.
 */
final class DerivedRules {

    private DerivedRules() {}

    static final class OnPurpose extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** What the function makes of {@code object}; null if it throws. */
    private static <T, R> @Nullable R call(Function<? super T, R> function, T object) {
        try {
            return function.apply(object);
        } catch (OnPurpose thrown) {
            return null;
        }
    }

    /** The rows on which {@code function} throws. */
    static <K, T> Set<K> failing(Snapshot<K, T> rows, Function<T, ?> function) {
        Set<K> failing = new HashSet<>();
        rows.forEach((key, row) -> {
            if (call(function, row.object()) == null) {
                failing.add(key);
            }
        });
        return failing;
    }

    /** For a view that is notified row by row, so that it is like its source at no other moment. */
    static <K, T> CommitLaws.Rule<K, T> atRest(CommitLaws.Rule<K, T> rule) {
        return (before, after, commit) -> {
            if (before == after) {
                rule.check(before, after, commit);
            }
        };
    }

    /** A filter, a map or a join: each row of {@code source} becomes one, or none. */
    static <K, T, R> CommitLaws.Rule<K, R> oneByOne(Supplier<Snapshot<K, T>> source, Function<T, Optional<R>> function) {
        return (before, after, commit) -> {
            Snapshot<K, T> rows = source.get();
            Set<K> keys = new HashSet<>(before.keySet());
            keys.addAll(after.keySet());
            rows.forEach((key, row) -> keys.add(key));
            keys.forEach(key -> check(rows.find(key), before.get(key), after.get(key), function));
            commit.differences().forEach(difference -> checkCause(rows.find(difference.key()), difference));
        };
    }

    private static <T, R> void check(
            @Nullable Versioned<T> row, @Nullable Versioned<R> before, @Nullable Versioned<R> after, Function<T, Optional<R>> function) {
        if (row == null) {
            assertThat(after).as("a row of nothing").isNull();
            return;
        }
        Versioned<R> kept = before == null || before.recreatedAs(row) ? null : before;
        Optional<R> wanted = call(function, row.object());
        if (wanted == null) {
            assertThat(after).as("the last good row").isSameAs(kept);
        } else if (wanted.isEmpty()) {
            assertThat(after).as("what does not match").isNull();
        } else {
            assertThat(after).isNotNull();
            assertThat(after.object()).isEqualTo(wanted.get());
            assertThat(after.uid()).isEqualTo(row.uid());
            if (kept != null && kept.object().equals(wanted.get())) {
                assertThat(after).as("what equals the one before").isSameAs(kept);
            }
        }
    }

    private static <K> void checkCause(@Nullable Versioned<?> row, Commit.Difference<K, ?> difference) {
        boolean isThere = row != null && difference.before() != null && !difference.before().recreatedAs(row);
        if (difference.after() == null) {
            assertThat(difference.cause() == DeletionCause.LEFT).as("still there, and does not match: %s", difference)
                    .isEqualTo(isThere || isLeft(difference));
        }
    }

    /** Of namespaces that do not cover it any more. */
    private static boolean isLeft(Commit.Difference<?, ?> difference) {
        return difference.cause() == DeletionCause.LEFT && difference.deletedAt() == null;
    }

    static <K, T, G> CommitLaws.Rule<G, Snapshot<K, T>> grouped(Supplier<Snapshot<K, T>> source, Function<T, Optional<G>> groupOf) {
        return (before, after, commit) -> {
            Map<K, Versioned<T>> known = new HashMap<>();
            Map<K, G> knownIn = new HashMap<>();
            before.forEach((group, rows) -> rows.object().forEach((key, row) -> {
                known.put(key, row);
                knownIn.put(key, group);
            }));
            Map<G, Map<K, Versioned<T>>> wanted = new HashMap<>();
            source.get().forEach((key, row) -> {
                Optional<G> group = call(groupOf, row.object());
                Versioned<T> last = known.get(key);
                if (group != null) {
                    group.ifPresent(name -> wanted.computeIfAbsent(name, absent -> new HashMap<>()).put(key, row));
                } else if (last != null && !last.recreatedAs(row)) {
                    wanted.computeIfAbsent(knownIn.get(key), absent -> new HashMap<>()).put(key, last);
                }
            });
            Map<G, Map<K, Versioned<T>>> shown = new HashMap<>();
            after.forEach((group, rows) -> shown.put(group, CommitLaws.rows(rows.object())));
            assertThat(shown).isEqualTo(wanted);
            commit.differences().forEach(difference -> {
                assertThat(difference.after() == null ? DeletionCause.LEFT : null).isEqualTo(difference.cause());
                if (difference.before() != null && difference.after() != null) {
                    assertThat(shown.get(difference.key())).as("a group like before")
                            .isNotEqualTo(CommitLaws.rows(difference.before().object()));
                }
            });
        };
    }
}
