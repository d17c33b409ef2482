package io.reactiveinformer.internal.codec;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1SubjectAccessReviewSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Empty ones are left out where they are properties; an entry of a map is data. */
class EmptyCollectionsTest {

    private record Spec(Map<String, List<String>> routes, Map<String, Map<String, String>> tables,
            List<List<String>> rows, List<String> none) {}

    private static String written(Object object) {
        return new String(ObjectCodec.create().write(object), StandardCharsets.UTF_8);
    }

    @Test
    void anEntryOfAMapIsWrittenThoughItIsEmpty() {
        assertThat(written(new Spec(Map.of("a", List.of()), Map.of("t", Map.of()), List.of(List.of()), List.of())))
                .isEqualTo("{\"routes\":{\"a\":[]},\"tables\":{\"t\":{}},\"rows\":[[]]}");
        assertThat(written(new V1SubjectAccessReviewSpec().extra(Map.of("scopes", List.of())))).contains("\"extra\":{\"scopes\":[]}");
    }

    @Test
    void aPropertyIsNot() {
        assertThat(written(new V1ConfigMap().metadata(new V1ObjectMeta().name("a").labels(Map.of()).finalizers(List.of())).data(Map.of())))
                .isEqualTo("{\"metadata\":{\"name\":\"a\"}}");
    }
}
