package io.reactiveinformer.test;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.faults.Fault;
import io.reactiveinformer.test.faults.RandomFaults;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Faults by chance: all kinds of them come, the same for the same seed, and an informer gets over them. */
@Tag("long")
class RandomFaultsTest {

    private static final ResourceType<JsonNode> CONFIG_MAPS = ResourceType.dynamic("", "v1", "configmaps");
    private static final List<String> KINDS = List.of(
            "429", "500", "503", "504", "compacted", "cut by FIN", "cut by RST", "delayed by",
            "duplicated after", "ended at once", "expired",
            "garbled after", "refused", "reordered after", "restarted", "restored to", "stalled",
            "truncated", "without initial-events-end");

    @Test
    void soonerOrLaterEachKindComesAndAnInformerGetsOverIt() {
        Set<String> seen = new TreeSet<>();
        for (long seed = 1; seed <= 60; seed++) {
            happened(FaultTrial.FORMS.get((int) (seed % 3)), seed, seed > 40)
                    .forEach(fault -> KINDS.stream().filter(fault::contains).forEach(seen::add));
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(KINDS);
    }

    @Test
    void areTheSameForTheSameSeed() {
        assertThat(happened(FaultTrial.FORMS.get(0), 5, true)).isEqualTo(happened(FaultTrial.FORMS.get(0), 5, true)).isNotEmpty();
        assertThat(happened(FaultTrial.FORMS.get(0), 5, true)).isNotEqualTo(happened(FaultTrial.FORMS.get(0), 6, true));
    }

    @Test
    void letAnotherServerTakeOverIfAskedFor() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        try (FakeApiServer server = FakeApiServer.builder().scheduler(clock).build()) {
            server.faults().random(1).rate(1).restartsKeeping().onListsAndWatches("configmaps");
            for (int i = 0; i < 200; i++) {
                new Requests(server.transport()).answer("GET", "/api/v1/configmaps", Headers.empty(), null)
                        .subscribe(answer -> {}, broken -> {});
                clock.advanceTimeBy(Duration.ofSeconds(10));
            }
            assertThat(server.log()).anyMatch(line -> line.contains("restarted, with the last "));
        }
    }

    /** An hour of faults, and then it must be well. */
    private static <T> List<String> happened(FaultTrial.Form<T> form, long seed, boolean backwards) {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        try (FakeApiServer server = FakeApiServer.builder().scheduler(clock).seed(seed).build()) {
            Informer<T> informer = Informer.over(
                    form.source(server, clock),
                    ReflectorOptions.defaults().withTimer(clock).withRandom(() -> 0.5).withStreaming(seed % 2 == 0)
                            .withWatchTimeout(Duration.ofSeconds(30)));
            List<String> faults = new ArrayList<>();
            server.faults().occurrences().map(Fault.Occurrence::fault).subscribe(faults::add);
            RandomFaults chance = server.faults().random(seed).rate(0.5).stalls().restarts();
            (backwards ? chance.olderHistory() : chance).onListsAndWatches("configmaps");
            informer.start();
            for (int i = 0; i < 60; i++) {
                server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {generateName: c, namespace: t}}");
                clock.advanceTimeBy(Duration.ofMinutes(1));
            }
            server.faults().clear();
            clock.advanceTimeBy(Duration.ofHours(1));
            server.objects().list(CONFIG_MAPS).forEach(object -> server.objects().update(object.put("touched", true)));
            clock.advanceTimeBy(Duration.ofHours(1));
            // A store that has gone back, and on again past what was known of it before anyone had a doubt, is not found out.
            if (!backwards) {
                assertThat(FaultTrial.cached(informer)).as("seed %d", seed)
                        .isEqualTo(FaultTrial.versions(server.objects().list(CONFIG_MAPS)));
            }
            informer.stop();
            return faults;
        }
    }
}
