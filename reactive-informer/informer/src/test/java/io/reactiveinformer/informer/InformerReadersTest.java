package io.reactiveinformer.informer;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.resource.ResourceType;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The tests run with the readers of known classes, or without: as this run of them says, in {@code test.readers}. */
class InformerReadersTest {

    @Test
    void theReadersAreOnThePathThatThisRunIsAbout() {
        boolean expected = System.getProperty("test.readers", "present").equals("present");
        assertThat(ObjectCodec.create().readsProtobuf(ResourceType.of(V1Pod.class))).isEqualTo(expected);
    }
}
