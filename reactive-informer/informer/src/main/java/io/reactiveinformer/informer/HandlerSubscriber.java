package io.reactiveinformer.informer;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.internal.informer.Contained;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.Audited;
import io.reactiveinformer.view.Change;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Calls a handler for each change. The next change is requested when the call has returned, so that changes in the meantime are conflated.
 * Where states are missing, the handler is called for each row with the state that it had before and the present one.
 */
final class HandlerSubscriber<T> extends BaseSubscriber<Audited<ObjectKey, T>> implements ResourceEventHandler.Registration {

    private static final Logger LOG = LoggerFactory.getLogger(Informer.class);

    private final ResourceEventHandler<T> handler;
    private final Supplier<NotSyncedException> stopped;
    private final Sinks.Empty<Void> synced = Sinks.empty();

    /** @param stopped creates the failure of {@link #synced} if the informer is stopped before the initial list */
    HandlerSubscriber(ResourceEventHandler<T> handler, Supplier<NotSyncedException> stopped) {
        this.handler = handler;
        this.stopped = stopped;
    }

    @Override
    public Mono<Void> synced() {
        return synced.asMono();
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
        request(1);
    }

    @Override
    protected void hookOnNext(Audited<ObjectKey, T> next) {
        if (next instanceof Audited.Gap<ObjectKey, T> gap) {
            gap.rows().forEach(this::tell);
        } else {
            tell(((Audited.State<ObjectKey, T>) next).change());
        }
        request(1);
    }

    private void tell(Change<ObjectKey, T> change) {
        if (!isDisposed()) { // by the handler, or while this change was being delivered
            Contained.call(this::call, change, failure -> tellFailure(change, failure));
        }
    }

    /**
     * Rethrows an error of the JVM, such as {@link OutOfMemoryError}. A missing class and a stack overflow, which are fatal for Reactor,
     * count as failures of the handler.
     */
    private void throwIfFatal(Throwable failure) {
        if (failure instanceof VirtualMachineError error && !(failure instanceof StackOverflowError)) {
            synced.tryEmitError(error);
            throw error;
        }
    }

    private void tellFailure(Change<ObjectKey, T> change, Throwable failure) {
        throwIfFatal(failure);
        Contained.call(handler::onFailure, change, failure, again -> {
            throwIfFatal(again);
            LOG.error("handler {}: its onFailure threw {} when it was called with {}; the handler continues with the next change",
                    handler.getClass().getName(), again, failure.toString(), again);
        });
    }

    private void call(Change<ObjectKey, T> change) {
        if (change instanceof Change.Added<ObjectKey, T> added) {
            handler.onAdd(added.object(), added.initial());
        } else if (change instanceof Change.Updated<ObjectKey, T> updated) {
            handler.onUpdate(updated.before(), updated.after());
        } else if (change instanceof Change.Deleted<ObjectKey, T> deleted) {
            handler.onDelete(deleted.last(), deleted.cause() == DeletionCause.INFERRED);
        } else {
            synced.tryEmitEmpty();
        }
    }

    /**
     * Either the informer has given up, and its status has the reason; or this subscription failed, because there was no thread, or no
     * memory.
     */
    @Override
    protected void hookOnError(Throwable failure) {
        LOG.error("handler {}: receives no more changes: {}", handler.getClass().getName(), failure.toString());
        synced.tryEmitError(failure);
    }

    @Override
    protected void hookOnComplete() {
        synced.tryEmitError(stopped.get()); // no effect after the initial list
    }

    @Override
    protected void hookOnCancel() {
        synced.tryEmitError(new CancellationException("the handler was removed before it was notified of the initial list"));
    }
}
