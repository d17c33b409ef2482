package io.reactiveinformer.test.faults;

import io.reactiveinformer.test.cluster.ApiFailure;
import io.reactiveinformer.test.server.ApiRequest;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Which faults come by chance, and how often. */
public final class RandomFaults {

    private static final int MOST_EVENTS = 6;
    private static final int MOST_BYTES = 4000;

    private final Faults faults;
    private final long seed;
    private double rate = 0.5;
    private int times = Integer.MAX_VALUE;

    RandomFaults(Faults faults, long seed) {
        this.faults = faults;
        this.seed = seed;
    }

    /**
     * How many of the requests meet one.
     *
     * @param rate between 0 and 1
     */
    public RandomFaults rate(double rate) {
        this.rate = rate;
        return this;
    }

    /** How many there are at most; then all goes well. */
    public RandomFaults times(int n) {
        this.times = n;
        return this;
    }

    /** Lists and watches of {@code plural} are let down from now on. What has happened is in {@link Faults#occurrences}. */
    public Fault onListsAndWatches(String plural) {
        Random random = new Random(seed);
        Effect effect = (request, answer, happened) -> next(random, request).apply(request, answer, happened);
        return faults.add(new Fault(
                "by chance (seed " + seed + ")",
                request -> request.plural().equals(plural) && (request.verb().equals("list") || request.verb().equals("watch"))
                        && chance(random),
                effect,
                0,
                times));
    }

    private boolean chance(Random random) {
        synchronized (random) {
            return random.nextDouble() < rate;
        }
    }

    private Effect next(Random random, ApiRequest request) {
        synchronized (random) {
            List<Effect> choices = choices(random, request.verb().equals("watch"));
            return choices.get(random.nextInt(choices.size()));
        }
    }

    private List<Effect> choices(Random random, boolean watch) {
        Cut way = random.nextBoolean() ? Cut.FIN : Cut.RST;
        var point = random.nextBoolean()
                ? new Point(random.nextInt(MOST_EVENTS), Point.Unit.EVENTS)
                : new Point(random.nextInt(MOST_BYTES), Point.Unit.BYTES);
        long event = random.nextInt(MOST_EVENTS);
        Duration pause = Duration.ofSeconds(1 + random.nextInt(5));
        Effect slow = Effects.delay(Duration.ofMillis(random.nextInt(3000)), faults.scheduler());
        Effect overloaded = Effects.text(429, "Too many requests, please try again later.\n", pause);
        Effect broken = Effects.status(ApiFailure.of(500, "InternalError", "Internal error occurred: by chance"));
        return watch
                ? List.of(
                        Effects.refuse(), Effects.cut(point, way), Effects.truncate(point), Effects.change(event, Bodies::garbled),
                        Effects.change(event, Bodies::doubled), Effects.reorder(event), Effects.expire(Point.START), Effects.expire(point),
                        Effects.before(faults.compaction()), Effects.withoutEndMark(), slow, overloaded, broken)
                : List.of(
                        Effects.refuse(), Effects.cut(point, way), Effects.before(faults.compaction()), Effects.expire(Point.START), slow,
                        overloaded, broken);
    }
}
