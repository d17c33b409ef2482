package io.reactiveinformer.view;

import io.reactiveinformer.internal.derived.Join;
import io.reactiveinformer.store.Table;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;

import static org.assertj.core.api.Assertions.assertThat;

/** A join forgets what it knew of a row when the row goes. Planted once, and caught: a reverse map whose empty sets stay. */
class JoinMemoryTest {

    private static final int ROWS = 50;

    private final Rows left = Rows.complete();
    private final Rows right = Rows.complete();
    private final Derived<String, String> join = Derived.join(left.hub.feed(), right.hub.feed(),
            row -> List.of("r" + row.hashCode() % 97, "r" + row.hashCode() % 89), (row, referred) -> row + referred, () -> {});
    private final Table<String, String> table = Table.create();

    @Test
    void rowsAndReferencesGoWithTheObjects() {
        Disposable attached = Disposables.composite(join.attach());
        var random = new Random(7);
        for (int i = 1; i <= 20_000; i++) {
            String key = "r" + random.nextInt(ROWS);
            Rows side = random.nextBoolean() ? left : right;
            if (random.nextInt(3) == 0) {
                side.remove(key, i);
            } else {
                side.put(key, "u" + random.nextInt(3), i);
            }
            join.derivation().derive(table);
        }
        assertThat(table.snapshot().size()).isEqualTo(left.snapshot().size()).isPositive();
        assertThat(((Join<?, ?, ?, ?, ?>) join.derivation()).remembered()).as("two references a row, there and back, and who has them")
                .isLessThanOrEqualTo(7 * left.snapshot().size());

        for (int i = 0; i < ROWS; i++) {
            right.remove("r" + i, 30_000 + i);
            left.remove("r" + i, 40_000 + i);
        }
        join.derivation().derive(table);
        assertThat(table.snapshot().size()).isZero();
        assertThat(((Join<?, ?, ?, ?, ?>) join.derivation()).remembered()).isZero();
        attached.dispose();
    }
}
