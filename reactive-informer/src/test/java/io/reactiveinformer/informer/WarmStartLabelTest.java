package io.reactiveinformer.informer;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.codec.ObjectCodec;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Store;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A client whose configuration does not come: a plugin that hangs, say. */
class WarmStartLabelTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    record Text(String text) {}

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final Sinks.Empty<Void> asked = Sinks.empty();
    private final ObjectCodec codec = ObjectCodec.create();

    private final KubernetesClient client = (KubernetesClient) Proxy.newProxyInstance(KubernetesClient.class.getClassLoader(),
            new Class<?>[] {KubernetesClient.class}, (self, method, arguments) -> switch (method.getName()) {
                case "server" -> Mono.<String>never().doOnSubscribe(begun -> asked.tryEmitEmpty());
                case "codec" -> codec;
                default -> throw new UnsupportedOperationException(method.toString());
            });

    private final WarmStart<Text> warmStart = new WarmStart<>(new KeepsNothing(),
            InformerSpec.of(ResourceType.of("test", "v1", "texts", ResourceType.Reach.CLUSTER, Text.class)), client, time);

    private static Held<Text> held() {
        Store<Text> store = Store.create();
        ObjectKey key = ObjectKey.clusterScoped("t");
        store.apply(new Delta.Replaced<>(Scope.all(),
                List.of(new Delta.Upserted<>(Scope.all(), key, new Versioned<>("u", "1", new Text("x")))), "1", false));
        return new Held<>(Instant.EPOCH, 0, Scope.all(), store.snapshot(), Map.of());
    }

    /** The timer is set before the client is asked. */
    private void letTheTimePass() {
        asked.asMono().block(PATIENCE);
        time.advanceTimeBy(WarmStart.PATIENCE);
    }

    @Test
    void isNotWaitedForWithoutEndByASave() {
        StepVerifier.create(warmStart.save(held())).then(this::letTheTimePass).expectNext(false).expectComplete().verify(PATIENCE);
    }

    @Test
    void isNotWaitedForWithoutEndByAStart() {
        StepVerifier.create(warmStart.recall()).then(this::letTheTimePass).expectComplete().verify(PATIENCE);
    }
}
