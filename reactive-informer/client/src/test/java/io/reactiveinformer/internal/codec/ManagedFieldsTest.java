package io.reactiveinformer.internal.codec;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Versioned;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

class ManagedFieldsTest {

    private final ObjectCodec codec = ObjectCodec.create();

    /** Stream scenario 78. */
    @Test
    void managedFieldsAreKeptOnRequest() {
        String object =
                "{\"metadata\":{\"name\":\"a\",\"managedFields\":[{\"manager\":\"m\",\"fieldsV1\":{\"f:x\":{}}}]},\"data\":{\"k\":\"v\"}}";
        ResourceType<V1ConfigMap> type = ResourceType.of(V1ConfigMap.class);
        ObjectCodec keeping = codec.managedFields(true);
        assertThat(keeping.keepsManagedFields()).isTrue();
        List<V1ConfigMap> read = Stream.of(
                        keeping.object(Bodies.of(object), type).map(Versioned::object),
                        keeping.watch(Bodies.of("{\"type\":\"ADDED\",\"object\":" + object + "}"), type, Reading.anew(), "watch")
                                .map(event -> ((ObjectEvent.Applied<V1ConfigMap>) event).entry().object()).next(),
                        keeping.list(Bodies.of(
                                "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":["
                                + object + "]}"),
                                type, Reading.anew()).map(event -> ((ObjectEvent.Applied<V1ConfigMap>) event).entry().object()).next())
                .map(Mono::block)
                .toList();
        assertThat(read).allSatisfy(each -> {
            assertThat(each.getMetadata().getManagedFields()).singleElement()
                    .satisfies(field -> assertThat(field.getManager()).isEqualTo("m"));
            assertThat(each.getData()).containsEntry("k", "v");
        });
        assertThat(codec.object(Bodies.of(object), type).block().object().getMetadata().getManagedFields()).isEmpty();
    }
}
