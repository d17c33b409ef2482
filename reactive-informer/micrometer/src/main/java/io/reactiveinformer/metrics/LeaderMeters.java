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
    private final AtomicInteger leaders = new AtomicInteger(); // one at most, except while one candidate hands over to another
    private final AtomicBoolean logged = new AtomicBoolean();
    private final String lease;

    LeaderMeters(Meters meters, String lease) {
        this.lease = lease;
        Tags tags = meters.tags("lease", lease);
        Gauge.builder("leader.leading", leaders, leading -> leading.get() > 0 ? 1 : 0)
                .description("1 while we lead")
                .tags(tags)
                .strongReference(true)
                .register(meters.registry());
        terms = Counter.builder("leader.terms").description("Times that we became the leader").tags(tags).register(meters.registry());
        troubles = Counter.builder("leader.troubles").description("Tries to get or keep the lease that failed")
                .tags(tags).register(meters.registry());
    }

    /** A consumer of the states of one more candidate. */
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
