package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** Receives commits. Called by one thread at a time; notes the commit and returns at once. */
interface Follower<K, T> {

    /** Called first: the rows that all later commits start from. */
    void begin(Snapshot<K, T> rows);

    /** Notes the next commit. */
    void file(Commit<K, T> commit);

    /** Whether each commit must be received by itself; if false, several may be conflated into one on the way. */
    default boolean needsEachCommit() {
        return true;
    }

    /** Called before a conflated commit: this many changes are not in it, because later ones replaced them. */
    default void conflated(int changes) {}

    /** The status of the subscription; null if this is not a {@code changes()} subscription. */
    default @Nullable SubscriberStatus status() {
        return null;
    }

    /**
     * Called last: there are no more commits, because of {@code failure} if it is not null. May be called again, with a failure, if noted
     * commits must no longer be delivered.
     */
    void end(@Nullable Throwable failure);

    /**
     * Notifies each follower. If one throws, because {@code equals} of keys throws, memory is short, or its subscriber breaks the rules on
     * the notifying thread, it ends alone: the others are notified nevertheless.
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
     * As {@link #tell(Collection, Consumer)} with {@link #file}, but allocates nothing before each follower has the commit: it is visible
     * to readers already, and must not be lost when memory is short.
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

    /** A stack overflow and a missing class, fatal to Reactor, affect one subscriber only. */
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
