package io.reactiveinformer.controller;

import io.reactiveinformer.controller.ReconcileRequest.Cause;
import io.reactiveinformer.controller.ReconcileRequest.Written;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.queue.Result;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Notices keys that write the same object in each request, slows them down, and says which field differs: what is desired may contain a
 * random value or the time, or another writer changes it back. Without this, such a key writes as fast as the server answers, and if no
 * time passes, as in a test with a virtual clock, it would never end: then its requests fail, too.
 *
 * <p>A request that only the writes of the one before have caused counts as {@link #OWN}, any other as one: a status that follows the
 * changes of others is written often, too. After a request that writes nothing, only a write of the same content counts: another writer has
 * changed it back meanwhile.
 */
final class WriteLoops<K> {

    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

    static final int OWN = 10;
    static final int MANY = 20 * OWN;

    /** Requests further apart than this, and than the pause, are no loop. */
    private static final Duration SOON = Duration.ofSeconds(1);

    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
    private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(5);

    /** Requests of one key at one instant, also if they write without notice: only a clock that stands allows as many. */
    private static final int MANY_AT_ONCE = 2_000;

    private static final int FEW = 1_000;
    private static final int FIELDS_NAMED = 5;

    private final String controller;
    private final Duration longestPause;
    private final Scheduler timer;
    private final Map<K, Loop> loops = new ConcurrentHashMap<>(); // of the keys whose last request wrote something
    private volatile int sweepAt = FEW;

    // Guarded by itself: the requests of each key at the latest instant.
    private final Map<K, Integer> atOnce = new HashMap<>();
    private long instant;

    /** @param holdLimit the longest time for which a key may be held */
    WriteLoops(String controller, Duration holdLimit, Scheduler timer) {
        this.controller = controller;
        this.longestPause = shorter(LONGEST_PAUSE, holdLimit.dividedBy(2));
        this.timer = timer;
    }

    /** Made when a request has written something. A codec is large, and this one only writes. */
    private static final class Codec {

        static final ObjectCodec SHARED = ObjectCodec.create();
    }

    /** Used by one request at a time. */
    private static final class Loop {

        private long ended;
        private Duration pause = Duration.ZERO;
        private @Nullable Long warned;
        private boolean rested; // the last request wrote nothing
        private boolean runaway; // once, there were too many requests while no time passed: fewer are let in now
        private Map<Object, OfObject> objects = Map.of();
    }

    /**
     * The writes of one object.
     *
     * @param last the last one, with the answer only if it is needed
     * @param content a hash of what it stored
     * @param since when the first one in a row was made
     * @param weight the number of writes in a row, see {@link #OWN}
     * @param times the number of writes in a row
     * @param seen the cached object when the request began; null if there was none, or nobody asks yet
     * @param differing the fields that differed each time; null if that is not known
     */
    private record OfObject(Written last, int content, long since, int weight, int times, @Nullable Object seen,
            @Nullable Set<String> differing) {

        OfObject {
            last = isSuspect(weight) ? last : last.withoutAnswer();
        }

        static boolean isSuspect(int weight) {
            return weight > MANY / 2;
        }

        OfObject next(Written write, int itsContent, int more) {
            return new OfObject(write, itsContent, since, weight + more, times + 1, seen, differing);
        }

        OfObject seeing(@Nullable Object now, @Nullable Set<String> fields) {
            Set<String> common = fields == null ? differing : fields;
            if (fields != null && differing != null) {
                common = new TreeSet<>(fields);
                common.retainAll(differing);
            }
            return new OfObject(last, content, since, weight, times, now, common);
        }
    }

    /** Called when a request begins. */
    void begin(ReconcileRequest<K> request) {
        Loop loop = loops.get(request.key());
        if (loop == null) {
            return;
        }
        if (now() - loop.ended > loop.pause.plus(SOON).toNanos()) {
            loops.remove(request.key());
            return;
        }
        Map<Object, OfObject> objects = new HashMap<>();
        loop.objects.forEach((id, one) -> objects.put(id, OfObject.isSuspect(one.weight) ? looked(one, loop.rested) : one));
        loop.objects = objects;
    }

    /** @param rested whether the fields that the last write changed are known already */
    private OfObject looked(OfObject one, boolean rested) {
        Object now = one.last.cached();
        Object answer = one.last.answer();
        Object after = one.seen != null && answer != null && answer.getClass() == one.seen.getClass() ? answer : now;
        return one.seeing(now, rested || one.seen == null || after == null ? null : differing(one.seen, after));
    }

    /** Called when the work of a request has ended, before the waits of the request begin. Returns the result of the request. */
    Result ended(ReconcileRequest<K> request, Result result) {
        try {
            String trouble = judge(request);
            return trouble == null || result instanceof Result.Failed ? result : Result.failed(new IllegalStateException(trouble));
        } catch (RuntimeException failure) { // such as an equals of the user: no reason to lose the result
            LOG.debug("{}: its writes could not be compared", request, failure);
            return result;
        }
    }

    /** What is wrong if no time passes; otherwise null, also for a key that is slowed down. */
    private @Nullable String judge(ReconcileRequest<K> request) {
        long now = now();
        Loop before = loops.get(request.key());
        Loop loop = before == null ? new Loop() : before;
        List<Written> written = request.written();
        if (count(request.key(), now) > (loop.runaway ? OWN : MANY_AT_ONCE)) {
            loop.runaway = true;
            keep(request.key(), loop, now);
            return restrain(request, loop, null, now);
        } else if (written.isEmpty()) {
            loop.rested = true;
            return null;
        }
        boolean own = !loop.rested && isCausedBy(loop.objects, request);
        Map<Object, OfObject> objects = new HashMap<>();
        OfObject worst = null;
        for (Written one : written) {
            OfObject known = loop.objects.get(one.id());
            if (known != null && known.last.version().equals(one.version())) {
                continue; // nothing was changed, so nothing follows from it
            }
            int content = content(one.answer());
            OfObject next = known == null || loop.rested && content != known.content
                    ? new OfObject(one, content, now, 1, 1, null, null)
                    : known.next(one, content, own ? OWN : 1);
            objects.put(one.id(), next);
            worst = worst == null || next.weight > worst.weight ? next : worst;
        }
        loop.rested = false;
        loop.objects = objects;
        keep(request.key(), loop, now);
        if (worst == null || worst.weight < MANY) {
            loop.pause = Duration.ZERO;
            return null;
        }
        return restrain(request, loop, worst, now);
    }

    /** @param worst the object that was written most often; null if no time passes */
    private @Nullable String restrain(ReconcileRequest<K> request, Loop loop, @Nullable OfObject worst, long now) {
        loop.pause = shorter(loop.pause.isZero() ? SOON : loop.pause.multipliedBy(2), longestPause);
        request.holdUntil("the end of a pause of " + loop.pause.toMillis() + " ms, since it is worked on again and again",
                Mono.delay(loop.pause, timer));
        boolean fails = worst == null || now == worst.since;
        Long warned = loop.warned;
        boolean warns = warned == null || now - warned >= BETWEEN_WARNINGS.toNanos();
        if (!fails && !warns) {
            return null;
        }
        String text = "controller " + controller + ", key " + request.key() + ": " + (worst == null
                ? "is worked on again and again, more than " + MANY_AT_ONCE + " times while no time passed, the last time because of "
                        + request.causes()
                : "writes " + worst.last.what() + " again and again, " + worst.times + " times within "
                        + Duration.ofNanos(now - worst.since).toMillis() + " ms: " + reason(worst))
                + ". Until it rests, it is worked on after pauses of up to " + longestPause.toSeconds() + " s";
        if (warns) {
            loop.warned = now;
            LOG.warn("{}", text);
        }
        return fails ? text : null;
    }

    private static String reason(OfObject worst) {
        Set<String> fields = worst.differing;
        if (fields == null || fields.isEmpty()) {
            return "what is desired is never as the server stores it, or another writer changes it back";
        }
        String named = String.join(", ", fields.stream().limit(FIELDS_NAMED).toList());
        int more = fields.size() - FIELDS_NAMED;
        return "what is desired differs each time, in " + named + (more > 0 ? " and " + more + " more fields" : "")
                + ", or another writer changes it back";
    }

    private static boolean isCausedBy(Map<Object, OfObject> written, ReconcileRequest<?> request) {
        Set<Cause> causes = request.causes();
        return !causes.isEmpty() && causes.stream().allMatch(cause -> cause.kind() == Cause.Kind.AGAIN
                || written.values().stream().anyMatch(one -> one.last.isRow(cause)));
    }

    private int count(K key, long now) {
        synchronized (atOnce) {
            if (now != instant) {
                instant = now;
                atOnce.clear();
            }
            return atOnce.merge(key, 1, Integer::sum);
        }
    }

    private void keep(K key, Loop loop, long now) {
        loop.ended = now;
        loops.put(key, loop);
        if (loops.size() > sweepAt) {
            loops.values().removeIf(one -> now - one.ended > one.pause.plus(SOON).toNanos());
            sweepAt = Math.max(FEW, 2 * loops.size());
        }
    }

    /** The paths of the fields that differ, without values; null if that cannot be said. */
    private @Nullable Set<String> differing(Object before, Object after) {
        try {
            Set<String> fields = new TreeSet<>();
            compare("", tree(before), tree(after), fields);
            return fields;
        } catch (RuntimeException unreadable) {
            return null;
        }
    }

    private int content(@Nullable Object answer) {
        try {
            return answer == null ? 0 : tree(answer).hashCode();
        } catch (RuntimeException unreadable) {
            return 0;
        }
    }

    /** The object without what changes with each write. */
    private JsonNode tree(Object object) {
        JsonNode tree = AppliedFields.tree(Codec.SHARED.write(object));
        if (tree.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove(List.of("resourceVersion", "generation", "managedFields"));
        }
        return tree;
    }

    private static void compare(String path, JsonNode one, JsonNode other, Set<String> fields) {
        if (one.isObject() && other.isObject()) {
            Set<String> names = new TreeSet<>(one.propertyNames());
            names.addAll(other.propertyNames());
            names.forEach(name -> compare(path + step(path, name), one.path(name), other.path(name), fields));
        } else if (one.isArray() && other.isArray() && one.size() == other.size()) {
            for (int i = 0; i < one.size(); i++) {
                compare(path + "[" + i + "]", one.get(i), other.get(i), fields);
            }
        } else if (!one.equals(other)) {
            fields.add(path);
        }
    }

    private static String step(String path, String name) {
        return name.matches("[A-Za-z0-9_-]+") ? (path.isEmpty() ? "" : ".") + name : "[" + name + "]";
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private long now() {
        return timer.now(TimeUnit.NANOSECONDS);
    }
}
