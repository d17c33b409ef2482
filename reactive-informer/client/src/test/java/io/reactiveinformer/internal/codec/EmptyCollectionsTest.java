package io.reactiveinformer.internal.codec;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1SubjectAccessReviewSpec;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.resource.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/** Empty ones are left out where they are properties of a model; an entry of a map is data, and so are objects of other classes. */
class EmptyCollectionsTest {

    private record Spec(Map<String, List<String>> routes, Map<String, Map<String, String>> tables,
            List<List<String>> rows, List<String> none) {}

    private record Widget(List<String> list, Map<String, String> map, Set<String> set, Collection<String> all) {}

    private static String written(Object object) {
        return new String(ObjectCodec.create().write(object), StandardCharsets.UTF_8);
    }

    @Test
    void anEntryOfAMapIsWrittenThoughItIsEmpty() {
        assertThat(written(new Spec(Map.of("a", List.of()), Map.of("t", Map.of()), List.of(List.of()), List.of())))
                .isEqualTo("{\"routes\":{\"a\":[]},\"tables\":{\"t\":{}},\"rows\":[[]],\"none\":[]}");
        assertThat(written(new V1SubjectAccessReviewSpec().extra(Map.of("scopes", List.of())))).contains("\"extra\":{\"scopes\":[]}");
    }

    @Test
    void aPropertyOfAModelIsNot() {
        assertThat(written(new V1ConfigMap().metadata(new V1ObjectMeta().name("a").labels(Map.of()).finalizers(List.of())).data(Map.of())))
                .isEqualTo("{\"metadata\":{\"name\":\"a\"}}");
    }

    @Test
    void whatWasReadAsEmptyIsWrittenIfItWasThere() {
        assertThat(readAndWritten("{\"list\":[],\"map\":{},\"set\":[],\"all\":[]}", widget -> {}))
                .isEqualTo("{\"list\":[],\"map\":{},\"set\":[],\"all\":[]}");
        assertThat(readAndWritten("{\"list\":null,\"set\":null}", widget -> {})).isEqualTo("{}");
        assertThat(readAndWritten("{}", widget -> {
            widget.list().add("a");
            widget.map().put("b", "c");
            widget.set().add("d");
            widget.all().add("e");
        })).isEqualTo("{\"list\":[\"a\"],\"map\":{\"b\":\"c\"},\"set\":[\"d\"],\"all\":[\"e\"]}");
    }

    private static String readAndWritten(String json, Consumer<Widget> change) {
        Widget widget = ObjectCodec.create()
                .object(Flux.just(Unpooled.copiedBuffer(json, StandardCharsets.UTF_8)),
                        ResourceType.of("example.com", "v1", "widgets", ResourceType.Scope.NAMESPACED, Widget.class))
                .block().object();
        change.accept(widget);
        return written(widget);
    }
}
