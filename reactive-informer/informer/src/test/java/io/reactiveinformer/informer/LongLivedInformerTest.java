package io.reactiveinformer.informer;

import io.reactiveinformer.Rounds;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.view.Change;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an informer keeps in memory after a long life is what it kept after a short one: objects are counted, not bytes or times. Planted
 * once, and caught: buckets of an index that stay when they are empty.
 */
class LongLivedInformerTest {

    private static final ObjectKey A = ObjectKey.clusterScoped("a");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    private final List<String> lists = new ArrayList<>();
    private int watches;
    private Function<Integer, Flux<ObjectEvent<Integer>>> watch = from -> Flux.never();

    private final ListerWatcher<Integer> server = new ListerWatcher<>() {
        @Override
        public Identity identity() {
            return Identity.of("numbers", Namespaces.all());
        }

        @Override
        public Flux<ObjectEvent<Integer>> list(ListOptions options, Reading<Integer> reading) {
            lists.add(String.valueOf(options.resourceVersion()));
            return Flux.just(new ObjectEvent.Applied<>(A, state(1)), new ObjectEvent.PageEnd<>("1", null));
        }

        @Override
        public Flux<ObjectEvent<Integer>> watch(WatchOptions options, Reading<Integer> reading) {
            watches++;
            return Flux.<ObjectEvent<Integer>>just(new ObjectEvent.Opened<>())
                    .concatWith(watch.apply(Integer.valueOf(options.resourceVersion())));
        }
    };

    private final Informer<Integer> informer =
            Informer.over(server, ReflectorOptions.defaults().withStreaming(false).withTimer(time).withRandom(() -> 0));

    @AfterEach
    void realTime() {
        VirtualTimeScheduler.reset();
    }

    private static Versioned<Integer> state(int number) {
        return new Versioned<>("u", "" + number, number);
    }

    private static ObjectEvent<Integer> event(int number) {
        return new ObjectEvent.Applied<>(A, state(number), true);
    }

    /** Instances of classes with these names that can be reached, after a collection. */
    private static long count(String... names) throws Exception {
        var histogram = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"),
                "gcClassHistogram", new Object[] {null}, new String[] {String[].class.getName()});
        return histogram.lines()
                .map(line -> line.trim().split("\\s+"))
                .filter(columns -> columns.length >= 4 && Arrays.stream(names).anyMatch(columns[3]::startsWith))
                .mapToLong(columns -> Long.parseLong(columns[1]))
                .sum();
    }

    private static long ourObjects() throws Exception {
        return count("io.reactiveinformer.", "reactor.", "java.util.concurrent.");
    }

    @Test
    void tenThousandReconnectsLeaveNothingAndRepeatNothing() throws Exception {
        watch = from -> Flux.just(event(from + 1), event(from + 2));
        List<Integer> received = new ArrayList<>(25_000);
        informer.changes().ofType(Change.Updated.class).subscribe(updated -> received.add((Integer) updated.after()));
        informer.changes().subscribe(new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {} // never requests
        });
        informer.start();
        reconnect(1_000);
        long before = ourObjects();
        reconnect(10_000);
        long after = ourObjects();

        assertThat(lists).containsExactly("0");
        assertThat(received).as("nothing twice, nothing left out").hasSizeGreaterThanOrEqualTo(10_000)
                .isSortedAccordingTo(Integer::compare).doesNotHaveDuplicates();
        assertThat(received.get(received.size() - 1)).isEqualTo(informer.lister().get(A).orElseThrow()).isGreaterThan(20_000);
        assertThat(after - before).as("objects more than after a thousand (%s then)", before).isLessThan(500);
    }

    private void reconnect(int number) {
        while (watches < number) {
            time.advanceTimeBy(Duration.ofSeconds(1));
        }
    }

    @Test
    @Timeout(300)
    void aMillionIndexValuesThatCameAndWentAreForgotten() throws Exception {
        int many = Rounds.many(1_000_000, 200_000);
        Index<Integer, Integer> self = Index.of("self", number -> number);
        Index<Integer, String> both = Index.ofMany("both", number -> List.of("n" + number, "m" + number / 2));
        watch = from -> Flux.range(2, many).map(LongLivedInformerTest::event).concatWith(Flux.never())
                .delaySubscription(Duration.ofMillis(1), time); // one by one: what comes while it starts is conflated
        informer.addIndex(self).subscribe();
        informer.addIndex(both).subscribe();
        long before = count("io.reactiveinformer.store.");
        informer.start();
        time.advanceTimeBy(Duration.ofSeconds(1));

        assertThat(informer.snapshot().by(self, many + 1)).containsExactly(many + 1);
        assertThat(informer.snapshot().by(both, "m" + (many + 1) / 2)).containsExactly(many + 1);
        assertThat(informer.snapshot().by(self, many)).isEmpty();
        assertThat(count("io.reactiveinformer.store.") - before).as("parts of tries and their like").isLessThan(200);
    }
}
