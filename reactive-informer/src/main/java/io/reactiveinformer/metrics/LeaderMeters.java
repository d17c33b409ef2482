package io.reactiveinformer.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.reactiveinformer.leader.Leadership;
import java.util.function.Consumer;

/** Of one candidate. Told by one thread after the other. */
final class LeaderMeters implements Consumer<Leadership> {

    private final Counter terms;
    private final Counter troubles;
    private volatile boolean leading;

    LeaderMeters(MeterRegistry registry, String lease) {
        Tags tags = Tags.of("lease", lease);
        Gauge.builder("leader.leading", this, meters -> meters.leading ? 1 : 0)
                .description("1 while we lead")
                .tags(tags)
                .strongReference(true)
                .register(registry);
        terms = Counter.builder("leader.terms").description("Times that we became the leader").tags(tags).register(registry);
        troubles = Counter.builder("leader.troubles").description("Tries to get or keep the lease that failed").tags(tags).register(registry);
    }

    @Override
    public void accept(Leadership now) {
        boolean leads = now instanceof Leadership.Leading;
        if (leads && !leading) {
            terms.increment();
        }
        leading = leads;
        if (now.trouble() != null) {
            troubles.increment();
        }
    }
}
