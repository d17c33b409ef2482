package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** Receives commits. Called by one thread at a time; notes a commit and returns at once. */
interface Follower<K, T> {

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
     * be short, or its subscriber may throw on the notifying thread.
     */
    static <K, T> void tell(Collection<Follower<K, T>> followers, Consumer<Follower<K, T>> what) {
        VirtualMachineError fatal = null;
        for (Follower<K, T> follower : followers) {
            try {
                what.accept(follower);
            } catch (Throwable thrown) {
                fatal = isFatal(thrown) ? (VirtualMachineError) thrown : fatal;
                end(follower, thrown);
            }
        }
        if (fatal != null) {
            throw fatal;
        }
    }

    /**
     * As {@link #tell(Collection, Consumer)} with {@link #file}, but allocates nothing before each follower has the commit: readers see it
     * already, so it must not be lost when memory is short.
     */
    static <K, T> void tell(List<Follower<K, T>> followers, Commit<K, T> commit) {
        VirtualMachineError fatal = null;
        for (int i = 0; i < followers.size(); i++) {
            Follower<K, T> follower = followers.get(i);
            try {
                follower.file(commit);
            } catch (Throwable thrown) {
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

    private static void end(Follower<?, ?> follower, Throwable why) {
        try {
            follower.end(why);
        } catch (RuntimeException | Error again) {
            Operators.onErrorDropped(again, Context.empty()); // there is no subscriber left to notify
        }
    }
}
