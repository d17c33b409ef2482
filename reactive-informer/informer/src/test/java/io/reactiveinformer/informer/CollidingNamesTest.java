package io.reactiveinformer.informer;

import com.sun.management.OperatingSystemMXBean;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.Rounds;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.CollidingNames;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.view.Change;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/** Law 25: a user that chooses names, namespaces, uids or labels with one hash code slows down nobody. */
@Tag("long")
class CollidingNamesTest {

    private static final int COUNT = Rounds.many(60_000, 20_000);
    private static final int ROUNDS = 3;

    /** Of the cheapest of so many rounds: other threads of this process, which collect and compile, only add to what a round costs. */
    private static final int MOST_ROUNDS = 9;

    private static final double MOST = 2;

    /** What the colliding texts are used as. */
    private enum Chosen {
        NAMES, NAMESPACES, UIDS_AND_LABELS;

        String item(String text) {
            return switch (this) {
                case NAMES -> CollidingNamesTest.item("ns", text, "u-" + text, "{\"app\":\"web\"}");
                case NAMESPACES -> CollidingNamesTest.item(text, "web", "u-" + text, "{\"app\":\"web\"}");
                case UIDS_AND_LABELS -> CollidingNamesTest.item("ns", "n" + text.hashCode() + text, text,
                        "{\"app\":\"" + text + "\",\"" + text + "\":\"x\"}");
            };
        }
    }

    private static String item(String namespace, String name, String uid, String labels) {
        return "{\"metadata\":{\"name\":\"" + name + "\",\"namespace\":\"" + namespace + "\",\"uid\":\"" + uid
                + "\",\"resourceVersion\":\"7\",\"labels\":" + labels + "}}";
    }

    static Stream<Chosen> chosen() {
        return Rounds.cells(Stream.of(Chosen.values()), Chosen.values().length);
    }

    /** Jackson takes 8 s for one round of 60,000 names of labels, whatever they are, where nothing else runs. */
    @ParameterizedTest
    @MethodSource("chosen")
    @Timeout(300)
    void costNoMoreThanOthers(Chosen chosen) {
        byte[] ordinary = body(chosen, CollidingNames.ordinary(COUNT));
        byte[] colliding = body(chosen, CollidingNames.of(COUNT));
        List<Long> usual = new ArrayList<>();
        List<Long> attacked = new ArrayList<>();
        double ratio = Double.MAX_VALUE;
        for (int round = 1; round <= ROUNDS || round <= MOST_ROUNDS && ratio >= MOST; round++) {
            usual.add(nanos(ordinary));
            attacked.add(nanos(colliding));
            ratio = (double) Collections.min(attacked) / Collections.min(usual);
        }
        assertThat(ratio).as("%s ns of colliding to %s ns of others", attacked, usual).isLessThan(MOST);
    }

    private static byte[] body(Chosen chosen, List<String> names) {
        return ("{\"kind\":\"PartialObjectMetadataList\",\"metadata\":{\"resourceVersion\":\"9\"},\"items\":["
                + String.join(",", names.stream().map(chosen::item).toList()) + "]}").getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Until each object is cached, indexed and grouped, two subscribers have received it, one early and one late, and it was looked up by
     * its key.
     */
    private static long nanos(byte[] body) {
        Index<PartialObjectMetadata, String> byLabel = Index.of("app", CollidingNamesTest::app);
        Informer<PartialObjectMetadata> informer = Informer.over("things", Namespaces.all(), part -> new Server(body),
                ReflectorOptions.defaults().withStreaming(false).withTimer(Schedulers.parallel()).withRandom(() -> 0));
        long from = cpuTime();
        informer.addIndex(byLabel).subscribe();
        var early = new Counting();
        informer.changes().subscribe(early);
        informer.start();
        informer.synced().block(Duration.ofMinutes(3));
        assertThat(informer.hasSynced()).isTrue();
        informer.group(object -> Optional.of(app(object))).changes().takeUntil(change -> change instanceof Change.Synced)
                .blockLast(Duration.ofMinutes(3));
        early.request(Long.MAX_VALUE);
        assertThat(informer.changes().takeUntil(change -> change instanceof Change.Synced).count().block(Duration.ofMinutes(3)))
                .isEqualTo(COUNT + 1);
        informer.snapshot().forEach((key, row) -> assertThat(informer.snapshot().get(key)).isPresent());
        long lasted = cpuTime() - from;
        informer.stop();
        return lasted;
    }

    /** Of all threads of this process: the machine may be busy with others. */
    private static long cpuTime() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static String app(PartialObjectMetadata object) {
        return Objects.requireNonNull(object.metadata().getLabels()).get("app");
    }

    private static final class Counting extends BaseSubscriber<Change<ObjectKey, PartialObjectMetadata>> {

        final AtomicInteger changes = new AtomicInteger();

        @Override
        protected void hookOnSubscribe(Subscription subscription) {}

        @Override
        protected void hookOnNext(Change<ObjectKey, PartialObjectMetadata> change) {
            changes.incrementAndGet();
        }
    }

    /** Lists the body; its watch stays silent. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Server(byte[] body) implements ListerWatcher<PartialObjectMetadata> {

        private static final ObjectCodec CODEC = ObjectCodec.create();

        @Override
        public Identity identity() {
            return Identity.of("things", Namespaces.all());
        }

        @Override
        public Flux<ObjectEvent<PartialObjectMetadata>> list(ListOptions options, Reading<PartialObjectMetadata> reading) {
            return CODEC.list(Flux.just(Unpooled.wrappedBuffer(body)), ResourceType.metadata("example.com", "v1", "things"), reading);
        }

        @Override
        public Flux<ObjectEvent<PartialObjectMetadata>> watch(WatchOptions options, Reading<PartialObjectMetadata> reading) {
            return Flux.never();
        }
    }
}
