package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import java.util.Collection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** Who is told of commits. Called by one thread after the other, never by two at once: takes note, and returns at once. */
interface Follower<K, T> {

    /** First: the rows that all commits from now on start from. */
    void begin(Snapshot<K, T> rows);

    void file(Commit<K, T> commit);

    /** Whether commits may not be conflated into one on the way here. */
    default boolean needsEachCommit() {
        return true;
    }

    /** Before a commit that is several in one: so many changes of theirs are not in it, as later ones say all. */
    default void conflated(int changes) {}

    /** Null for who is no subscriber to changes. */
    default @Nullable SubscriberStatus status() {
        return null;
    }

    /**
     * Last: no commits come any more; because of {@code failure}, if there is one. It may be called again, with a failure, when what was noted is to
     * be told no longer.
     */
    void end(@Nullable Throwable failure);

    /**
     * Tells each. One that cannot take it, since keys' {@code equals} throw, memory is short, or its subscriber breaks the rules on the thread that
     * tells, ends alone: the others hear of it all the same.
     */
    static <K, T> void tell(Collection<Follower<K, T>> followers, Consumer<Follower<K, T>> what) {
        VirtualMachineError fatal = null;
        for (Follower<K, T> follower : followers) {
            try {
                what.accept(follower);
            } catch (Throwable thrown) {
                // a stack that overflowed and a class that is missing, fatal to Reactor, are the subscriber's
                fatal = thrown instanceof VirtualMachineError error && !(thrown instanceof StackOverflowError) ? error : fatal;
                end(follower, thrown);
            }
        }
        if (fatal != null) {
            throw fatal;
        }
    }

    private static void end(Follower<?, ?> follower, Throwable why) {
        try {
            follower.end(why);
        } catch (RuntimeException | Error again) {
            Operators.onErrorDropped(again, Context.empty()); // there is nobody left who could be told
        }
    }
}
