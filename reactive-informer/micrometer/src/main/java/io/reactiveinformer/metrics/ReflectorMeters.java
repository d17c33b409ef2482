package io.reactiveinformer.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.resource.ObjectEvent;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Meters of the reflectors of all informers with one description. The meters of frequent events are looked up once. */
final class ReflectorMeters implements Reflector.Observer {

    private final MeterRegistry registry;
    private final Set<Meter> made = new HashSet<>(); // guarded by this
    private boolean removed; // guarded by this
    private final Tags tags;
    private final Counter lists;
    private final Timer listed;
    private final Timer watched;
    private final Timer silence;
    private final Counter upserts;
    private final Counter deletions;
    private final Counter bookmarks;
    private final Counter unreadable;

    ReflectorMeters(Meters meters, String informer) {
        this.registry = meters.registry();
        this.tags = meters.tags("informer", informer);
        this.lists = Counter.builder("informer.lists").description("Requests for the complete state")
                .tags(tags).register(registry);
        this.listed = Timer.builder("informer.list").description("Complete states that were received, by duration")
                .tags(tags).register(registry);
        this.watched = Timer.builder("informer.watch").description("Ended watches, by the time for which they were open")
                .tags(tags).register(registry);
        this.silence = Timer.builder("informer.silence")
                .description("The time for which the server had not confirmed its position, recorded when it does")
                .tags(tags)
                .register(registry);
        this.upserts = events("upserted");
        this.deletions = events("deleted");
        this.bookmarks = events("bookmark");
        this.unreadable = events("unreadable");
        made.addAll(List.of(lists, listed, watched, silence, upserts, deletions, bookmarks, unreadable));
    }

    /** Removes the meters. Later events, of reflectors that have not noticed their end yet, are not counted. */
    synchronized void remove() {
        removed = true;
        made.forEach(registry::remove);
    }

    private Counter events(String type) {
        return Counter.builder("informer.events").description("Events that watches received").tags(tags.and("type", type))
                .register(registry);
    }

    @Override
    public void listing(String reason) {
        lists.increment();
    }

    @Override
    public void listed(int objects, Duration took) {
        listed.record(took);
    }

    @Override
    public void stale(Duration time) {
        silence.record(time);
    }

    @Override
    public void received(ReflectorEvent<?> event) {
        ObjectEvent<?> object = event instanceof ReflectorEvent.Received<?> received ? received.event() : null;
        if (object instanceof ObjectEvent.Applied) {
            upserts.increment();
        } else if (object instanceof ObjectEvent.Deleted) {
            deletions.increment();
        } else if (object instanceof ObjectEvent.Bookmark) {
            bookmarks.increment();
        } else if (object instanceof ObjectEvent.Unreadable) {
            unreadable.increment();
        }
    }

    @Override
    public void watched(int events, Duration lasted) {
        watched.record(lasted);
    }

    @Override
    public synchronized void disrupted(ReflectorEvent.Disrupted<?> disruption) {
        if (removed) {
            return;
        }
        Counter disruptions = Counter.builder("informer.disruptions")
                .description("Times that the server was lost, by why, and by what comes next: a list, or a watch that resumes")
                .tags(tags.and("cause", FailureTags.of(disruption.cause()), "next", disruption.relist() ? "list" : "watch"))
                .register(registry);
        made.add(disruptions);
        disruptions.increment();
    }
}
