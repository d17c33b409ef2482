package io.reactiveinformer.informer;

import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.delta.DeltaStage;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.internal.Contained;
import io.reactiveinformer.internal.warmstart.Saved;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Store;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.BaseSubscriber;

/**
 * One part of what an informer watches, while it belongs to it. Takes one delta at a time: requests the next one when the store has
 * applied the one before; until then the stage conflates. Late signals of a part that has left are dropped, also if the same part has
 * joined again.
 */
final class InformerPart<T> extends BaseSubscriber<Delta<T>> {

    private static final Logger LOG = LoggerFactory.getLogger(Informer.class);

    /**
     * What the parts of an informer share.
     *
     * @param saves whether the saved state that they begin with is the library's own (a warm start), not one that the caller passed in
     * @param publish publishes a commit of the store
     * @param giveUp ends the informer
     * @param broken receives a throwable that has stopped one part; may be called by any thread
     */
    record Works<T>(
            Store<T> store,
            StatusKeeper status,
            Turnstile turnstile,
            Function<Namespaces, ListerWatcher<T>> sources,
            ReflectorOptions options,
            boolean saves,
            Kept kept,
            Consumer<Commit<ObjectKey, T>> publish,
            Consumer<Throwable> giveUp,
            Consumer<Throwable> broken) {}

    private final Works<T> works;
    private final Namespaces part;
    private @Nullable String restored;
    private boolean unread;
    private boolean vouched; // restored is what this process has received, not what another one saved
    private boolean reopens; // not complete until it is listed again
    private boolean advanced;
    private boolean started;
    private volatile boolean broken;
    private volatile boolean left;

    InformerPart(Works<T> works, Namespaces part) {
        this.works = works;
        this.part = part;
    }

    Namespaces namespaces() {
        return part;
    }

    void restore(Saved<T> saved) {
        Saved.Part<T> held = saved.parts().get(part);
        if (held != null) {
            restored = held.resourceVersion();
            unread = held.hasUnread();
            works.publish().accept(works.store().restore(part, held.rows(), restored));
            works.status().restored(part, saved.at());
        }
    }

    /** A replacement for this part, which is disposed of: it lists, and not older than what this one has received. */
    InformerPart<T> anew() {
        var next = new InformerPart<>(works, part);
        String heard = works.store().heard(part);
        next.restored = heard == null ? restored : heard;
        next.unread = true;
        next.reopens = true;
        leave();
        return next;
    }

    /**
     * A replacement for this part after something was thrown in it: continues from where the store is; the second time with a list, since
     * the same may be thrown again there.
     *
     * @param list whether to list in any case
     */
    InformerPart<T> afresh(boolean list) {
        leave();
        var next = new InformerPart<>(works, part);
        String reached = works.store().reached(part);
        next.restored = reached == null ? restored : reached;
        next.unread = unread || list || !advanced;
        next.vouched = vouched || advanced;
        next.reopens = reopens;
        return next;
    }

    /** Whether something was thrown in this part, so that it emits nothing more. */
    boolean isBroken() {
        return broken;
    }

    boolean isStarted() {
        return started;
    }

    /** Called by any thread; throws nothing. Failures of a part that has left are ignored. */
    private void breakOff(Throwable failure) {
        if (!left && !broken) {
            broken = true;
            works.broken().accept(failure);
            leave();
        }
    }

    @Override
    public void dispose() {
        left = true;
        super.dispose();
    }

    /**
     * Operators that a throwable has passed through may throw again. Nothing reads a part that has left, so this is only logged, at debug.
     */
    private void leave() {
        try {
            dispose();
        } catch (VirtualMachineError again) {
            works.broken().accept(again);
        } catch (Throwable again) {
            LOG.debug("{} could not be cancelled, and is not listened to any more", part, again);
        }
    }

    void start() {
        started = true;
        try {
            begin();
        } catch (Throwable failure) {
            breakOff(failure);
        }
    }

    private void begin() {
        if (reopens) {
            works.publish().accept(works.store().reopen(part));
            reopens = false;
        }
        if (restored != null) {
            works.status().catchingUp(part);
        }
        reflector().events()
                .doOnNext(this::tellStatus)
                .transform(DeltaStage.over(works.store()))
                .subscribe(this);
    }

    /** A watch sends only changes. A state that was unreadable then may be readable by now, and only a list shows it. */
    private Reflector<T> reflector() {
        ReflectorOptions options = works.options().withTimer(Contained.scheduler(works.options().timer(), this::breakOff));
        if (restored == null) {
            return Reflector.of(source(), works.store(), options);
        }
        return unread
                ? Reflector.of(source(), new RestoredPart<>(works.store(), part, restored), options)
                : Reflector.of(source(), works.store(), options).resumeFrom(restored);
    }

    /** The caller does not vouch for a state that was saved by a warm start, so it is verified here. */
    private ListerWatcher<T> source() {
        ListerWatcher<T> source = new ContainedSource<>(works.sources().apply(part), this::breakOff);
        return restored == null || !works.saves() || vouched ? source : new ProvenResume<>(source, restored, works.options().timer());
    }

    /** Skips events of single objects: only the stage may buffer those. */
    private void tellStatus(ReflectorEvent<T> event) {
        if (PartStatus.dependsOn(event)) {
            pass(() -> works.status().accept(event));
        }
    }

    private void pass(Runnable task) {
        works.turnstile().pass(() -> {
            if (left || isDisposed()) {
                return;
            }
            try {
                task.run();
            } catch (Throwable failure) {
                breakOff(failure);
            }
        });
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
        request(1);
    }

    @Override
    protected void hookOnNext(Delta<T> delta) {
        pass(() -> {
            Delta<T> ours = works.kept().in(delta);
            if (ours != null) {
                works.publish().accept(works.store().apply(ours));
                works.status().applied(ours);
                advanced = true;
            }
            request(1);
        });
    }

    /** The reflector has given up, or an unexpected failure ended it: the latter is no reason to give up. */
    @Override
    protected void hookOnError(Throwable failure) {
        if (failure instanceof KubernetesException) {
            works.turnstile().pass(() -> works.giveUp().accept(failure));
        } else {
            breakOff(failure);
        }
    }
}
