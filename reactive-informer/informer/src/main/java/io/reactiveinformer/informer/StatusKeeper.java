package io.reactiveinformer.informer;

import io.reactiveinformer.client.Known.Stale;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.internal.OutageLog;
import io.reactiveinformer.internal.informer.LatestValues;
import io.reactiveinformer.resource.ClientClosedException;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Store;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** The status of an informer: that of its worst part. Emits each change to subscribers. Calls must not overlap. */
final class StatusKeeper {

    private static final Logger LOG = LoggerFactory.getLogger(Informer.class);

    /** Orders states from worst to best: the state of the informer is that of its worst part. */
    private static final Comparator<PartStatus> WORST_FIRST =
            Comparator.comparing(part -> switch (part.state()) {
                case STOPPED -> 0;
                case DISRUPTED -> 1;
                case IDLE -> 2;
                case LISTING -> 3;
                case LIVE -> 4;
            });

    /** The most stale objects that are logged one by one: if no object can be read, they hardly have thousands of different reasons. */
    private static final int STALE_NAMED = 10;

    /** The statuses kept for a slow subscriber: enough to miss no retry, and few enough for a subscriber that has stopped reading. */
    private static final int STATUSES_KEPT = 64;

    private final String what;
    private final Scheduler clock;
    private final Map<Namespaces, PartStatus> parts = new LinkedHashMap<>();

    /** Why nothing can be read of a part that was listed. */
    private final Map<Namespaces, KubernetesException> unread = new HashMap<>();

    /** When each part was added. */
    private final Map<Namespaces, Instant> added = new HashMap<>();
    private final Set<Namespaces> refused = new HashSet<>();
    private final Store<?> store;
    private final LatestValues<InformerStatus> hub = LatestValues.ofStates(STATUSES_KEPT);

    /** Its name, for the log. */
    private Mono<String> server = Mono.empty();

    /** When it was started, in nanoseconds; null before that, and once the end of the start was logged. */
    private @Nullable Long starting;

    /** The status if there are no namespaces, and so nothing to wait for. */
    private PartStatus nothing;

    StatusKeeper(String what, Collection<Namespaces> parts, Store<?> store, Scheduler clock) {
        this.what = what;
        this.clock = clock;
        this.store = store;
        this.nothing = PartStatus.idle(now());
        parts.forEach(part -> add(part, nothing));
        hub.publish(InformerStatus.idle(nothing.since())); // one moment, or the start would look like a change
    }

    private void add(Namespaces part, PartStatus first) {
        parts.put(part, first);
        added.put(part, first.since());
    }

    InformerStatus current() {
        return Objects.requireNonNull(hub.current(), "published by the constructor");
    }

    Flux<InformerStatus> statuses(Delivery delivery) {
        return hub.flux(delivery.scheduler());
    }

    private void emit(InformerStatus next) {
        hub.publish(next);
        if (next.state() == State.STOPPED) {
            hub.complete();
        }
    }

    void of(Mono<String> name) {
        server = name;
    }

    /** Notes the start. An informer without namespaces is live at once. */
    void started() {
        starting = clock.now(TimeUnit.NANOSECONDS);
        nothing = PartStatus.live(now());
        publish();
    }

    /** Applies an event of a reflector. The store applies it later: the objects of a list that has ended are not in the snapshot yet. */
    void accept(ReflectorEvent<?> event) {
        PartStatus before = parts.get(event.part());
        if (before == null) {
            return; // the part has left
        }
        PartStatus after = before.after(event, now());
        if (after.equals(before)) {
            return;
        }
        parts.put(event.part(), after);
        publish();
    }

    /**
     * Notes that {@code part} counts as complete and empty while it is refused. The status is that of the other parts from now on, unless
     * there is none, or rows of this part are served.
     */
    void excused(Namespaces part) {
        refused.add(part);
    }

    /** Updates the status after the store has applied {@code delta}. Most deltas do not change it. */
    void applied(Delta<?> delta) {
        if (delta.kind() == Delta.Kind.REPLACED) {
            parts.computeIfPresent(delta.part(), (part, status) -> status.heldAsOf(now()));
            noteUnread(delta.part());
        }
        if (delta.kind() == Delta.Kind.REPLACED || delta.kind() == Delta.Kind.PROGRESSED) {
            publish();
        } else if (store.stale() != current().stale()) {
            publishStale(Objects.requireNonNull(delta.key(), "a live delta has a key"));
        }
    }

    /** Notes whether a part is incomplete because no object of its list can be read. It becomes complete with an object that can. */
    private void noteUnread(Namespaces part) {
        if (store.snapshot().resourceVersion(part).isEmpty()) {
            store.stale().entrySet().stream().filter(stale -> part.covers(stale.getKey())).findFirst().ifPresent(stale -> unread.put(
                    part, new UnreadableObjectException(what + ": no object of the first list can be read, so nothing is known of them; "
                            + stale.getKey() + ": " + stale.getValue().reason(), null)));
        }
    }

    /** Publishes that an object has become unreadable, or readable again. Does not check other objects, as there may be very many. */
    private void publishStale(ObjectKey key) {
        Stale why = store.stale().get(key);
        if (why != null && !current().stale().containsKey(key)) {
            warnOfStale(key, why);
        }
        InformerStatus next = whole();
        emit(next);
        logStart(next);
    }

    /** Notes that {@code part} was restored to the state that was current at {@code then}. */
    void restored(Namespaces part, Instant then) {
        parts.computeIfPresent(part, (same, status) -> status.heldAsOf(then));
        publish();
    }

    /** Notes that the changes of {@code part} since the restored state are requested. */
    void catchingUp(Namespaces part) {
        parts.computeIfPresent(part, (same, status) -> status.catchingUp(now()));
        publish();
    }

    /**
     * Replaces the parts; remaining ones keep their status.
     *
     * @param begun whether parts that are added are listed at once
     */
    void resize(Collection<Namespaces> now, boolean begun) {
        PartStatus first = begun ? PartStatus.listing(now()) : PartStatus.idle(now());
        parts.keySet().retainAll(now);
        added.keySet().retainAll(now);
        refused.retainAll(now);
        unread.keySet().retainAll(now);
        now.stream().filter(part -> !parts.containsKey(part)).forEach(part -> add(part, first));
    }

    /** @param cause null for an orderly stop; logged the first time */
    void stopped(@Nullable KubernetesException cause) {
        parts.replaceAll((part, status) -> status.stopped(cause, now()));
        if (current().state() != State.STOPPED) {
            logEnd(cause);
        }
        nothing = PartStatus.idle(now()).stopped(cause, now());
        publish();
    }

    private void logEnd(@Nullable KubernetesException cause) {
        if (cause instanceof ClientClosedException) {
            LOG.info("{}: stopped: {}", what, cause.getMessage());
        } else if (cause != null) {
            LOG.error("{}: given up: {}", what, cause.getMessage(), cause instanceof InformerFailedException mistake
                    ? mistake.getCause() : null);
        }
    }

    /** Publishes the status if it has changed. */
    void publish() {
        InformerStatus next = whole();
        if (!next.equals(current())) {
            warnOfStale(current().stale(), next.stale());
            emit(next);
            logStart(next);
        }
    }

    private InformerStatus whole() {
        Snapshot<?, ?> rows = store.snapshot();
        unread.keySet().removeIf(part -> rows.resourceVersion(part).isPresent());
        List<Namespaces> counted = counted();
        PartStatus worst = counted.stream().map(part -> shown(part, part(part))).min(WORST_FIRST).orElse(nothing);
        Instant since = worst.state() == current().state() ? current().since() : now();
        Instant awaited = counted.stream().map(part -> awaitedSince(part, rows)).filter(Objects::nonNull)
                .min(Comparator.naturalOrder()).orElse(rows.complete() ? null : since);
        return new InformerStatus(worst.state(), since, rows.complete(), staleSince(counted), awaited,
                worst.cause(), worst.attempt(), worst.retryIn(),
                store.stale(), parts.size() < 2 ? Map.of() : byPart(rows));
    }

    /** The status of the part, which is not live while nothing that it lists can be read. */
    private PartStatus shown(Namespaces part, PartStatus status) {
        KubernetesException why = unread.get(part);
        return why != null && status.state() == State.LIVE ? status.unread(why) : status;
    }

    /** Since when the first list of the part is awaited; null once it was listed. */
    private @Nullable Instant awaitedSince(Namespaces part, Snapshot<?, ?> rows) {
        return rows.resourceVersion(part).isPresent() ? null : added.get(part);
    }

    /** The parts whose status counts: all, without those that count as empty, unless nothing else is left. */
    private List<Namespaces> counted() {
        List<Namespaces> counted = parts.keySet().stream().filter(part -> !refused.contains(part) || !part(part).isEmpty()).toList();
        return counted.isEmpty() ? List.copyOf(parts.keySet()) : counted;
    }

    private PartStatus part(Namespaces part) {
        return Objects.requireNonNull(parts.get(part), "a part");
    }

    /** Since when the part that has been stale longest is stale; null if all parts are current. */
    private @Nullable Instant staleSince(List<Namespaces> counted) {
        return counted.stream().map(part -> part(part).staleSince()).filter(Objects::nonNull).min(Comparator.naturalOrder()).orElse(null);
    }

    private Map<Namespaces, InformerStatus> byPart(Snapshot<?, ?> rows) {
        Map<Namespaces, InformerStatus> all = new HashMap<>();
        parts.forEach((part, status) -> all.put(part, shown(part, status).asStatus(awaitedSince(part, rows))));
        return all;
    }

    private void warnOfStale(Map<ObjectKey, Stale> before, Map<ObjectKey, Stale> now) {
        if (before == now) {
            return;
        }
        int news = 0;
        for (Map.Entry<ObjectKey, Stale> stale : now.entrySet()) {
            if (!before.containsKey(stale.getKey()) && ++news <= STALE_NAMED) {
                warnOfStale(stale.getKey(), stale.getValue());
            }
        }
        if (news > STALE_NAMED) {
            LOG.warn("{}: {} more objects are stale; the status lists them", what, news - STALE_NAMED);
        }
    }

    private void warnOfStale(ObjectKey key, Stale why) {
        LOG.warn("{}: {} is stale, its version {} cannot be read: {}", what, key, why.resourceVersion(), why.reason());
    }

    /** Logs the start, once: the first complete and current state. Outages are logged by the reflectors. */
    private void logStart(InformerStatus now) {
        Long began = starting;
        if (began != null && now.state() == State.LIVE && now.synced()) {
            starting = null;
            String objects = OutageLog.objects(store.snapshot().size());
            String took = OutageLog.spoken(Duration.ofNanos(clock.now(TimeUnit.NANOSECONDS) - began));
            server.map(name -> " of " + name.replaceFirst(" believed .*", "")).onErrorReturn("").defaultIfEmpty("").subscribe(
                    from -> LOG.info("{}: live with {}{} after {}", what, objects, from, took));
        }
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.now(TimeUnit.MILLISECONDS));
    }
}
