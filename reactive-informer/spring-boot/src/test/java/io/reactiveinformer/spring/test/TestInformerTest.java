package io.reactiveinformer.spring.test;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

class TestInformerTest {

    /** It has no server: a warning that the server is silent would be nonsense. */
    @Test
    void staysLiveForHours() {
        VirtualTimeScheduler time = VirtualTimeScheduler.create();
        Informer<V1Pod> pods = TestInformer.of(ResourceType.of(V1Pod.class), Map.of(), ReflectorOptions.defaults().withTimer(time));
        var states = pods.status().map(InformerStatus::state).distinctUntilChanged().collectList().toFuture();

        time.advanceTimeBy(Duration.ofHours(5));
        pods.stop();

        assertThat(states).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(List.of(State.LIVE, State.STOPPED));
    }
}
