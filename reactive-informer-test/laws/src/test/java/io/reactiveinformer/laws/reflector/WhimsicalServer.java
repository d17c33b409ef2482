package io.reactiveinformer.laws.reflector;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.resource.ForbiddenException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.test.Script;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * A server with one history, which, until the test makes it behave, breaks, stalls, repeats, reorders, garbles, forgets and refuses, by
 * chance. Runs on the clock that it is given; not thread-safe.
 */
final class WhimsicalServer implements ListerWatcher<String> {

    private static final int KEYS = 8;

    private final Random random;
    private final Scheduler clock;
    private final List<ObjectEvent<String>> history = new ArrayList<>();
    private final List<Watcher> watchers = new ArrayList<>();
    private final Map<String, Map<ObjectKey, Versioned<String>>> pages = new TreeMap<>();
    private final NavigableMap<Long, Map<ObjectKey, Versioned<String>>> states = new TreeMap<>(Map.of(100L, Map.of()));
    private Map<ObjectKey, Versioned<String>> objects = new TreeMap<>();
    private Map<ObjectKey, Versioned<String>> saved = new TreeMap<>();
    private long savedVersion = 100;
    private long version = 100;
    private long compacted = 100;
    private int uids;
    private int restores;
    /** Whether quiet watches break after four minutes, and no bookmarks are sent: each watch, for as long as it has whims. */
    private final boolean resets;

    private boolean behaves;

    WhimsicalServer(Random random, Scheduler clock) {
        this.random = random;
        this.clock = clock;
        this.resets = random.nextInt(4) == 0;
    }

    Map<ObjectKey, Versioned<String>> objects() {
        return objects;
    }

    String version() {
        return String.valueOf(version);
    }

    /** No more whims: what is under way is cut once, then all is well. */
    void behave() {
        behaves = true;
        cutAll();
    }

    /** Creates, changes or deletes something. */
    void write() {
        ObjectKey key = ObjectKey.clusterScoped("k" + random.nextInt(KEYS));
        Versioned<String> stored = objects.get(key);
        String next = String.valueOf(++version);
        if (stored == null) {
            tell(new ObjectEvent.Applied<>(key, put(key, new Versioned<>("uid-" + uids++, next, value(next)))));
        } else if (random.nextInt(3) == 0) {
            objects.remove(key);
            tell(new ObjectEvent.Deleted<>(key, new Versioned<>(stored.uid(), next, stored.object())));
        } else {
            tell(new ObjectEvent.Applied<>(key, put(key, new Versioned<>(stored.uid(), next, value(next))), true));
        }
    }

    /** Changes each object, so that none is left in a state that was garbled on its way. */
    void touchAll() {
        for (ObjectKey key : List.copyOf(objects.keySet())) {
            Versioned<String> stored = objects.get(key);
            String next = String.valueOf(++version);
            tell(new ObjectEvent.Applied<>(key, put(key, new Versioned<>(stored.uid(), next, value(next))), true));
        }
    }

    /** Not the same in two histories. */
    private String value(String next) {
        return "v" + next + (restores == 0 ? "" : " since restore " + restores);
    }

    /** What happens to servers now and then. */
    void mishap() {
        switch (random.nextInt(6)) {
            case 0 -> compacted = version;
            case 1 -> cutAll();
            case 2 -> pages.clear();
            case 3 -> {
                saved = new TreeMap<>(objects);
                savedVersion = version;
            }
            case 4 -> restoreAndGoOn();
            default -> watchers.forEach(watcher -> watcher.stalled |= random.nextInt(4) == 0);
        }
    }

    /** The store is replaced by an older one. */
    void restore() {
        restarts(this::goBack);
    }

    /** The store is replaced by an older one, which has another history from there, perhaps past where it was, before anybody is there. */
    void restoreAndGoOn() {
        restarts(() -> {
            long lost = version - savedVersion;
            goBack();
            for (long write = random.nextLong(2 * lost + 2); write > 0; write--) {
                write();
            }
        });
    }

    /** The store is replaced by an older one, which comes past where it was while nobody is there, and keeps no history of how. */
    void overtake() {
        restarts(() -> {
            long before = version;
            goBack();
            while (version < before) {
                write();
            }
            history.clear();
            compacted = ++version;
            states.put(version, new TreeMap<>(objects));
        });
    }

    /** The connections go with the process that served them, those that had stalled too: none of them tells of what happens meanwhile. */
    private void restarts(Runnable meanwhile) {
        List<Watcher> former = List.copyOf(watchers);
        watchers.clear();
        meanwhile.run();
        former.forEach(watcher -> {
            boolean inOrder = !watcher.stalled && random.nextBoolean();
            watcher.stalled = false;
            watcher.end(inOrder);
        });
    }

    private void goBack() {
        restores++;
        objects = new TreeMap<>(saved);
        version = savedVersion;
        compacted = Math.min(compacted, version);
        history.removeIf(event -> versionOf(event) > version);
        states.tailMap(version, false).clear();
        pages.clear();
    }

    private Versioned<String> put(ObjectKey key, Versioned<String> entry) {
        objects.put(key, entry);
        return entry;
    }

    private void tell(ObjectEvent<String> event) {
        history.add(event);
        states.put(version, new TreeMap<>(objects));
        List.copyOf(watchers).forEach(watcher -> watcher.tell(event));
    }

    private void cutAll() {
        List.copyOf(watchers).forEach(watcher -> watcher.end(random.nextBoolean()));
    }

    private boolean whim(int oneIn) {
        return !behaves && random.nextInt(oneIn) == 0;
    }

    private RuntimeException failure() {
        return switch (random.nextInt(6)) {
            case 0 -> Script.refusal(500, "InternalError", "a whim");
            case 1 -> Script.refusal(429, "TooManyRequests", Duration.ofSeconds(random.nextInt(9)));
            case 2 -> Script.refusal(403, "Forbidden", "a whim");
            case 3 -> Script.refusal(504, "Timeout", "a whim");
            case 4 -> new IllegalStateException("a defect");
            default -> Script.broken();
        };
    }

    /** Not one that says that nobody may ask: who is refused so three times takes it for the last word. */
    private RuntimeException passingFailure() {
        RuntimeException failure = failure();
        return failure instanceof ForbiddenException ? Script.broken() : failure;
    }

    private static long versionOf(ObjectEvent<String> event) {
        return Long.parseLong(event.resourceVersion());
    }

    @Override
    public Identity identity() {
        return new Identity("whims", Namespaces.all(), false, Past.ALL);
    }

    @Override
    public Flux<ObjectEvent<String>> list(ListOptions options, Reading<String> reading) {
        boolean exactly = options.match() == ListOptions.Match.EXACT;
        if (options.key() == null && !exactly) {
            return answered(() -> page(options));
        }
        long from = Long.parseLong(options.resourceVersion());
        return answered(() -> options.key() == null && options.limit() > 1
                ? first(from, options.limit()) : one(options.key(), from, exactly));
    }

    private Flux<ObjectEvent<String>> page(ListOptions options) {
        if (whim(4)) {
            return Flux.error(failure());
        }
        Map<ObjectKey, Versioned<String>> state = objects;
        String stateVersion = version();
        int from = 0;
        if (options.continueToken() != null) {
            String[] token = options.continueToken().split("/", -1);
            state = pages.get(token[0]);
            stateVersion = token[0];
            from = Integer.parseInt(token[1]);
            if (state == null || whim(6)) {
                return Flux.error(Script.refusal(410, "Expired", "the token is too old"));
            }
        } else if (options.resourceVersion() != null && ResourceVersion.isNewer(options.resourceVersion(), version())) {
            return Flux.error(Script.tooLarge());
        } else if ("0".equals(options.resourceVersion()) && random.nextBoolean()) {
            state = saved;
            stateVersion = String.valueOf(savedVersion);
        }
        int limit = options.limit() == 0 ? Integer.MAX_VALUE : options.limit();
        pages.put(stateVersion, new TreeMap<>(state));
        List<ObjectEvent<String>> page = new ArrayList<>();
        state.entrySet().stream().skip(from).limit(limit).forEach(entry -> page.add(item(entry)));
        boolean more = state.size() - from > limit;
        boolean circle = more && from > 0 && whim(10);
        page.add(new ObjectEvent.PageEnd<>(stateVersion, more ? stateVersion + "/"
                + (circle ? from - Math.min(from, limit) : from + limit) : null));
        Flux<ObjectEvent<String>> answer = Flux.fromIterable(page);
        return whim(5) ? answer.take(random.nextInt(page.size())).concatWith(whim(2) ? Flux.error(failure()) : Flux.never()) : answer;
    }

    private Flux<ObjectEvent<String>> first(long at, int limit) {
        if (whim(4)) {
            return Flux.error(passingFailure());
        }
        if (at < compacted || at > version) {
            return Flux.error(at > version ? Script.tooLarge() : Script.refusal(410, "Expired", "too old"));
        }
        Map<ObjectKey, Versioned<String>> state = states.floorEntry(at).getValue();
        Flux<ObjectEvent<String>> answer = Flux.fromIterable(state.entrySet().stream().limit(limit).map(this::item).toList());
        return whim(8)
                ? answer.concatWith(whim(2) ? Flux.error(passingFailure()) : Flux.never())
                : answer.concatWithValues(new ObjectEvent.PageEnd<>(String.valueOf(at), state.size() > limit ? "more" : null));
    }

    /** After a while, unless the process that was asked is gone by then. */
    private Flux<ObjectEvent<String>> answered(Supplier<Flux<ObjectEvent<String>>> answer) {
        return Flux.defer(() -> {
            int asked = restores;
            return Mono.delay(Duration.ofMillis(random.nextInt(2_000)), clock)
                    .thenMany(Flux.defer(() -> asked == restores ? answer.get() : Flux.error(Script.broken())));
        });
    }

    private Flux<ObjectEvent<String>> one(@Nullable ObjectKey key, long from, boolean exactly) {
        if (whim(4)) {
            return Flux.error(passingFailure());
        }
        if (exactly && from < compacted || from > version) {
            return Flux.error(from > version ? Script.tooLarge() : Script.refusal(410, "Expired", "too old"));
        }
        long at = exactly ? from : version;
        Map<ObjectKey, Versioned<String>> state = states.floorEntry(at).getValue();
        Flux<ObjectEvent<String>> answer = Flux.fromIterable(
                state.entrySet().stream().filter(entry -> key == null || entry.getKey().equals(key)).limit(1).map(this::item).toList());
        return whim(8)
                ? answer.concatWith(whim(2) ? Flux.error(passingFailure()) : Flux.never())
                : answer.concatWithValues(new ObjectEvent.PageEnd<>(String.valueOf(at), null));
    }

    private ObjectEvent<String> item(Map.Entry<ObjectKey, Versioned<String>> entry) {
        return whim(12)
                ? new ObjectEvent.Unreadable<>(
                        entry.getKey(), entry.getValue().uid(), entry.getValue().resourceVersion(), false, unreadable())
                : new ObjectEvent.Applied<>(entry.getKey(), entry.getValue());
    }

    private static UnreadableObjectException unreadable() {
        return new UnreadableObjectException("a whim", null);
    }

    @Override
    public Flux<ObjectEvent<String>> watch(WatchOptions options, Reading<String> reading) {
        return Flux.defer(() -> whim(4) ? Flux.error(failure())
                        : options.initialEvents() && whim(6) ? Flux.error(Script.refusal(422, "Invalid", "a whim"))
                        : Flux.<ObjectEvent<String>>create(sink -> new Watcher(sink, options).open()));
    }

    /** One watch. Its whims are drawn as it goes. */
    private final class Watcher {
        private final FluxSink<ObjectEvent<String>> sink;
        private final WatchOptions options;
        private long reached;
        private boolean stalled;
        private Disposable talk = Disposables.disposed();
        private ObjectEvent<String> delayed;

        Watcher(FluxSink<ObjectEvent<String>> sink, WatchOptions options) {
            this.sink = sink;
            this.options = options;
        }

        void open() {
            long from = options.resourceVersion() == null ? version : Long.parseLong(options.resourceVersion());
            if (options.initialEvents() ? from > version : from < compacted) {
                if (random.nextBoolean()) {
                    sink.next(new ObjectEvent.Opened<>());
                }
                sink.error(options.initialEvents() ? Script.tooLarge() : Script.refusal(410, "Expired", "too old"));
                return;
            }
            watchers.add(this);
            var ticks = Flux.interval(Duration.ofMinutes(1), clock).subscribe(tick -> bookmark());
            var end = Mono.delay(options.timeout(), clock).subscribe(tick -> end(true));
            var reset = resets && !behaves ? Mono.delay(Duration.ofMinutes(4), clock).subscribe(tick -> end(false))
                    : Disposables.disposed();
            sink.onDispose(() -> {
                watchers.remove(this);
                talk.dispose();
                reset.dispose();
                ticks.dispose();
                end.dispose();
            });
            sink.next(new ObjectEvent.Opened<>());
            if (options.initialEvents()) {
                List.copyOf(objects.entrySet()).forEach(entry -> send(new ObjectEvent.Applied<>(entry.getKey(), entry.getValue())));
                if (whim(12)) {
                    // and never an end
                    talk = Flux.interval(Duration.ofSeconds(4), clock).filter(tick -> !behaves).subscribe(tick -> bookmark());
                } else if (!whim(6)) {
                    reached = version;
                    send(new ObjectEvent.Bookmark<>(version(), true));
                }
            } else {
                reached = from;
                List.copyOf(history).forEach(this::tell);
            }
        }

        void tell(ObjectEvent<String> event) {
            if (versionOf(event) <= reached) {
                return;
            }
            reached = versionOf(event);
            if (delayed == null && whim(25)) {
                delayed = event;
                return;
            }
            send(whim(30) ? garbled(event) : event);
            if (delayed != null) {
                send(delayed); // out of order
                delayed = null;
            }
            if (whim(20)) {
                send(event); // twice
            }
            if (whim(15)) {
                end(random.nextBoolean());
            }
        }

        private ObjectEvent<String> garbled(ObjectEvent<String> event) {
            return new ObjectEvent.Unreadable<>(random.nextInt(4) == 0 ? null : event.key(), null,
                    random.nextInt(4) == 0 ? null : String.valueOf(versionOf(event)), event.deleted(), unreadable());
        }

        private void bookmark() {
            if (reached <= version && delayed == null && !(resets && !behaves)) {
                reached = version;
                send(new ObjectEvent.Bookmark<>(String.valueOf(whim(20) ? reached - 5 : reached), false));
            }
        }

        private void send(ObjectEvent<String> event) {
            if (!stalled) {
                sink.next(event);
            }
        }

        void end(boolean inOrder) {
            if (stalled) {
                return;
            }
            if (inOrder) {
                sink.complete();
            } else {
                sink.error(failure());
            }
        }
    }
}
