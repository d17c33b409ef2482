package io.reactiveinformer.test;

import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.view.Change;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * The laws of changes as an operator. It passes changes on, and fails with an {@link AssertionError} at the first change that breaks a law.
 * Usable in any pipeline: {@code pods.changes().transform(ChangeLaws.check())}.
 *
 * <ul>
 *   <li>an added row was absent before; an updated or deleted row was present
 *   <li>{@code before} and {@code last} are the state that this subscriber received last, the same instance
 *   <li>no update goes from one uid to another; its version may be lower than before, as after a restore of the server's store (a {@link
 *       ChangeVerifier} that knows its server allows that only if the store was restored)
 *   <li>{@code Synced} comes at most once, with the number of additions before it; no addition after it is initial
 * </ul>
 */
public final class ChangeLaws {

    private ChangeLaws() {}

    /**
     * The operator, for {@link Flux#transform}. Each subscription is checked on its own, from its first change. Demand passes through
     * unchanged.
     */
    public static <K, T> Function<Flux<Change<K, T>>, Flux<Change<K, T>>> check() {
        return check(() -> true);
    }

    /** @param mayGoBack whether versions may decrease now */
    static <K, T> Function<Flux<Change<K, T>>, Flux<Change<K, T>>> check(BooleanSupplier mayGoBack) {
        return changes -> Flux.defer(() -> {
            var knowledge = new Knowledge<K, T>(mayGoBack);
            return changes.doOnNext(knowledge::learn);
        });
    }

    private static final class Knowledge<K, T> {
        private final Map<K, Versioned<T>> rows = new HashMap<>();
        private final BooleanSupplier mayGoBack;
        private long additions;
        private boolean synced;

        Knowledge(BooleanSupplier mayGoBack) {
            this.mayGoBack = mayGoBack;
        }

        void learn(Change<K, T> change) {
            if (change instanceof Change.Added<K, T> added) {
                added(added);
            } else if (change instanceof Change.Updated<K, T> updated) {
                updated(updated);
            } else if (change instanceof Change.Deleted<K, T> deleted) {
                known(change, deleted.key(), deleted.entry());
                rows.remove(deleted.key());
            } else if (change instanceof Change.Synced<K, T> end) {
                law(!synced, change, "Synced comes once");
                law(end.count() == additions, change, "Synced has the number of additions before it, which is " + additions);
                synced = true;
            }
        }

        private void added(Change.Added<K, T> added) {
            law(!rows.containsKey(added.key()), added, "an added row was absent before");
            law(!(added.initial() && synced), added, "no initial entry comes after Synced");
            additions++;
            rows.put(added.key(), added.entry());
        }

        private void updated(Change.Updated<K, T> updated) {
            known(updated, updated.key(), updated.entryBefore());
            law(!updated.entryBefore().recreatedAs(updated.entryAfter()), updated, "an update never goes from one uid to another");
            law(
                    !ResourceVersion.isNewer(updated.entryBefore().resourceVersion(), updated.entryAfter().resourceVersion())
                            || mayGoBack.getAsBoolean(),
                    updated,
                    "versions do not decrease unless the server's store is restored");
            rows.put(updated.key(), updated.entryAfter());
        }

        private void known(Change<K, T> change, K key, Versioned<T> before) {
            @Nullable Versioned<T> last = rows.get(key);
            law(last != null, change, "an updated or deleted row was present");
            law(last == null || last.object() == before.object(), change, "the state before is the one that this subscriber received last");
        }

        private static void law(boolean kept, Change<?, ?> change, String law) {
            if (!kept) {
                throw new AssertionError(ChangeVerifier.describe(change) + " breaks a law: " + law);
            }
        }
    }
}
