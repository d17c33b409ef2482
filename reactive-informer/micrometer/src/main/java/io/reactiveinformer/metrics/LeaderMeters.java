package io.reactiveinformer.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.reactiveinformer.leader.Leadership;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Meters of the candidates for one lease, which may follow each other. */
final class LeaderMeters {

    private final Counter terms;
    private final Counter troubles;
    private final AtomicInteger leaders = new AtomicInteger(); // at most one, except while one candidate hands over to another
    private final AtomicBoolean logged = new AtomicBoolean();
    private final String lease;

    LeaderMeters(Meters meters, String lease) {
        this.lease = lease;
        Tags tags = meters.tags("lease", lease);
        Gauge.builder("leader.leading", leaders, leading -> leading.get() > 0 ? 1 : 0)
                .description("1 while this process leads")
                .tags(tags)
                .strongReference(true)
                .register(meters.registry());
        terms = Counter.builder("leader.terms").description("Terms that this process began").tags(tags).register(meters.registry());
        troubles = Counter.builder("leader.troubles").description("Failed tries to get or keep the lease")
                .tags(tags).register(meters.registry());
    }

    /** Creates a consumer for the states of one candidate. */
    Consumer<Leadership> candidate() {
        return new Candidate();
    }

    /** Called by one thread at a time. */
    private final class Candidate implements Consumer<Leadership> {

        private boolean leading;

        @Override
        public void accept(Leadership now) {
            Meters.contained(logged, "lease " + lease, () -> record(now));
        }

        private void record(Leadership now) {
            boolean leads = now instanceof Leadership.Leading;
            boolean before = leading;
            leading = leads;
            if (leads && !before) {
                leaders.incrementAndGet();
                terms.increment();
            } else if (!leads && before) {
                leaders.decrementAndGet();
            }
            if (now.trouble() != null) {
                troubles.increment();
            }
        }
    }
}
