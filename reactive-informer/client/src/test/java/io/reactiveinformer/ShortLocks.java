package io.reactiveinformer;

import java.util.List;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingOperationError;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Locks that a scheduler's thread may wait for, held for moments by other threads: of a scheduler's queue where a task is taken out
 * (Reactor allows it where one is put in), of a pool's queue and of its set of threads where it is given a task, of the queue of virtual time, of Netty's allocator where more threads want memory than it has
 * magazines for, and of the box in which the rules of Reactive Streams collect what they receive. Refused in the middle of a lock, such a
 * thread leaves an entry in the lock's own queue that nobody wakes; a scheduler then never runs again.
 *
 * <p>The threads of Vert.x, on which fabric8's server runs, may wait as they like: they run no code of ours.
 */
public final class ShortLocks implements BlockHoundIntegration {

    @Override
    public void applyTo(BlockHound.Builder builder) {
        builder.allowBlockingCallsInside("java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue", "remove");
        builder.allowBlockingCallsInside("java.util.concurrent.LinkedBlockingQueue", "offer");
        builder.allowBlockingCallsInside("java.util.concurrent.ThreadPoolExecutor", "addWorker");
        for (String method : List.of("offer", "peek", "poll", "remove", "size", "clear")) {
            builder.allowBlockingCallsInside("java.util.concurrent.PriorityBlockingQueue", method);
        }
        builder.allowBlockingCallsInside("io.netty.buffer.AdaptivePoolingAllocator$MagazineGroup", "tryExpandMagazines");
        builder.allowBlockingCallsInside("org.reactivestreams.tck.TestEnvironment$Receptacle", "add");
        builder.allowBlockingCallsInside("org.reactivestreams.tck.TestEnvironment$Receptacle", "complete");
        builder.blockingMethodCallback(method -> {
            if (!Thread.currentThread().getName().startsWith("vert.x-")) {
                throw new BlockingOperationError(method);
            }
        });
    }
}
