package io.reactiveinformer.informer;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/** An informer that caches only some objects leaves out the others of what it receives, and nothing else. */
class KeyFilterTest {

    private static final Namespaces ALL = Namespaces.all();
    private static final ObjectKey MINE = ObjectKey.clusterScoped("mine");
    private static final ObjectKey OTHER = ObjectKey.clusterScoped("other");

    private final KeyFilter kept = new KeyFilter();
    private final Store<String> store = Store.create();

    private static Delta<String> upserted(ObjectKey key, String version) {
        return new Delta.Upserted<>(ALL, key, new Versioned<>("u", version, key + "@" + version));
    }

    private static Delta<String> listed(String version, boolean newEpoch, List<Delta<String>> differences) {
        return new Delta.Replaced<>(ALL, differences, version, newEpoch);
    }

    @Test
    void aFilterThatKeepsEverythingEmitsEverything() {
        Delta<String> delta = upserted(OTHER, "7");
        assertThat(kept.in(delta)).isSameAs(delta);
        assertThat(kept.has(OTHER)).isTrue();
    }

    @Test
    void aListIsEmittedWithoutTheOthers() {
        kept.only(MINE::equals);
        store.apply(kept.in(listed("10", false, List.of(upserted(MINE, "5"), upserted(OTHER, "6")))));
        assertThat(store.lister().list()).containsExactly("mine@5");
        assertThat(store.reached(ALL)).isEqualTo("10");
    }

    /** Law 15: a restored server is another one also for an informer that keeps little of it: it would cache what is gone for ever. */
    @Test
    void aNewEpochStaysOne() {
        store.apply(listed("100", false, List.of(upserted(MINE, "90"))));
        kept.only(MINE::equals);
        store.apply(kept.in(listed("10", true, List.of(upserted(MINE, "9"), upserted(OTHER, "8")))));
        assertThat(store.lister().list()).containsExactly("mine@9");
        assertThat(store.reached(ALL)).isEqualTo("10");
    }

    /** Law 12: what happens to others says how far nothing is missing all the same. */
    @Test
    void whatHappensToOthersIsProgress() {
        kept.only(MINE::equals);
        assertThat(kept.in(upserted(MINE, "7"))).isEqualTo(upserted(MINE, "7"));
        assertThat(kept.in(upserted(OTHER, "8"))).isEqualTo(new Delta.Progressed<>(ALL, "8"));
        assertThat(kept.in(new Delta.Progressed<String>(ALL, "9"))).isEqualTo(new Delta.Progressed<>(ALL, "9"));
        var last = new Versioned<>("u", "8", "other@8");
        assertThat(kept.in(new Delta.Deleted<>(ALL, OTHER, last, DeletionCause.INFERRED))).as("nobody knows how far").isNull();
    }

    @Test
    void sourcesAreAskedForWhatIsKeptAndWanted() {
        var asked = new ArrayList<Reading<String>>();
        ListerWatcher<String> source = new ListerWatcher<>() {
            @Override
            public Identity identity() {
                return new Identity("texts", ALL, true, Past.ALL);
            }

            @Override
            public Flux<ObjectEvent<String>> list(ListOptions options, Reading<String> reading) {
                asked.add(reading);
                return Flux.empty();
            }

            @Override
            public Flux<ObjectEvent<String>> watch(WatchOptions options, Reading<String> reading) {
                asked.add(reading);
                return Flux.empty();
            }
        };
        assertThat(kept.around(source)).as("nothing is left out").isSameAs(source);
        kept.only(MINE::equals);
        store.apply(upserted(MINE, "7"));
        ListerWatcher<String> narrowed = kept.around(source);
        assertThat(narrowed.identity()).as("most of the first objects may be unwanted")
                .isEqualTo(new ListerWatcher.Identity("texts", ALL, true, ListerWatcher.Past.ONE));
        narrowed.list(ListOptions.defaults(), Reading.of(store::find)).subscribe();
        narrowed.watch(WatchOptions.from("7", Duration.ofMinutes(5)), Reading.of(store::find)).subscribe();
        narrowed.list(ListOptions.defaults().withKey(OTHER), Reading.of(store::find)).subscribe();
        assertThat(asked.remove(2).wanted()).as("one object is listed, kept or not").isNull();
        assertThat(asked).hasSize(2).allSatisfy(reading -> {
            assertThat(reading.wanted().test(MINE, null)).isTrue();
            assertThat(reading.wanted().test(OTHER, null)).isFalse();
            assertThat(reading.find(MINE)).isSameAs(store.find(MINE));
        });
    }
}
