package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** Receives commits. Called by one thread at a time; notes a commit and returns at once. */
interface CommitListener<K, T> {

    /** Called first, with the rows that all later commits start from. */
    void begin(Snapshot<K, T> rows);

    /** Notes the next commit. */
    void file(Commit<K, T> commit);

    /** Whether each commit must be filed by itself; if false, several may be conflated into one before. */
    default boolean needsEachCommit() {
        return true;
    }

    /** Whether a row that comes and goes between two conflated commits must not be left out. Does not change. */
    default boolean wantsBriefRows() {
        return false;
    }

    /** Called before a conflated commit, with the number of changes that are not in it, because later ones replaced them. */
    default void conflated(int changes) {}

    /** The status of the subscription; null if this is not a {@code changes()} subscription. */
    default @Nullable SubscriberStatus status() {
        return null;
    }

    /**
     * Called last: no more commits follow, because of {@code failure} if that is not null. May be called again, with a failure, if noted
     * commits must not be delivered any more.
     */
    void end(@Nullable Throwable failure);

    /**
     * Notifies each follower. One that throws ends alone, and the others are still notified: {@code equals} of keys may throw, memory may
     * be short, or its subscriber may throw on the notifying thread. Allocates nothing before each follower has been
     * notified: readers see the commit already, so it must not be lost when memory is short.
     *
     * @param what called for each follower, with {@code about}
     */
    static <K, T, A> void tell(
            List<CommitListener<K, T>> followers, BiConsumer<? super CommitListener<K, T>, ? super A> what, A about) {
        VirtualMachineError fatal = null;
        for (int i = 0; i < followers.size(); i++) {
            CommitListener<K, T> follower = followers.get(i);
            try {
                what.accept(follower, about);
            } catch (Throwable thrown) { // see above
                fatal = isFatal(thrown) ? (VirtualMachineError) thrown : fatal;
                end(follower, thrown);
            }
        }
        if (fatal != null) {
            throw fatal;
        }
    }

    /** Whether the error affects more than one subscriber. A stack overflow and a missing class, which are fatal for Reactor, do not. */
    private static boolean isFatal(Throwable thrown) {
        return thrown instanceof VirtualMachineError && !(thrown instanceof StackOverflowError);
    }

    private static void end(CommitListener<?, ?> follower, Throwable why) {
        try {
            follower.end(why);
        } catch (RuntimeException | Error again) {
            Operators.onErrorDropped(again, Context.empty()); // there is no subscriber left to notify
        }
    }
}
