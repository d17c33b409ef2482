package io.reactiveinformer.view;

import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.delta.DeltaStage;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Store;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Receives from a server what a reflector of one namespace would: lists, events in order, and some events twice. A stage makes deltas of
 * them, and a store takes these as this subscriber has demand for them.
 */
final class SimulatedReflector extends BaseSubscriber<Delta<String>> {

    private final String namespace;
    private final Namespaces part;
    private final Store<String> store;
    private final Consumer<Delta<String>> apply;
    private final Sinks.Many<ReflectorEvent<String>> events = Sinks.many().unicast().onBackpressureBuffer();

    private ServerHistory history;
    private boolean listed;
    private int received;

    /** Which the store's state is of. */
    private ServerHistory applied;

    SimulatedReflector(String namespace, ServerHistory history, Store<String> store, Consumer<Delta<String>> apply) {
        this.namespace = namespace;
        this.part = Namespaces.of(namespace);
        this.history = history;
        this.applied = history;
        this.store = store;
        this.apply = apply;
        events.asFlux().transform(DeltaStage.over(store)).subscribe(this);
    }

    /** Some objects cannot be read in some states. */
    static boolean isReadable(String object) {
        return !object.contains("3 of");
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {}

    @Override
    protected void hookOnNext(Delta<String> delta) {
        if (delta.kind() == Delta.Kind.REPLACED) {
            applied = history;
        }
        apply.accept(delta);
        check();
    }

    @Override
    protected void hookOnError(Throwable failure) {
        throw new AssertionError(failure);
    }

    private void emit(ReflectorEvent<String> event) {
        assertThat(events.tryEmitNext(event)).isEqualTo(Sinks.EmitResult.OK);
    }

    /** The next event, or that there is none; nothing as long as the state of {@code now} has to be listed. */
    void receive(ServerHistory now) {
        if (listed && now == history) {
            ServerHistory.Event next = history.after(received, namespace);
            received = next == null ? history.version() : next.version();
            emit(next == null ? new ReflectorEvent.Received<>(part, new ObjectEvent.Bookmark<>("" + received, false)) : event(next));
        }
    }

    /** One that was received before, perhaps of another object by now. */
    void receiveAgain(int detail) {
        List<ServerHistory.Event> before = listed ? history.upTo(received, namespace) : List.of();
        if (!before.isEmpty()) {
            ServerHistory.Event late = before.get(detail % before.size());
            Versioned<String> state = late.state();
            String uid = detail % 3 == 0 ? "late" + detail : state.uid();
            emit(event(new ServerHistory.Event(late.version(), late.key(), new Versioned<>(uid, state.resourceVersion(), state.object()),
                    late.deleted())));
        }
    }

    private ReflectorEvent<String> event(ServerHistory.Event event) {
        if (!isReadable(event.state().object())) {
            return unreadable(event.key(), event.state(), event.deleted());
        }
        return event.deleted()
                ? new ReflectorEvent.Received<>(part, new ObjectEvent.Deleted<>(event.key(), read(event.state())))
                : new ReflectorEvent.Received<>(part, new ObjectEvent.Applied<>(event.key(), read(event.state())));
    }

    /** Another instance each time, as by a decoder. */
    private static Versioned<String> read(Versioned<String> state) {
        return state.with(String.valueOf(state.object().toCharArray()));
    }

    private ReflectorEvent<String> unreadable(ObjectKey key, Versioned<String> state, boolean deleted) {
        return new ReflectorEvent.Received<>(part, new ObjectEvent.Unreadable<>(key, state.uid(), state.resourceVersion(),
                deleted, new UnreadableObjectException("planned", null)));
    }

    /** The whole state; sometimes after one that was cut, sometimes with what happens meanwhile. */
    void list(ServerHistory now, int detail) {
        boolean newEpoch = now != history;
        boolean older = !newEpoch && listed && detail % 5 == 0;
        int from = older ? Math.max(0, received - 2) : newEpoch || !listed || detail % 2 == 0 ? now.version() : received;
        if (older) {
            request(Long.MAX_VALUE); // no server sends what is older than what was asked for while that waits
        }
        history = now;
        if (detail % 7 == 0) {
            beginList(Math.max(0, from - 2));
        }
        beginList(from);
        int to = from;
        for (ServerHistory.Event next = history.after(to, namespace); next != null && !older; next = history.after(to, namespace)) {
            emit(event(next));
            to = next.version();
        }
        received = Math.max(newEpoch ? 0 : received, to);
        listed = true;
        emit(new ReflectorEvent.ListingEnded<>(part, "" + to, newEpoch));
    }

    private void beginList(int version) {
        emit(new ReflectorEvent.ListingStarted<>(part, "planned"));
        namespaced(history.at(version)).forEach((key, state) ->
                emit(isReadable(state.object()) ? new ReflectorEvent.Received<>(part, new ObjectEvent.Applied<>(key, read(state)))
                        : unreadable(key, state, false)));
    }

    private Map<ObjectKey, Versioned<String>> namespaced(Map<ObjectKey, Versioned<String>> states) {
        Map<ObjectKey, Versioned<String>> ours = new TreeMap<>(states);
        ours.keySet().removeIf(key -> !namespace.equals(key.namespace()));
        return ours;
    }

    /** All that has happened is received, and taken. */
    void catchUp(ServerHistory now) {
        request(Long.MAX_VALUE);
        if (!listed || now != history) {
            list(now, 2);
        }
        while (received != now.version()) {
            receive(now);
        }
        if (isUnread()) {
            Set<ObjectKey> all = namespaced(history.at(received)).keySet();
            assertThat(all).as("if nothing could be read so far").isNotEmpty().allMatch(key -> store.stale().containsKey(key));
        } else {
            assertThat(store.reached(part)).as("all was taken").isEqualTo("" + received);
        }
    }

    /** Whether nothing is known of this namespace, since none of several objects of its first list could be read, and none since. */
    boolean isUnread() {
        return listed && store.reached(part) == null;
    }

    /**
     * Laws 12, 15 and 16: what the store has of this namespace is the server's state at the version that it names, or a later one of an
     * object that was received before another; what could not be read is as it was some time before.
     */
    void check() {
        String reached = store.reached(part);
        if (reached == null) {
            return;
        }
        Map<ObjectKey, Versioned<String>> wanted = namespaced(applied.at(Integer.parseInt(reached)));
        Set<ObjectKey> keys = new TreeSet<>(wanted.keySet());
        store.forEachKey(part, keys::add);
        keys.forEach(key -> check(key, wanted.get(key), Integer.parseInt(reached)));
    }

    private void check(ObjectKey key, Versioned<String> wanted, int reached) {
        Versioned<String> row = store.find(key);
        List<ServerHistory.Event> later = applied.upTo(applied.version(), namespace).stream()
                .filter(event -> event.version() > reached && event.key().equals(key)).toList();
        if (later.stream().anyMatch(event -> event.deleted() ? row == null : event.state().equals(row))) {
            return;
        }
        boolean laterUnread = later.stream().anyMatch(event -> !isReadable(event.state().object()));
        if (wanted == null || isReadable(wanted.object())) {
            assertThat(row).as("%s at %s", key, reached).isEqualTo(wanted);
            assertThat(laterUnread || !store.stale().containsKey(key)).as("%s is stale at %s", key, reached).isTrue();
        } else if (row != null) {
            assertThat(isReadable(row.object())).as("%s was good", row).isTrue();
            assertThat(store.stale()).containsKey(key);
        }
    }
}
