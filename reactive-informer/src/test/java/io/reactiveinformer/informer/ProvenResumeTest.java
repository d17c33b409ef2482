package io.reactiveinformer.informer;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.Known;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Scope;
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
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** A watch from a version that an earlier process saved. */
class ProvenResumeTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final WatchEvent<String> ADDED =
            new WatchEvent.Added<>(ObjectKey.clusterScoped("a"), new Versioned<>("u", "51", "a"));

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final List<String> asked = new ArrayList<>();
    private Flux<ListEvent<String>> list = Flux.just(new ListEvent.End<>("60", null));
    private Flux<WatchEvent<String>> watch = Flux.<WatchEvent<String>>just(new WatchEvent.Opened<>()).concatWith(Flux.never());

    private final ListerWatcher<String> source = new ListerWatcher<>() {
        @Override
        public String description() {
            return "texts";
        }

        @Override
        public Scope part() {
            return Scope.all();
        }

        @Override
        public Flux<ListEvent<String>> list(ListOptions options, Known<String> known) {
            asked.add("list limit=" + options.limit() + " " + options.match() + " " + options.resourceVersion());
            return Flux.defer(() -> list);
        }

        @Override
        public Flux<WatchEvent<String>> watch(WatchOptions options, Known<String> known) {
            asked.add("watch " + options.resourceVersion());
            return Flux.defer(() -> watch);
        }
    };

    private final ProvenResume<String> resume = new ProvenResume<>(source, "50", time);

    private List<String> watch() {
        List<String> heard = new ArrayList<>();
        resume.watch(WatchOptions.from("50", TIMEOUT), Known.none()).subscribe(
                event -> heard.add(event.getClass().getSimpleName()), failure -> heard.add(failure.getMessage()), () -> heard.add("closed"));
        return heard;
    }

    @Test
    void isOpenWhenNothingHasComeForAWhile() {
        List<String> heard = watch();
        assertThat(asked).containsExactly("list limit=1 NOT_OLDER_THAN 50", "watch 50");
        assertThat(heard).isEmpty();
        time.advanceTimeBy(ProvenResume.QUIET);
        assertThat(heard).containsExactly("Opened");
    }

    @Test
    void isOpenAtOnceWhenSomethingCame() {
        watch = Flux.<WatchEvent<String>>just(new WatchEvent.Opened<>(), ADDED, ADDED).concatWith(Flux.never());
        assertThat(watch()).containsExactly("Opened", "Added", "Added");
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

    @Test
    void isNotWaitedForWithoutEnd() {
        list = Flux.never();
        List<String> heard = watch();
        time.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(heard).singleElement().asString().contains("no answer to whether version 50 is known, within 60 s");
    }

    @Test
    void isProvenOnce() {
        watch = Flux.just(new WatchEvent.Opened<>(), ADDED);
        watch();
        asked.clear();
        assertThat(watch()).containsExactly("Opened", "Added", "closed");
        assertThat(asked).containsExactly("watch 50");
    }

    @Test
    void needsNoProofOfWhatWasListed() {
        resume.list(ListOptions.defaults(), Known.none()).blockLast();
        asked.clear();
        watch();
        assertThat(asked).containsExactly("watch 50");
    }
}
