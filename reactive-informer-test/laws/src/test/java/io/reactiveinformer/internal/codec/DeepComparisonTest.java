package io.reactiveinformer.internal.codec;

import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import io.kubernetes.client.openapi.models.V1Secret;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

import static io.reactiveinformer.internal.codec.DeepComparison.difference;
import static org.assertj.core.api.Assertions.assertThat;

class DeepComparisonTest {

    private static V1Pod pod(String image, String cpu) {
        return new V1Pod().spec(new V1PodSpec().containers(List.of(new V1Container().image("i"), new V1Container().image(image)
                .resources(new V1ResourceRequirements().requests(Map.of("cpu", new Quantity(cpu)))))));
    }

    @Test
    void namesTheFirstDifference() {
        assertThat(difference(pod("a", "1"), pod("a", "1"))).isNull();
        assertThat(difference(pod("a", "1"), pod("b", "1"))).isEqualTo(".spec.containers[1].image: a, b");
        assertThat(difference(pod("a", "1"), pod("a", "1000m"))).startsWith(".spec.containers[1].resources.requests[cpu].");
        assertThat(difference(pod("a", "1"), new V1Pod().spec(new V1PodSpec()))).isEqualTo(".spec.containers.size: 2, 0");
        assertThat(difference(new V1Pod(), new V1Pod().spec(new V1PodSpec()))).startsWith(".spec: null, class V1PodSpec");
        assertThat(difference(new V1Secret().data(Map.of("a", new byte[] {1})), new V1Secret().data(Map.of("a", new byte[] {1})))).isNull();
        assertThat(difference(new V1Secret().data(Map.of("a", new byte[] {1})), new V1Secret().data(Map.of("a", new byte[] {2}))))
                .isEqualTo(".data[a]: [1], [2]");
        assertThat(difference(new V1Secret().data(Map.of()), new V1Secret().data(Map.of("a", new byte[0]))))
                .isEqualTo(".data.keys: [], [a]");
        var ordered = new TreeMap<>(Map.of("a", new byte[0], "b", new byte[0]));
        assertThat(difference(new V1Secret().data(ordered), new V1Secret().data(ordered.descendingMap())))
                .isEqualTo(".data.keys: [a, b], [b, a]");
    }
}
