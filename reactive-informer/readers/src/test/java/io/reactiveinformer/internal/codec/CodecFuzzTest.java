package io.reactiveinformer.internal.codec;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bodies that nobody would send, cut anywhere. A seed is 32 bytes of which the cuts are made, a body, and a byte that says by what it is
 * read.
 */
class CodecFuzzTest {

    private static final ObjectCodec CODEC = ObjectCodec.create(1 << 20);
    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final ResourceType<JsonNode> WIDGETS = ResourceType.dynamic("example.com", "v1", "widgets");
    private static final JsonMapper STRICT = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final Skim skim = new Skim(new SharedStrings());

    @FuzzTest(maxDuration = "30s")
    void readsWhateverComes(FuzzedDataProvider chance) {
        switch (chance.consumeInt(0, 5)) {
            case 0 -> Pieces.readAsTheWhole(chance, body -> CODEC.list(body, WIDGETS, Reading.anew()));
            case 1 -> Pieces.readAsTheWhole(chance, body -> CODEC.watch(body, WIDGETS, Reading.anew(), "watch"));
            case 2 -> skims(chance.consumeRemainingAsBytes());
            case 3 -> Pieces.readAsTheWhole(chance, body -> CODEC.listInProtobuf(body, PODS, Reading.anew()));
            case 4 -> Pieces.readAsTheWhole(chance, body -> CODEC.watchInProtobuf(body, PODS, Reading.anew(), "watch"));
            default -> skimsAMessage(chance.consumeRemainingAsBytes());
        }
    }

    /** With and without annotations it finds the same. */
    private static void skimsAMessage(byte[] bytes) {
        var message = new MessageSkim(new SharedStrings());
        message.bookmark(bytes, 0, bytes.length);
        boolean whole = !message.brokenOff;
        List<@Nullable String> found = Arrays.asList(message.name, message.namespace, message.uid, message.resourceVersion);
        message.object(bytes, 0, bytes.length);
        if (whole && !message.brokenOff) {
            assertThat(Arrays.asList(message.name, message.namespace, message.uid, message.resourceVersion)).isEqualTo(found);
        }
    }

    /** Whatever the bytes are it ends, within them; of an object whose names stand there once, it finds what a JSON reader finds. */
    private void skims(byte[] bytes) {
        skim.object(bytes, 0, bytes.length);
        String name = skim.name;
        skim.bookmark(bytes, 0, bytes.length);
        JsonNode metadata = metadata(bytes);
        if (metadata != null && metadata.path("name").isString()) {
            assertThat(name).isEqualTo(metadata.path("name").stringValue());
        }
    }

    private static @Nullable JsonNode metadata(byte[] bytes) {
        try {
            JsonNode object = STRICT.readTree(bytes);
            return object.isObject() && object.path("metadata").isObject() ? object.path("metadata") : null;
        } catch (JacksonException malformed) {
            return null;
        }
    }
}
