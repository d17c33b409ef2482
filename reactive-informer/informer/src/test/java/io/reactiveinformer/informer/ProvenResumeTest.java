package io.reactiveinformer.informer;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.Versioned;
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
    private Flux<ObjectEvent<String>> list = Flux.just(new ObjectEvent.PageEnd<>("60", null));
    private Flux<ObjectEvent<String>> watch = Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>()).concatWith(Flux.never());

    private static ObjectEvent<String> added(String version) {
        return new ObjectEvent.Applied<>(ObjectKey.clusterScoped("a"), new Versioned<>("u", version, "a"));
    }

    private static ObjectEvent<String> bookmark(String version) {
        return new ObjectEvent.Bookmark<>(version, false);
    }

    private final ListerWatcher<String> source = new ListerWatcher<>() {
        @Override
        public Identity identity() {
            return Identity.of("texts", Namespaces.all());
        }

        @Override
        public Flux<ObjectEvent<String>> list(ListOptions options, Reading<String> reading) {
            asked.add("list limit=" + options.limit() + " " + options.match() + " " + options.resourceVersion());
            return Flux.defer(() -> list);
        }

        @Override
        public Flux<ObjectEvent<String>> watch(WatchOptions options, Reading<String> reading) {
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
        watch = Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>(), added("51"), added("59"), added("60"), added("61"))
                .concatWith(Flux.never());
        assertThat(watch()).containsExactly("Applied", "Applied", "Applied", "Opened", "Applied");
        time.advanceTimeBy(ProvenResume.QUIET.multipliedBy(2));
        assertThat(received).as("once").hasSize(5);
    }

    @Test
    void aBookmarkShowsThatItHasCaughtUp() {
        watch = Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>(), bookmark("55"), added("56"), bookmark("60"))
                .concatWith(Flux.never());
        assertThat(watch()).as("before it, no bookmark, which would say that nothing is missing")
                .containsExactly("Applied", "Opened", "Bookmark");
    }

    /** A type that is quiet does not reach the version of the whole store, nor is there a bookmark on every server. */
    @Test
    void isOpenWhenNothingMoreHasComeForAWhile() {
        Sinks.Many<ObjectEvent<String>> events = Sinks.many().unicast().onBackpressureBuffer();
        watch = events.asFlux();
        watch();
        events.tryEmitNext(new ObjectEvent.Opened<>());
        for (String version : List.of("51", "52", "53")) {
            time.advanceTimeBy(ProvenResume.QUIET.minusMillis(1));
            events.tryEmitNext(added(version));
        }
        time.advanceTimeBy(ProvenResume.QUIET.minusMillis(1));
        assertThat(received).containsExactly("Applied", "Applied", "Applied");
        time.advanceTimeBy(Duration.ofMillis(1));
        events.tryEmitNext(bookmark("54"));
        assertThat(received).containsExactly("Applied", "Applied", "Applied", "Opened", "Bookmark");
    }

    @Test
    void goesOnCatchingUpWhereItWasCutOff() {
        watch = Flux.just(new ObjectEvent.Opened<>(), added("51"));
        assertThat(watch()).containsExactly("Applied", "closed");
        time.advanceTimeBy(ProvenResume.QUIET);
        assertThat(received).as("it is over").containsExactly("Applied", "closed");
        asked.clear();
        list = Flux.just(new ObjectEvent.PageEnd<>("70", null));
        watch = Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>(), added("60"), added("70")).concatWith(Flux.never());
        assertThat(watch("51")).containsExactly("Applied", "Applied", "Opened");
        assertThat(asked).containsExactly("list limit=1 NOT_OLDER_THAN 51", "watch 51");
    }

    @Test
    void wasNeverOpenWhenItWasRefused() {
        watch = Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>()).concatWith(
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
        list = Flux.just(new ObjectEvent.PageEnd<>("some", null));
        watch = Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>(), added("another")).concatWith(Flux.never());
        assertThat(watch("some")).containsExactly("Applied", "Opened");
    }

    /** A process that stood still finds its time over before it receives what has come. */
    @Test
    void aLeapOfTimeIsNoSilence() {
        Sinks.Many<ObjectEvent<String>> events = Sinks.many().unicast().onBackpressureBuffer();
        watch = events.asFlux();
        watch();
        events.tryEmitNext(new ObjectEvent.Opened<>());
        time.advanceTimeBy(ProvenResume.QUIET.minusMillis(1));
        events.tryEmitNext(added("51"));
        time.advanceTimeBy(ProvenResume.QUIET.dividedBy(2));
        assertThat(received).containsExactly("Applied");
        time.advanceTimeBy(ProvenResume.QUIET.dividedBy(2));
        assertThat(received).containsExactly("Applied", "Opened");
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
        watch = Flux.just(new ObjectEvent.Opened<>(), added("60"));
        watch();
        asked.clear();
        assertThat(watch()).containsExactly("Opened", "Applied", "closed");
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
