package io.reactiveinformer.view;

import io.reactiveinformer.races.Received;
import io.reactiveinformer.resource.Versioned;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rows that changes lead to; a change that does not start from the row before it is wrong. */
final class Replayed extends Received<Change<String, String>> {

    private final Map<String, Versioned<String>> known = new HashMap<>();
    private boolean synced;

    @Override
    protected void receive(Change<String, String> change) {
        change.accept(
                added -> expect(null, known.put(added.key(), added.entry()), change),
                updated -> expect(updated.entryBefore(), known.put(updated.key(), updated.entryAfter()), change),
                deleted -> expect(deleted.entry(), known.remove(deleted.key()), change),
                done -> synced = true);
    }

    private void expect(@Nullable Object before, @Nullable Object was, Change<String, String> change) {
        if (!Objects.equals(before, was)) {
            isWrong("knew " + was + " before " + change);
        }
    }

    /** Whether it knows what is in the table. */
    boolean knows(Rows rows) {
        var all = new HashMap<String, Versioned<String>>();
        rows.snapshot().forEach(all::put);
        return knows(all);
    }

    boolean knows(Map<String, Versioned<String>> rows) {
        return synced && known.equals(rows);
    }

    String outcome(Rows rows) {
        return outcome(knows(rows), known);
    }
}
