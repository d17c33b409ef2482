package io.reactiveinformer.laws.informer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.test.Script;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import static io.reactiveinformer.test.Script.added;
import static io.reactiveinformer.test.Script.closesAfter;
import static io.reactiveinformer.test.Script.deleted;
import static io.reactiveinformer.test.Script.expired;
import static io.reactiveinformer.test.Script.modified;
import static io.reactiveinformer.test.Script.never;
import static io.reactiveinformer.test.Script.refusal;
import static io.reactiveinformer.test.Script.refused;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Stream scenarios 79 to 86 of an informer. Its neighbours are named where they are shown: 34 to 65 in {@code ChangeHubTest}, {@code
 * ChangeLawsTest} and
 * {@code ChangeRacesTest}, 66 to 75 in {@code StoreScenariosTest} and {@code StoreModelTest}, 76 in {@code MutationDetectorTest}, 77 and 85
 * in
 * {@code InformerFactoryTest}, 89 and 90 in {@code ResizeTest}, 93 to 98 in {@code DerivedViewsTest}. 51, 52, 59, 63, 71, 87, 88, 91, 92
 * and 95 are not in the collection that the numbers are of.
 */
class StreamInformerScenariosTest extends ScriptedInformer {

    private static final ObjectKey A = ObjectKey.clusterScoped("a");

    private static List<String> got(Mono<?> mono) {
        List<String> got = new ArrayList<>();
        mono.subscribe(value -> got.add("value"), failure -> got.add("failure " + failure), () -> got.add("complete"));
        return got;
    }

    private InformerStatus status() {
        return informer.status().blockFirst();
    }

    private Instant now() {
        return Instant.ofEpochMilli(time.now(TimeUnit.MILLISECONDS));
    }

    /** 79: a deletion too, by the version that it had. */
    @Test
    void showsADeletionOnceItHasCome() {
        startWith("a");
        List<String> got = got(informer.atLeast(A, "12"));
        happens(modified("a:2", "11"));
        assertThat(got).isEmpty();
        happens(deleted("a:2", "12"));
        assertThat(got).containsExactly("value", "complete");
        assertThat(informer.lister().get(A)).isEmpty();
    }

    /** 80. */
    @Test
    void aWriteIsShownByAListThatIsNewer() {
        server.onList("10", "a").onWatch("10", expired()).onList("50", "a:written").onWatch("50", never());
        informer.start();
        settle();
        List<String> got = got(informer.atLeast(A, "40"));
        settle();
        assertThat(got).isEmpty();
        time.advanceTimeBy(Duration.ofSeconds(5));
        assertThat(got).containsExactly("value", "complete");
    }

    /** 81. */
    @Test
    void whoAwaitsSeesAbsenceDeletionAndRecreation() {
        List<String> absent = got(informer.awaitAbsent(A));
        List<String> second = got(informer.await(A, object -> object.equals("a:second")));
        startWith();
        assertThat(absent).as("absent from the first").containsExactly("complete");
        happens(added("a:first", "11"));
        assertThat(second).isEmpty();
        List<String> gone = got(informer.awaitAbsent(A));
        settle();
        assertThat(gone).isEmpty();
        happens(deleted("a:first", "12"));
        assertThat(gone).containsExactly("complete");
        happens(added("a:second", "13"));
        assertThat(second).containsExactly("value", "complete");
    }

    /** 82: a late observer receives the current state. 83: staleness grows while nobody is received, and is over with the next watch. */
    @Test
    void isStaleFromTheDisruptionToTheNextWatch() {
        server.onList("10", "a").onWatch("10", closesAfter()).onWatch("10", refused(refusal(503, "ServiceUnavailable", "down")))
                .onWatch("10", never());
        informer.start();
        settle();
        Instant cut = now();
        InformerStatus down = status();
        assertThat(down.state()).isEqualTo(State.DISRUPTED);
        assertThat(down.synced()).isTrue();
        assertThat(down.staleSince()).isEqualTo(cut);
        time.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(status().staleSince()).as("since the first of two failures").isEqualTo(cut);
        assertThat(status().staleness(now())).isEqualTo(Duration.ofSeconds(1));
        time.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(status().state()).isEqualTo(State.LIVE);
        assertThat(status().staleSince()).isNull();
        assertThat(status().staleness(now())).isZero();
    }

    /** 83: nothing is stale where nothing is served; what was listed and is not watched yet is as old as the list. */
    @Test
    void isStaleOnlyWithSomethingToServe() {
        server.onList(refused(refusal(403, "Forbidden", "no"))).onList("10", "a")
                .onWatch("10", refused(refusal(503, "ServiceUnavailable", "down")));
        informer.start();
        settle();
        assertThat(status().staleSince()).isNull();
        time.advanceTimeBy(Duration.ofMillis(900));
        assertThat(status().state()).isEqualTo(State.DISRUPTED);
        assertThat(status().synced()).isTrue();
        assertThat(status().staleSince()).isEqualTo(Instant.ofEpochMilli(800));
    }

    /** 86. */
    @Test
    void aWatchThatClosesInOrderIsNoErrorInTheLog() {
        var log = new ListAppender<ILoggingEvent>();
        log.start();
        var logger = (Logger) LoggerFactory.getLogger("io.reactiveinformer");
        logger.addAppender(log);
        server.onList("10", "a").onWatch("10", closesAfter(added("b", "11")))
                .onWatch("11", Script.<String>never().take(Duration.ofMinutes(5), time))
                .onWatch("11", never());
        informer.start();
        time.advanceTimeBy(Duration.ofMinutes(7));
        logger.detachAppender(log);
        server.verifyPlayedToTheEnd();
        assertThat(log.list).filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN)).isEmpty();
    }
}
