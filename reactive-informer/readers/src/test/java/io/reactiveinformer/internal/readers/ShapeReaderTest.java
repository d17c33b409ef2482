package io.reactiveinformer.internal.readers;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonIdentityInfo;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.ObjectIdGenerators;
import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Toleration;
import io.reactiveinformer.Rounds;
import io.reactiveinformer.internal.codec.Mappers;
import io.reactiveinformer.internal.codec.ModelBodies;
import io.reactiveinformer.internal.codec.PlainClasses;
import io.reactiveinformer.internal.codec.SharedScalars;
import io.reactiveinformer.internal.codec.SharedStrings;
import io.reactiveinformer.internal.codec.Skim;
import io.reactiveinformer.resource.FieldPath;
import io.reactiveinformer.resource.ModelClasses;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Scope;
import java.beans.ConstructorProperties;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class ShapeReaderTest {

    private static final String POD = """
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-1","namespace":"shop","uid":"u-1","resourceVersion":"42",\
            "generation":12345678901,
            "creationTimestamp":"2026-11-21T01:52:58Z","deletionTimestamp":null,"labels":{"app":"web","tier":"front"},\
            "annotations":{"a":"b \\"c\\" \\u00e9 é","d":""},
            "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"u-2","controller":true}],"finalizers":[]},
            "spec":{"containers":[{"name":"main","image":"web:1","args":["-v","2"],"ports":[{"containerPort":8080,"protocol":"TCP"}],
            "resources":{"limits":{"cpu":"1","memory":"1.5Gi"},"requests":{"cpu":100}},"livenessProbe":{"httpGet":{"path":"/",\
            "port":"http"},"periodSeconds":10},
            "readinessProbe":{"tcpSocket":{"port":8080}},"stdin":false}],"volumes":[{"name":"t","emptyDir":{}}],\
            "terminationGracePeriodSeconds":30,
            "tolerations":[{"key":"x","operator":"Exists","tolerationSeconds":300}],"newField":{"a":[1,2.5e3,{"b":null}]}},
            "status":{"phase":"Running","startTime":"2026-11-21T01:52:58.123456+02:00","conditions":[{"type":"Ready","status":"True",\
            "lastProbeTime":null}]}}
            """;
    private static final String CRD = """
            {"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1","metadata":{"name":"widgets.example.com"},
            "spec":{"group":"example.com","names":{"plural":"widgets","kind":"Widget"},"scope":"Namespaced","versions":[{"name":"v1",\
            "served":true,"storage":true,
            "schema":{"openAPIV3Schema":{"type":"object","properties":{"a":{"type":"integer","maximum":1.5,"default":{"x":[1],\
            "k:{\\"n\\":\\"\\\\\\"}":{".":{}}},\
            "enum":["a",1,true,null]},"b":{"items":{"type":"string"},"maxItems":9}},
            "x-kubernetes-preserve-unknown-fields":true}}}]}}
            """;
    private static final List<String> BITS = List.of("", " ", "\n", "\"", "\\", "{", "}", "[",
            "]", ",", ":", "0", "-", "1.5", "1e3", "null", "true", "\u0000", "\t", "é", "{}", "[]",
            "\"\"", "\"name\":", "99999999999999999999", "[null]", "{\"a\":null}", "\\u0041",
            "\"name\":\"x\",", "//x\n", "NaN", "\"managedFields\":[{}],");

    record Summary(
            @FieldPath("metadata.labels") Map<String, String> labels,
            @FieldPath("metadata.annotations['d']") @Nullable String note,
            @FieldPath("metadata.generation") long generation,
            @FieldPath("spec.containers") List<V1Container> containers,
            @FieldPath("status.startTime") @Nullable OffsetDateTime started,
            @FieldPath("spec.newField") @Nullable JsonNode unknown) {}

    @SuppressWarnings("rawtypes") // which a user may have written
    record Odds(
            @FieldPath("spec.containers") List<? extends V1Container> containers,
            @FieldPath("metadata.finalizers") Set<String> finalizers,
            @FieldPath("spec.tolerations") Collection<V1Toleration> tolerations,
            @FieldPath("metadata.ownerReferences") @Nullable List owners,
            @FieldPath("metadata.labels") Map<String, ?> labels) {}

    private static final ResourceType<Summary> SUMMARIES = ResourceType.of(V1Pod.class).as(Summary.class);

    private final SharedStrings strings = new SharedStrings();
    private final SharedTrees trees = new SharedTrees(1 << 20);
    private final Readers readers = new Readers(strings);
    private final Skim skim = new Skim(strings);

    /** By shape and by Jackson. */
    private final class Both<T> {

        final Readers.Reader reader;
        private final ShapeReader shapes;

        Both(ResourceType<T> type) {
            this(type, trees);
        }

        Both(ResourceType<T> type, @Nullable SharedTrees trees) {
            reader = readers.shared(type);
            shapes = new ShapeReader(strings, trees, skim, reader.mapper());
        }

        @Nullable Object byShape(byte[] bytes, int from, int to) {
            return byShape(bytes, from, to, null);
        }

        @Nullable Object byShape(byte[] bytes, int from, int to, @Nullable Object before) {
            skim.object(bytes, from, to);
            TreeShape shape = reader.shape();
            return shape == null ? null : shapes.read(shape, bytes, from, to, before);
        }

        Object byJackson(byte[] bytes, int from, int to) {
            return reader.jackson().readValue(bytes, from, to - from);
        }
    }

    @Test
    void whatIsUsualNeedsNoParser() {
        for (int i = 0; i < 3; i++) {
            readsAlike(new Both<>(ResourceType.of(V1Pod.class)), POD);
            readsAlike(new Both<>(ResourceType.of(V1CustomResourceDefinition.class)), CRD);
            readsAlike(new Both<>(ResourceType.metadata("", "v1", "pods")), POD);
            readsAlike(new Both<>(SUMMARIES), POD);
            readsAlike(new Both<>(ResourceType.of(V1Pod.class).as(Odds.class)), POD);
        }
    }

    private static <T> void readsAlike(Both<T> both, String object) {
        byte[] bytes = ("??" + object + "\"").getBytes(StandardCharsets.UTF_8);
        Object read = both.byShape(bytes, 2, bytes.length - 1);
        assertThat(read).isNotNull().isEqualTo(both.byJackson(bytes, 2, bytes.length - 1));
        assertThat(read).hasToString(both.byJackson(bytes, 2, bytes.length - 1).toString());
    }

    @ParameterizedTest
    @EnumSource(ModelBodies.Kind.class)
    void eachFieldOfEachModelIsRead(ModelBodies.Kind kind) {
        for (Class<? extends KubernetesObject> model : Rounds.cells(ModelClasses.objects().stream(), 5).toList()) {
            String object = ModelBodies.of(model, kind).toString().replace("é\\\"\\\\\\n", "a key without escapes");
            var both = new Both<>(ResourceType.of("example.com", "v1", "widgets", Scope.NAMESPACED, model));
            byte[] bytes = object.getBytes(StandardCharsets.UTF_8);
            Object read = both.byShape(bytes, 0, bytes.length);
            assertThat(read).as(model.getSimpleName()).isNotNull().usingRecursiveComparison()
                    .isEqualTo(both.byJackson(bytes, 0, bytes.length));
        }
    }

    @SuppressWarnings("UnusedVariable") // compared by reflection
    static final class Odd {
        @SerializedName("i")
        private int i = 5;

        @SerializedName("b")
        private boolean b = true;

        @SerializedName("d")
        private double d = 1;

        @SerializedName("s")
        private short s = 3;

        @SerializedName("g")
        private long g = 4;

        @SerializedName("w")
        private @Nullable Double w;

        @SerializedName("n")
        private @Nullable JsonNode n;

        @SerializedName("o")
        private @Nullable Object o;

        @SerializedName("y")
        private byte @Nullable [] y;

        @SerializedName("l")
        private List<String> l = new ArrayList<>(List.of("of its own"));

        @SerializedName("j")
        private @Nullable List<JsonNode> j;

        @SerializedName("m")
        private @Nullable Map<String, List<Odd>> m;

        @SerializedName("t")
        private @Nullable Map<String, OffsetDateTime> t;

        private String unnamed = "u";
    }

    @Test
    void aClassOfAUsersFromTheGeneratorIsReadSoToo() {
        for (String object : List.of("{}",
                "{'i':null,'b':null,'d':null,'s':null,'g':null,'w':null,'n':null,'o':null,'y':null,'l':null,'j':null,'m':null,'t':null}",
                "{'i':1,'b':false,'d':2.5,'s':7,'g':99999999999,'w':1,'n':{'a':1},'o':[1,'x',null],'y':'AQI=','l':['a','b'],'j':[1,"
                        + "{'a':2}],'m':{'k':[{'n':1}]},'t':{'a':'2026-11-21T01:52:58Z'}}",
                "{'i':1,'i':2,'l':['a'],'l':['b','c'],'m':{'k':[]},'m':{'k':[{'i':3}]}}",
                        "{'l':['a',null,'b'],'j':[null,1],'t':{'a':null,'b':'2026-11-21T01:52:58Z'}}",
                "{'m':{'k':[{'n':null}]},'unnamed':'x','unknown':[{}]}")) {
            readsAlikeByFields(object.replace('\'', '"'), Odd.class);
        }
        readTwice("{'l':['a',1],'i':'7'}".replace('\'', '"'), Odd.class);
    }

    private <T> void readsAlikeByFields(String object, Class<T> type) {
        var both = new Both<>(ResourceType.of("example.com", "v1", "widgets", Scope.NAMESPACED, type));
        byte[] bytes = object.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 3; i++) {
            assertThat(both.byShape(bytes, 0, bytes.length)).as(object).isNotNull().usingRecursiveComparison()
                    .isEqualTo(both.byJackson(bytes, 0, bytes.length));
        }
    }

    /** It costs half a second to have it, and more for each class that it is asked about. */
    @Test
    void whatIsUsualNeedsNoJackson() {
        Supplier<JsonMapper> none = () -> {
            throw new AssertionError("asked for Jackson");
        };
        var withoutIt = new Shapes(none, new SharedScalars());
        var reading = new ShapeReader(strings, trees, skim, none);
        Map<Class<?>, String> usual = Map.of(
                V1Pod.class, POD.replace("100", "\"100m\""),
                V1Secret.class,
                "{\"metadata\":{\"name\":\"s\"},\"data\":{\"a\":\"AQI=\",\"b\":\"\",\"c\":\"/+8=\"},\"immutable\":true,"
                + "\"unheardOf\":[1.5]}",
                PartialObjectMetadata.class, POD);
        usual.forEach((type, object) -> {
            byte[] bytes = object.getBytes(StandardCharsets.UTF_8);
            skim.object(bytes, 0, bytes.length);
            Object read = reading.read(Objects.requireNonNull(withoutIt.root(type)), bytes, 0, bytes.length, null);
            assertThat(read).isNotNull().isEqualTo(Mappers.shared(strings, new SharedScalars()).readValue(bytes, type));
        });
    }

    @Test
    void bytesAreDecodedAsJacksonDoes() {
        for (String data : List.of("\"AQI\"", "\"AQI=\\n\"", "\"AQ-_\"", "\"A\"", "\"AQI==\"",
                "\"é\"", "\"QUJD\\u0041\"", "1", "true", "[1,2]", "null", "{}")) {
            readsAsJacksonDoes("{\"data\":{\"a\":" + data + "}}");
        }
        var random = new Random(1);
        int read = 0;
        for (int i = 0; i < 2_000; i++) {
            byte[] some = new byte[1 + random.nextInt(20)];
            random.nextBytes(some);
            var data = new StringBuilder(Base64.getEncoder().encodeToString(some));
            for (int changes = random.nextInt(3); changes > 0; changes--) {
                data.setCharAt(random.nextInt(data.length()), "AQz/+=-_ ,".charAt(random.nextInt(10)));
            }
            read += readsAsJacksonDoes("{\"data\":{\"a\":\"" + data + "\"}}") ? 1 : 0;
        }
        assertThat(read).isBetween(800, 1_800);
    }

    /** Or leaves it to Jackson, and says so. */
    private boolean readsAsJacksonDoes(String secret) {
        var both = new Both<>(ResourceType.of(V1Secret.class));
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        Object byShape = both.byShape(bytes, 0, bytes.length);
        if (byShape != null) {
            assertThat(byShape).as(secret).isEqualTo(both.byJackson(bytes, 0, bytes.length));
        }
        return byShape != null;
    }

    static final class Ports {
        @SerializedName("byNumber")
        private @Nullable Map<Integer, String> byNumber;
    }

    static final class Fixed {
        @SerializedName("names")
        private final List<String> names = new ArrayList<>();

        @SerializedName("size")
        private @Nullable Integer size;
    }

    static final class Made {
        @SerializedName("l")
        private @Nullable String l;

        private String by = "default";

        Made() {}

        @ConstructorProperties("l")
        Made(String l) {
            this.l = l;
            by = "constructor";
        }
    }

    record WithNode(@FieldPath("spec.node") @Nullable Node node) {}

    @JsonIdentityInfo(generator = ObjectIdGenerators.PropertyGenerator.class, property = "id")
    static final class Node {
        public int id;
        public @Nullable Node next;
    }

    @JsonIgnoreProperties("secret")
    interface Redacted {}

    @SuppressWarnings("UnusedVariable") // compared by reflection
    static final class Login implements Redacted {
        @SerializedName("user")
        private @Nullable String user;

        @SerializedName("secret")
        private @Nullable String secret;
    }

    @JacksonAnnotationsInside
    @JsonIgnore
    @Retention(RetentionPolicy.RUNTIME)
    @interface Hidden {}

    @SuppressWarnings("UnusedVariable") // compared by reflection
    static final class Token {
        @Hidden
        @SerializedName("t")
        private @Nullable String t;

        @SerializedName("u")
        private @Nullable String u;
    }

    @SuppressWarnings("UnusedVariable") // compared by reflection
    static final class Named {
        @SerializedName("l")
        private @Nullable String l;

        private String by = "default";

        Named() {}

        Named(@JsonProperty("l") String l) {
            this.l = l;
            by = "constructor";
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, defaultImpl = PodRow.class)
    interface Row {}

    record PodRow(@FieldPath("metadata.name") @Nullable String name) implements Row {}

    @Test
    void classesThatAskForMoreAreReadAsJacksonReadsThem() {
        for (Class<?> type : List.of(Ports.class, Fixed.class, Made.class, Login.class, Token.class, Named.class)) {
            assertThat(PlainClasses.has(type)).as(type.getSimpleName()).isFalse();
        }
        assertThat(readers.shared(ResourceType.of(V1Pod.class).as(PodRow.class)).shape()).isNull();
        assertThat(readTwice("{\"byNumber\":{\"80\":\"http\"}}", Ports.class).byNumber).isEqualTo(Map.of(80, "http"));
        Fixed fixed = readTwice("{\"names\":[\"a\"],\"size\":1}", Fixed.class);
        assertThat(fixed.names).containsExactly("a");
        assertThat(fixed.size).isEqualTo(1);
        Made made = readTwice("{\"l\":\"x\"}", Made.class);
        assertThat(made.l + " by " + made.by).isEqualTo("x by constructor");
        assertThat(readers.shared(ResourceType.of(V1Pod.class).as(WithNode.class)).shape())
                .as("what a user's class asks of Jackson may reach across objects").isNull();
    }

    private <T> T readTwice(String object, Class<T> type) {
        var both = new Both<>(ResourceType.of("example.com", "v1", "widgets", Scope.NAMESPACED, type));
        byte[] bytes = object.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 2; i++) {
            Object byShape = both.byShape(bytes, 0, bytes.length);
            if (byShape != null) {
                assertThat(byShape).usingRecursiveComparison().isEqualTo(both.byJackson(bytes, 0, bytes.length));
            }
        }
        return type.cast(both.byJackson(bytes, 0, bytes.length));
    }

    @Test
    void onTheWayToItsComponentsAProjectionTakesNothingElseThanJson() {
        var both = new Both<>(SUMMARIES);
        for (String garbled : List.of("{\"metadata\"::{\"labels\":{\"a\":\"b\"}}}", "{\"metadata\":[\"labels\":{\"a\":\"b\"}]}",
                "{\"metadata\":x\"labels\",\"spec\":{}}",
                "{\"spec\":{\"other\":[1,2},\"status\":{}}]}", "{\"metadata\":{\"other\"1,\"labels\":{}}}",
                "{\"other\":1\"2\",\"metadata\":{}}")) {
            byte[] bytes = garbled.getBytes(StandardCharsets.UTF_8);
            assertThat(both.byShape(bytes, 0, bytes.length)).as(garbled).isNull();
        }
    }

    @Test
    void whereThereIsNothingNothingIsRead() {
        var both = new Both<>(SUMMARIES);
        assertThat(both.byShape(new byte[0], 0, 0)).isNull();
        assertThat(both.byShape(new byte[] {'{', '}'}, 1, 1)).isNull();
    }

    @Test
    void anyBytesAreReadAsByJacksonOrNotAtAll() {
        @Nullable Object[] cached = new @Nullable Object[4];
        @Nullable String[] cachedText = new @Nullable String[4];
        int read = 0;
        int unusual = 0;
        List<List<Both<?>>> tables = List.of(eachKind(trees), eachKind(new SharedTrees(0)), eachKind(null));
        long[] seeds = Rounds.seeds("garbled", 30_000);
        for (long seed : seeds) {
            var random = new Random(seed);
            int type = random.nextInt(cached.length);
            byte[] bytes = garbled(type == 1 ? CRD : POD, random).getBytes(StandardCharsets.UTF_8);
            if (random.nextInt(4) == 0) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            Object before = cached[type];
            Both<?> both = tables.get(random.nextInt(tables.size())).get(type);
            Object byShape = bytes.length == 0 ? null : both.byShape(bytes, 0, bytes.length, before);
            if (before != null) {
                assertThat(before).as("seed %d: what is cached", seed).hasToString(cachedText[type]);
            }
            if (byShape == null) {
                unusual++;
                continue;
            }
            read++;
            try {
                Object byJackson = both.byJackson(bytes, 0, bytes.length);
                assertThat(byShape).as("seed %d: %s", seed, new String(bytes, StandardCharsets.UTF_8)).isEqualTo(byJackson);
                assertThat(byShape.toString()).isEqualTo(byJackson.toString());
                cached[type] = random.nextInt(8) == 0 ? null : byShape;
                cachedText[type] = byShape.toString();
            } catch (JacksonException refused) {
                if (both.reader.jackson().getValueType().hasRawClass(Summary.class)) {
                    continue; // what a projection leaves out is not judged
                }
                throw new AssertionError("seed " + seed + ": read, but Jackson says " + refused.getMessage()
                        + ": " + new String(bytes, StandardCharsets.UTF_8), refused);
            }
        }
        assertThat(read).isGreaterThanOrEqualTo(seeds.length / 14);
        assertThat(unusual).isGreaterThanOrEqualTo(seeds.length / 14);
    }

    private List<Both<?>> eachKind(@Nullable SharedTrees shared) {
        return List.of(new Both<>(ResourceType.of(V1Pod.class), shared),
                new Both<>(ResourceType.of(V1CustomResourceDefinition.class), shared),
                new Both<PartialObjectMetadata>(ResourceType.metadata("", "v1", "pods"), shared), new Both<>(SUMMARIES, shared));
    }

    private static String garbled(String text, Random random) {
        var garbled = new StringBuilder(text.replace("\n", ""));
        for (int edits = random.nextInt(3); edits >= 0; edits--) {
            int from = random.nextInt(garbled.length());
            int to = Math.min(garbled.length(), from + random.nextInt(3));
            switch (random.nextInt(3)) {
                case 0 -> garbled.replace(from, to, BITS.get(random.nextInt(BITS.size())));
                case 1 -> afterMark(garbled, from, BITS.get(random.nextInt(BITS.size())));
                default -> {
                    int end = Math.min(garbled.length(), from + random.nextInt(60));
                    garbled.insert(end, garbled.substring(from, end));
                }
            }
        }
        return garbled.toString();
    }

    /** Where a value or a name may stand, so that more of it is JSON. */
    private static void afterMark(StringBuilder text, int from, String bit) {
        int at = from;
        while (at < text.length() && ",:[{".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        text.insert(Math.min(at + 1, text.length()), bit);
    }
}
