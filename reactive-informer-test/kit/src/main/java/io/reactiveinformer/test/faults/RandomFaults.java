package io.reactiveinformer.test.faults;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.apiserver.Backup;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Random faults: of which kinds, and how often. Nothing happens before {@link #onListsAndWatches}. */
public final class RandomFaults {

    private static final int MOST_EVENTS = 6;
    private static final int MOST_BYTES = 4000;

    private final Faults faults;
    private final long seed;
    private double rate = 0.5;
    private int times = Integer.MAX_VALUE;
    private boolean inOrder;
    private final List<BiConsumer<Random, List<Effect>>> more = new ArrayList<>(); // they add choices

    RandomFaults(Faults faults, long seed) {
        this.faults = faults;
        this.seed = seed;
    }

    /**
     * The share of requests that a fault happens to. The default is 0.5.
     *
     * @param rate between 0 and 1
     */
    public RandomFaults rate(double rate) {
        this.rate = rate;
        return this;
    }

    /** The greatest number of faults, after which no more happen. Unlimited by default. */
    public RandomFaults times(int n) {
        this.times = n;
        return this;
    }

    /**
     * No watch sends a later event before an earlier one. A real API server never does. A client that receives events out of order cannot
     * know what it lacks until the earlier event comes, so code that relies on having seen its own writes may act too soon.
     */
    public RandomFaults inOrder() {
        this.inOrder = true;
        return this;
    }

    /** Some answers stop in the middle, or never begin, and do not end: the client must detect that itself, after minutes. */
    public RandomFaults stalls() {
        return also((random, choices) -> choices.add(Effects.stall(new Point(random.nextInt(MOST_EVENTS), Point.Unit.EVENTS))));
    }

    private RandomFaults also(BiConsumer<Random, List<Effect>> choice) {
        more.add(choice);
        return this;
    }

    /** Some requests restart the server without history; every connection is reset. */
    public RandomFaults restarts() {
        Faults.Host host = faults.host("a restart");
        return also((random, choices) -> choices.add(Effects.restart(host)));
    }

    /** Some requests make another server take over, with a few events of each type's history; every connection is reset. */
    public RandomFaults restartsKeeping() {
        Faults.Host host = faults.host("a restart");
        return also((random, choices) -> choices.add(Effects.restartKeeping(host, random.nextInt(MOST_EVENTS))));
    }

    /** Some requests save the store, and later ones restore what was saved: versions decrease, and every connection is reset. */
    public RandomFaults olderHistory() {
        Faults.Host host = faults.host("a restore");
        AtomicReference<@Nullable Backup> saved = new AtomicReference<>();
        return also((random, choices) -> {
            Backup backup = saved.get();
            if (backup != null) {
                choices.add(Effects.restore(host, backup));
            }
            if (backup == null || random.nextInt(MOST_EVENTS) == 0) {
                saved.set(backup == null ? host.backup() : null);
            }
        });
    }

    /**
     * Starts the faults, for lists and watches of {@code resource}. {@link Faults#occurrences} emits what happened.
     *
     * @throws IllegalArgumentException if the server has no such resource now
     */
    public Fault onListsAndWatches(String resource) {
        faults.requireResource(resource);
        Random random = new Random(seed);
        return faults.add(new Fault(
                "by chance (seed " + seed + ")",
                request -> request.isAbout(resource) && (request.verb() == Verb.LIST || request.verb() == Verb.WATCH)
                        && chance(random),
                request -> next(random, request),
                0,
                times), true);
    }

    private boolean chance(Random random) {
        synchronized (random) {
            return random.nextDouble() < rate;
        }
    }

    private Effect next(Random random, ApiRequest request) {
        synchronized (random) {
            List<Effect> choices = new ArrayList<>(choices(random, request.verb() == Verb.WATCH));
            more.forEach(choice -> choice.accept(random, choices));
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
        Duration delay = Duration.ofMillis(random.nextInt(3000));
        List<Effect> choices = new ArrayList<>(List.of(
                Effects.refuse(),
                Effects.cut(point, way),
                Effects.truncate(point),
                faults.host().ownsStore() ? Effects.compact(faults.host()) : Effects.expire(Point.START),
                Effects.expire(Point.START),
                Effects.delay(delay, faults.scheduler()),
                Effects.tooManyRequests(pause),
                Effects.status(ApiFailure.of(500, "InternalError", "Internal error occurred: by chance")),
                Effects.status(ApiFailure.tryAgain(503, "ServiceUnavailable", "the server is starting, by chance", 1)),
                Effects.status(ApiFailure.tooLarge("99999999", 1))));
        if (watch) {
            choices.addAll(List.of(
                    Effects.change("garbled", event, Bodies::garbled),
                    Effects.change("duplicated", event, Bodies::doubled),
                    Effects.expire(point),
                    Effects.endAtOnce(),
                    Effects.withoutEndMark()));
            if (!inOrder) {
                choices.add(Effects.reorder(event));
            }
        }
        return choices;
    }
}
