package io.reactiveinformer.leader;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.reactiveinformer.Rounds;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.fail;

/**
 * Elections as {@link Election} has them, one a seed. {@code -Dleader.seeds=N} plays more, {@code -Dleader.seed=N} from another one.
 *
 * <p>Planted, one at a time, and caught within 2,000 seeds: terms that count from an answer, are longer than others wait, or go by one
 * clock alone; pauses and tries that outlast a term; others' leases that count from another time than when they were seen to change, or by
 * another duration than they say, or by the time of day; a 409 taken for success; a lease given back, or taken, by its name alone; writes
 * without the version that was seen; tokens that do not grow; terms that hold after they have ended. What needs a hand that edits or
 * deletes the lease, or two failures at a time, the scripted tests of this package have.
 */
@Tag("long")
class LeadershipPropertyTest {

    private static final int SEEDS = 2_000;
    private static final int PART = 1_000;
    /** Of each so many seeds one: it takes as long as what goes before, and sees less. */
    private static final int TO_THE_END = 8;
    private static final Duration ONE_SEED = Duration.ofSeconds(30);

    /** A hundred lines a seed. */
    private static final Logger LOG = (Logger) LoggerFactory.getLogger(LeaderElector.class);

    @BeforeAll
    static void beQuiet() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void speakAgain() {
        LOG.setLevel(null);
    }

    /** Who dies is never closed: clients and the watchdog remember it until the end of the test, so that each has a part of the seeds. */
    static Stream<Arguments> elections() {
        long[] seeds = Rounds.seeds("leader", SEEDS);
        long first = seeds[0];
        long end = first + seeds.length;
        return IntStream.of(2, 5).boxed().flatMap(candidates -> LongStream.iterate(first, from -> from < end, from -> from + PART)
                .mapToObj(from -> Arguments.of(candidates, from, Math.min(from + PART, end))));
    }

    @ParameterizedTest
    @MethodSource("elections")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void nobodyLeadsBesideAnother(int candidates, long from, long to) {
        var clients = new ReusedClient.Pool();
        for (long seed = from; seed < to; seed++) {
            try {
                var election = new Election(seed, candidates, clients);
                assertTimeoutPreemptively(ONE_SEED, seed % TO_THE_END == 0 ? election::playToTheEnd : election::play);
            } catch (Throwable failure) {
                fail("-Dleader.seed=" + seed + " -Dleader.seeds=1, " + candidates + " candidates", failure);
            }
        }
    }
}
