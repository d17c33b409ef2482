package io.reactiveinformer.informer;

import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.delta.DeltaStage;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.internal.informer.Contained;
import io.reactiveinformer.internal.warmstart.Saved;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Store;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.BaseSubscriber;

/**
 * One part of the namespaces of an informer, from when it joins until it leaves. Processes one delta at a time: requests the next when the
 * store has applied the last; until then the delta stage conflates. Late signals of a part that has left are ignored, also if the same part
 * has joined again.
 */
final class InformerPart<T> extends BaseSubscriber<Delta<T>> {

    private static final Logger LOG = LoggerFactory.getLogger(Informer.class);

    /**
     * The collaborators that the parts of an informer share.
     *
     * @param saves whether the parts begin with the state of a warm start, and not with one that the caller has passed in
     * @param publish publishes a commit of the store
     * @param refusedAsEmpty whether a part counts as complete and empty while it is refused with this status code
     * @param giveUp ends the informer
     * @param broken receives an error that has stopped one part; may be called by any thread
     */
    record Works<T>(
            Store.Managed<T> store,
            StatusKeeper status,
            SerialExecutor serial,
            Function<Namespaces, ListerWatcher<T>> sources,
            ReflectorOptions options,
            boolean saves,
            KeyFilter kept,
            Predicate<Integer> refusedAsEmpty,
            Consumer<Commit<ObjectKey, T>> publish,
            Consumer<Throwable> giveUp,
            Consumer<Throwable> broken) {}

    private final Works<T> works;
    private final Namespaces part;
    private final Consumer<Throwable> breakOff = this::breakOff;
    private @Nullable String restored;
    private boolean unread;
    private boolean vouched; // the restored state was received by this process, not saved by another
    private boolean reopens; // incomplete until it is listed again
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

    /**
     * Disposes of this part, and returns a replacement that starts over: lists, in no older version than was received, or resumes at the
     * version of the store. If this part has not advanced since it began, the replacement lists in any case, since the same error might be
     * thrown again at the same event.
     *
     * @param incomplete whether the part is incomplete until it is listed; then {@code list} is true
     */
    InformerPart<T> again(boolean list, boolean incomplete) {
        leave();
        var next = new InformerPart<>(works, part);
        next.unread = unread || list || !advanced;
        String version = next.unread ? works.store().received(part) : works.store().reached(part);
        next.restored = version == null ? restored : version;
        next.vouched = vouched || advanced;
        next.reopens = reopens || incomplete;
        return next;
    }

    /** Whether an error was thrown in this part, so that it emits nothing more. */
    boolean isBroken() {
        return broken;
    }

    /**
     * Stops this part, and reports the error, for a repair. Called by any thread; throws nothing. Errors of a part that has left are
     * ignored.
     */
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
     * Disposes of this part. Operators that an error has passed through may throw again; as the part is not used any more, that is only
     * logged.
     */
    private void leave() {
        try {
            dispose();
        } catch (VirtualMachineError again) {
            works.broken().accept(again);
        } catch (Throwable again) { // the part is not used any more
            LOG.debug("{} could not be cancelled; its signals are ignored", part, again);
        }
    }

    /** Starts this part, unless it was started before. */
    void start() {
        if (started) {
            return;
        }
        started = true;
        Contained.call(InformerPart::begin, this, breakOff);
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

    /**
     * The reflector of this part. If a saved state was unreadable, it lists: the object may be readable now, and a watch sends only
     * changes. If the state is another process's, only the most recent list is known to be of the server's history.
     */
    private Reflector<T> reflector() {
        ReflectorOptions options = works.options().withTimer(Contained.scheduler(works.options().timer(), breakOff));
        if (restored == null) {
            return Reflector.of(source(), works.store(), options);
        }
        ReflectorOptions first = unread && !vouched ? options.withConsistency(ReflectorOptions.Consistency.MOST_RECENT) : options;
        Reflector<T> reflector = Reflector.of(source(), works.store(), first);
        return unread ? reflector : reflector.resumeFrom(restored);
    }

    /** The source. After a warm start, it says when the changes since then have been received. */
    private ListerWatcher<T> source() {
        ListerWatcher<T> source = new ContainedSource<>(works.sources().apply(part), breakOff);
        return restored == null || !works.saves() || vouched ? source : new ProvenResume<>(source, restored, works.options().timer());
    }

    /** Passes an event on to the status, unless it is of a single object: only the delta stage may buffer those. */
    private void tellStatus(ReflectorEvent<T> event) {
        if (PartStatus.dependsOn(event)) {
            pass(() -> {
                if (event instanceof ReflectorEvent.Disrupted<T> disrupted && isExcused(disrupted.cause())) {
                    works.status().excused(part);
                    works.publish().accept(works.store().excuse(part));
                }
                works.status().accept(event);
            });
        }
    }

    private boolean isExcused(KubernetesException cause) {
        return cause instanceof StatusException refusal && works.refusedAsEmpty().test(refusal.code());
    }

    private void pass(Runnable task) {
        works.serial().execute(() -> {
            if (!left) {
                Contained.call(Runnable::run, task, breakOff);
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

    /** The reflector has given up, which ends the informer; or an unexpected failure has ended it, which is repaired. */
    @Override
    protected void hookOnError(Throwable failure) {
        if (failure instanceof KubernetesException) {
            pass(() -> works.giveUp().accept(failure));
        } else {
            breakOff(failure);
        }
    }
}
