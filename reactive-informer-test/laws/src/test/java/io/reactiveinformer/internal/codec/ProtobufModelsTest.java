package io.reactiveinformer.internal.codec;

import io.kubernetes.client.common.KubernetesObject;
import io.reactiveinformer.Rounds;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.protobuf.ProtobufObjects;
import io.reactiveinformer.internal.codec.ModelBodies.Kind;
import io.reactiveinformer.resource.ModelClasses;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Versioned;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every built-in type: the object read from protocol buffers is the one read from JSON. {@code -Dprotobuf.seeds=N} makes more random ones
 * of each, {@code -Dprotobuf.seed=N} others.
 */
class ProtobufModelsTest {

    private static final int RANDOM_BODIES = 8;

    /** What every object has; and two that a server sends filled, and of which the kit omits 0 and {}. */
    private static final Set<String> KEPT = Set.of("kind", "apiVersion", "namespace", "targetPort", "data");

    private final ObjectCodec codec = ObjectCodec.create().managedFields(true);

    static List<Class<? extends KubernetesObject>> models() {
        return ModelClasses.objects().stream().filter(ProtobufModelsTest::isInTable).toList();
    }

    private static boolean isInTable(Class<?> model) {
        try {
            ResourceType<?> type = ResourceType.of(model);
            return ProtobufObjects.has(type.apiVersion(), String.valueOf(type.kind()));
        } catch (IllegalArgumentException noResource) {
            return false;
        }
    }

    @Test
    void readsEachTypeOfTheTableExceptSchemas() {
        List<? extends Class<?>> unread =
                models().stream().filter(model -> !ObjectCodec.create().readsProtobuf(ResourceType.of(model))).toList();
        assertThat(unread).extracting(Class::getSimpleName).containsExactly("V1CustomResourceDefinition");
        assertThat(models()).hasSizeGreaterThan(60);
    }

    static List<Class<? extends KubernetesObject>> read() {
        return models().stream().filter(model -> ObjectCodec.create().readsProtobuf(ResourceType.of(model))).toList();
    }

    @ParameterizedTest
    @MethodSource("read")
    <T extends KubernetesObject> void isTheObjectThatIsReadFromJson(Class<T> model) {
        ResourceType<T> type = ResourceType.of(model);
        ObjectNode full = body(type);
        Versioned<T> before = isTheSame(type, Sent.of(full), null);
        isTheSame(type, Sent.of(full), before);
        for (long seed : Rounds.seeds("protobuf", RANDOM_BODIES, 2)) {
            ObjectNode sparse = full.deepCopy();
            thin(sparse, new Random(model.getName().hashCode() + seed), (int) (1 + seed % 4));
            ((ObjectNode) sparse.get("metadata")).put("name", "name-1").put("uid", "uid-1").put("resourceVersion", "" + seed);
            Sent sent = Sent.of(sparse);
            isTheSame(type, sent, null);
            before = isTheSame(type, sent, before);
        }
    }

    /** A property that the table does not know would be in JSON only. */
    @ParameterizedTest
    @MethodSource("read")
    <T extends KubernetesObject> void knowsEachPropertyOfTheClass(Class<T> model) {
        ObjectNode full = body(ResourceType.of(model));
        setTrue(full);
        Set<String> missing = new TreeSet<>(paths(full));
        missing.removeAll(paths(ProtobufObjects.read(ProtobufObjects.write(full))));
        assertThat(missing).allMatch(path -> path.matches(".*\\.volumeClaimTemplates\\.(kind|apiVersion)"));
    }

    @ParameterizedTest
    @MethodSource("read")
    <T extends KubernetesObject> void readsTheMetadataAlone(Class<T> model) {
        ResourceType<T> type = ResourceType.of(model);
        ObjectNode metadata = Json.object().put("apiVersion", "meta.k8s.io/v1").put("kind", "PartialObjectMetadata");
        metadata.set("metadata", body(type).get("metadata"));
        isTheSame(ResourceType.metadata(type.group(), type.version(), type.plural()), Sent.of(metadata), null);
    }

    /** An object in an event, in JSON and in protocol buffers, and twice in a list. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Sent(String json, byte[] event, byte[] list) {

        static Sent of(ObjectNode body) {
            ObjectNode event = Json.object().put("type", "ADDED");
            event.set("object", body);
            byte[] sent = ProtobufObjects.event(event);
            ObjectNode list = Json.object().put("apiVersion", body.get("apiVersion").asString())
                    .put("kind", body.get("kind").asString() + "List");
            list.putObject("metadata").put("resourceVersion", "7");
            list.putArray("items").add(body).add(body);
            return new Sent(asTheServerWritesIt(ProtobufObjects.readEvent(sent)).toString(), sent, ProtobufObjects.write(list));
        }
    }

    private <T> Versioned<T> isTheSame(ResourceType<T> type, Sent sent, @Nullable Versioned<T> before) {
        Versioned<T> expected = entry(codec.watch(Bodies.of(sent.json), type, known(before), "watch"));
        Versioned<T> actual =
                entry(codec.watchInProtobuf(Bodies.splitAt(sent.event, sent.event.length / 3), type, known(before), "watch"));
        assertThat(DeepComparison.difference(actual.object(), expected.object())).isNull();
        assertThat(actual.uid()).isEqualTo(expected.uid());
        assertThat(actual.resourceVersion()).isEqualTo(expected.resourceVersion());
        for (Versioned<T> listed : listed(type, sent.list, before)) {
            assertThat(DeepComparison.difference(listed.object(), expected.object())).isNull();
        }
        return actual;
    }

    private <T> List<Versioned<T>> listed(ResourceType<T> type, byte[] list, @Nullable Versioned<T> before) {
        List<ObjectEvent<T>> events = codec.listInProtobuf(Bodies.of(List.of(list)), type, known(before)).collectList().block();
        assertThat(events).hasSize(3).last().isEqualTo(new ObjectEvent.PageEnd<>("7", null));
        return events.stream().limit(2).map(item -> ((ObjectEvent.Applied<T>) item).entry()).toList();
    }

    /** Never the same state: it would not be read. */
    private static <T> Reading<T> known(Versioned<T> before) {
        return Reading.of(key -> before == null ? null : new Versioned<>("another", "0", before.object()));
    }

    private static <T> Versioned<T> entry(Flux<ObjectEvent<T>> events) {
        ObjectEvent<T> event = events.blockLast();
        assertThat(event).isInstanceOf(ObjectEvent.Applied.class);
        assertThat(((ObjectEvent.Applied<T>) event).key()).isEqualTo(ObjectKey.of("space", "name-1"));
        return ((ObjectEvent.Applied<T>) event).entry();
    }

    /** In JSON, the claims of a StatefulSet have a kind. */
    private static ObjectNode asTheServerWritesIt(ObjectNode event) {
        event.path("object").path("spec").path("volumeClaimTemplates").forEach(claim ->
                ((ObjectNode) claim).put("apiVersion", "v1").put("kind", "PersistentVolumeClaim"));
        return event;
    }

    private static ObjectNode body(ResourceType<?> type) {
        ObjectNode body = ModelBodies.of(type.objectClass(), Kind.FULL);
        return body.put("apiVersion", type.apiVersion()).put("kind", type.kind());
    }

    /** JSON lacks booleans that are false. */
    private static void setTrue(JsonNode node) {
        for (Map.Entry<String, JsonNode> property : List.copyOf(node.properties())) {
            if (property.getValue().isBoolean()) {
                ((ObjectNode) node).put(property.getKey(), true);
            }
        }
        node.forEach(ProtobufModelsTest::setTrue);
    }

    /** Of up to 300 letters out of all planes of Unicode, control characters among them. */
    private static String text(Random random) {
        return random.ints(random.nextInt(300), 0, 0x20000).filter(letter -> !Character.isSurrogate((char) letter) || letter > 0xffff)
                .mapToObj(Character::toString).collect(Collectors.joining());
    }

    /** Removes properties, and replaces values by empty ones and random ones. */
    private static void thin(JsonNode node, Random random, int one) {
        if (node instanceof ArrayNode list) {
            list.forEach(element -> thin(element, random, one));
        } else if (node instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> property : List.copyOf(object.properties())) {
                if (KEPT.contains(property.getKey())) {
                    continue;
                }
                JsonNode value = property.getValue();
                int chance = random.nextInt(4 * one);
                if (property.getKey().equals("metadata")) {
                    thin(value, random, one);
                } else if (chance == 0) {
                    object.remove(property.getKey());
                } else if (chance == 1 && value.isBoolean()) {
                    object.put(property.getKey(), false);
                } else if (chance < 3 && value.isString() && value.asString().startsWith("text-")) {
                    object.put(property.getKey(), chance == 1 ? "" : text(random));
                } else if (chance < 3 && value.isNumber()) {
                    object.put(property.getKey(), chance == 1 ? random.nextInt(-1, 1) : random.nextInt());
                } else {
                    thin(value, random, one);
                }
            }
        }
    }

    private static Set<String> paths(JsonNode node) {
        Set<String> paths = new TreeSet<>();
        node.properties().forEach(property -> {
            paths.add("." + property.getKey());
            paths(property.getValue()).forEach(path -> paths.add("." + property.getKey() + path));
        });
        if (node.isArray()) {
            node.forEach(element -> paths.addAll(paths(element)));
        }
        return paths;
    }
}
