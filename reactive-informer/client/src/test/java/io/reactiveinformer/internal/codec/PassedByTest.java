package io.reactiveinformer.internal.codec;

import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class PassedByTest {

    private static final ResourceType<JsonNode> THINGS = ResourceType.dynamic("example.com", "v1", "things");

    private static final Reading<JsonNode> ONLY_WANTED =
            Reading.<JsonNode>anew().only((key, uid) -> key.name().startsWith("wanted"));

    private static String item(String name, int size) {
        return "{\"metadata\":{\"name\":\"" + name + "\",\"uid\":\"u\",\"resourceVersion\":\"1\"},\"data\":\"" + "x".repeat(size) + "\"}";
    }

    /** Nor is it reported that an unwanted object is too large, whether it comes at once or in pieces. */
    @Test
    void whatIsNotWantedIsNotReported() {
        String list = "{\"items\":[" + String.join(",", item("wanted-a", 10), item("other-b", 10),
                item("wanted-c", 5_000), item("other-d", 5_000), item("wanted-e", 10))
                + "],\"metadata\":{\"resourceVersion\":\"9\"}}";
        byte[] bytes = list.getBytes(StandardCharsets.UTF_8);
        for (var body : List.of(Bodies.of(list), Bodies.byteByByte(bytes))) {
            List<ObjectEvent<JsonNode>> events = ObjectCodec.create(1_000).list(body, THINGS, ONLY_WANTED).collectList().block();
            assertThat(events).extracting(event -> event instanceof ObjectEvent.Applied<JsonNode> item ? item.key().name()
                            : event instanceof ObjectEvent.Unreadable<JsonNode> unreadable ? "too large " + unreadable.key().name() : "end")
                    .containsExactly("wanted-a", "too large wanted-c", "wanted-e", "end");
        }
    }
}
