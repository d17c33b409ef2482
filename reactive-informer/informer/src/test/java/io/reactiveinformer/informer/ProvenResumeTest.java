package io.reactiveinformer.informer;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.resource.WatchEvent;
import io.reactiveinformer.source.ListerWatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A watch from a version that an earlier process saved.
 *
 * <p>Planted once, and caught: an opening with the first event; bookmarks that are not delayed; silence that never opens.
 */
class ProvenResumeTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final List<String> asked = new ArrayList<>();
    private final List<String> received = new ArrayList<>();
    private Flux<ListEvent<String>> list = Flux.just(new ListEvent.End<>("60", null));
    private Flux<WatchEvent<String>> watch = Flux.<WatchEvent<String>>just(new WatchEvent.Opened<>()).concatWith(Flux.never());

    private static WatchEvent<String> added(String version) {
        return new WatchEvent.Added<>(ObjectKey.clusterScoped("a"), new Versioned<>("u", version, "a"));
    }

    private static WatchEvent<String> bookmark(String version) {
        return new WatchEvent.Bookmark<>(version, false);
    }

    private final ListerWatcher<String> source = new ListerWatcher<>() {
        @Override
        public Identity identity() {
            return Identity.of("texts", Namespaces.all());
        }

        @Override
        public Flux<ListEvent<String>> list(ListOptions options, Reading<String> reading) {
            asked.add("list limit=" + options.limit() + " " + options.match() + " " + options.resourceVersion());
            return Flux.defer(() -> list);
        }

        @Override
        public Flux<WatchEvent<String>> watch(WatchOptions options, Reading<String> reading) {
            asked.add("watch " + options.resourceVersion());
            return Flux.defer(() -> watch);
        }
    };

    private ProvenResume<String> resume = new ProvenResume<>(source, "50", time);

    private List<String> watch() {
        return watch("50");
    }

    private List<String> watch(String from) {
        received.clear();
        resume.watch(WatchOptions.from(from, TIMEOUT), Reading.anew()).subscribe(
                event -> received.add(event.getClass().getSimpleName()), failure -> received.add(failure.getMessage()),
                () -> received.add("closed"));
        return received;
    }

    @Test
    void isOpenWhenNothingHasComeForAWhile() {
        watch();
        assertThat(asked).containsExactly("list limit=1 NOT_OLDER_THAN 50", "watch 50");
        assertThat(received).isEmpty();
        time.advanceTimeBy(ProvenResume.QUIET);
        assertThat(received).containsExactly("Opened");
    }

    /** What the server's answer was as current as. */
    @Test
    void isOpenWhenItHasCaughtUp() {
        watch = Flux.<WatchEvent<String>>just(new WatchEvent.Opened<>(), added("51"), added("59"), added("60"), added("61"))
                .concatWith(Flux.never());
        assertThat(watch()).containsExactly("Added", "Added", "Added", "Opened", "Added");
        time.advanceTimeBy(ProvenResume.QUIET.multipliedBy(2));
        assertThat(received).as("once").hasSize(5);
    }

    @Test
    void aBookmarkShowsThatItHasCaughtUp() {
        watch = Flux.<WatchEvent<String>>just(new WatchEvent.Opened<>(), bookmark("55"), added("56"), bookmark("60"))
                .concatWith(Flux.never());
        assertThat(watch()).as("before it, no bookmark, which would say that nothing is missing")
                .containsExactly("Added", "Opened", "Bookmark");
    }

    /** A type that is quiet does not reach the version of the whole store, nor is there a bookmark on every server. */
    @Test
    void isOpenWhenNothingMoreHasComeForAWhile() {
        Sinks.Many<WatchEvent<String>> events = Sinks.many().unicast().onBackpressureBuffer();
        watch = events.asFlux();
        watch();
        events.tryEmitNext(new WatchEvent.Opened<>());
        for (String version : List.of("51", "52", "53")) {
            time.advanceTimeBy(ProvenResume.QUIET.minusMillis(1));
            events.tryEmitNext(added(version));
        }
        time.advanceTimeBy(ProvenResume.QUIET.minusMillis(1));
        assertThat(received).containsExactly("Added", "Added", "Added");
        time.advanceTimeBy(Duration.ofMillis(1));
        events.tryEmitNext(bookmark("54"));
        assertThat(received).containsExactly("Added", "Added", "Added", "Opened", "Bookmark");
    }

    @Test
    void goesOnCatchingUpWhereItWasCutOff() {
        watch = Flux.just(new WatchEvent.Opened<>(), added("51"));
        assertThat(watch()).containsExactly("Added", "closed");
        time.advanceTimeBy(ProvenResume.QUIET);
        assertThat(received).as("it is over").containsExactly("Added", "closed");
        asked.clear();
        list = Flux.just(new ListEvent.End<>("70", null));
        watch = Flux.<WatchEvent<String>>just(new WatchEvent.Opened<>(), added("60"), added("70")).concatWith(Flux.never());
        assertThat(watch("51")).containsExactly("Added", "Added", "Opened");
        assertThat(asked).containsExactly("list limit=1 NOT_OLDER_THAN 51", "watch 51");
    }

    @Test
    void wasNeverOpenWhenItWasRefused() {
        watch = Flux.<WatchEvent<String>>just(new WatchEvent.Opened<>()).concatWith(
                Flux.error(StatusException.of(Status.of(410, "Expired", "too old"), "watch texts")));
        assertThat(watch()).singleElement().asString().contains("410 Expired");
    }

    @Test
    void doesNotWatchFromAVersionThatTheServerDoesNotKnow() {
        list = Flux.error(StatusException.of(Status.of(504, "Timeout", "Too large resource version"), "list texts"));
        assertThat(watch()).singleElement().asString().contains("Too large resource version");
        assertThat(asked).hasSize(1);
    }

    /** Law 15: then only equality counts, and nothing else shows when the watch has caught up. */
    @Test
    void versionsThatHaveNoOrderProveNothingUnlessEqual() {
        resume = new ProvenResume<>(source, "some", time);
        list = Flux.just(new ListEvent.End<>("some", null));
        watch = Flux.<WatchEvent<String>>just(new WatchEvent.Opened<>(), added("another")).concatWith(Flux.never());
        assertThat(watch("some")).containsExactly("Added", "Opened");
    }

    /** A process that stood still finds its time over before it receives what has come. */
    @Test
    void aLeapOfTimeIsNoSilence() {
        Sinks.Many<WatchEvent<String>> events = Sinks.many().unicast().onBackpressureBuffer();
        watch = events.asFlux();
        watch();
        events.tryEmitNext(new WatchEvent.Opened<>());
        time.advanceTimeBy(ProvenResume.QUIET.minusMillis(1));
        events.tryEmitNext(added("51"));
        time.advanceTimeBy(ProvenResume.QUIET.dividedBy(2));
        assertThat(received).containsExactly("Added");
        time.advanceTimeBy(ProvenResume.QUIET.dividedBy(2));
        assertThat(received).containsExactly("Added", "Opened");
    }

    @Test
    void isNotWaitedForWithoutEnd() {
        list = Flux.never();
        watch();
        time.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(received).singleElement().asString().contains("no answer to the question whether version 50 is known, within 60 s");
    }

    @Test
    void isProvenOnce() {
        watch = Flux.just(new WatchEvent.Opened<>(), added("60"));
        watch();
        asked.clear();
        assertThat(watch()).containsExactly("Opened", "Added", "closed");
        assertThat(asked).containsExactly("watch 50");
    }

    /** The watch may repeat what came before the saved version. */
    @Test
    void asksForWhatIsNotOlderThanWhatWasSaved() {
        watch("40");
        assertThat(asked).containsExactly("list limit=1 NOT_OLDER_THAN 50", "watch 40");
    }

    @Test
    void needsNoProofOfWhatWasListed() {
        resume.list(ListOptions.defaults(), Reading.anew()).blockLast();
        asked.clear();
        watch();
        assertThat(asked).containsExactly("watch 50");
    }
}
