package io.reactiveinformer.internal.readers;

import io.kubernetes.client.openapi.models.V1Pod;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.resource.ResourceType;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/** The readers are found by the codec, and can be switched off. */
class ShapesSwitchTest {

    private static final String PROPERTY = "io.reactiveinformer.shapes";
    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);

    @AfterEach
    void switchOn() {
        System.clearProperty(PROPERTY);
    }

    @Test
    void canBeSwitchedOff() {
        assertThat(ObjectCodec.create().readsProtobuf(PODS)).isTrue();
        System.setProperty(PROPERTY, "false");
        ObjectCodec jackson = ObjectCodec.create();
        assertThat(jackson.readsProtobuf(PODS)).isFalse();
        V1Pod pod = jackson.object(Flux.just(Unpooled.wrappedBuffer("{\"metadata\":{\"name\":\"a\"}}".getBytes(StandardCharsets.UTF_8))), PODS)
                .block().object();
        assertThat(pod.getMetadata().getName()).isEqualTo("a");
    }
}
