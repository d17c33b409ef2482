package io.reactiveinformer.benchmarks.micro;

import com.google.gson.annotations.SerializedName;
import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Scope;
import io.reactiveinformer.resource.Versioned;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * What it takes to read custom resources of some 2 KB, 25 of which belong to each application, as users declare them: as a class of a
 * generator, whose fields have {@link SerializedName}; as a class for Jackson; as a record. {@code pods} reads pods of the models in JSON.
 * With {@code -Dio.reactiveinformer.shapes=false} Jackson reads all of them.
 */
@SuppressWarnings("UnusedVariable") // Jackson and our reader fill them
public final class CustomResources {

    private static final int COUNT = 20_000;
    private static final int PIECE = 16 * 1024;

    public record Issuer(String name, String kind, String group) {}

    public record PrivateKey(String algorithm, int size, String rotationPolicy) {}

    public record Spec(String secretName, List<String> dnsNames, Issuer issuerRef, PrivateKey privateKey, List<String> usages,
            String duration, String renewBefore, int revisionHistoryLimit) {}

    public record Condition(String type, String status, String reason, String message, OffsetDateTime lastTransitionTime,
            long observedGeneration) {}

    public record Status(List<Condition> conditions, OffsetDateTime notAfter, OffsetDateTime notBefore, OffsetDateTime renewalTime,
            int revision) {}

    public record OfRecords(String apiVersion, String kind, V1ObjectMeta metadata, Spec spec, Status status) {}

    /** For Jackson, with public fields. */
    public static final class OfClasses {
        public @Nullable String apiVersion;
        public @Nullable String kind;
        public @Nullable V1ObjectMeta metadata;
        public @Nullable ClassSpec spec;
        public @Nullable ClassStatus status;
    }

    public static final class ClassSpec {
        public @Nullable String secretName;
        public List<String> dnsNames = List.of();
        public @Nullable ClassIssuer issuerRef;
        public @Nullable ClassKey privateKey;
        public List<String> usages = List.of();
        public @Nullable String duration;
        public @Nullable String renewBefore;
        public int revisionHistoryLimit;
    }

    public static final class ClassIssuer {
        public @Nullable String name;
        public @Nullable String kind;
        public @Nullable String group;
    }

    public static final class ClassKey {
        public @Nullable String algorithm;
        public int size;
        public @Nullable String rotationPolicy;
    }

    public static final class ClassStatus {
        public List<ClassCondition> conditions = List.of();
        public @Nullable OffsetDateTime notAfter;
        public @Nullable OffsetDateTime notBefore;
        public @Nullable OffsetDateTime renewalTime;
        public int revision;
    }

    public static final class ClassCondition {
        public @Nullable String type;
        public @Nullable String status;
        public @Nullable String reason;
        public @Nullable String message;
        public @Nullable OffsetDateTime lastTransitionTime;
        public long observedGeneration;
    }

    /** As the generator of the official client writes them. */
    public static final class Generated {
        @SerializedName("apiVersion") private @Nullable String apiVersion;
        @SerializedName("kind") private @Nullable String kind;
        @SerializedName("metadata") private @Nullable V1ObjectMeta metadata;
        @SerializedName("spec") private @Nullable GeneratedSpec spec;
        @SerializedName("status") private @Nullable GeneratedStatus status;
    }

    public static final class GeneratedSpec {
        @SerializedName("secretName") private @Nullable String secretName;
        @SerializedName("dnsNames") private @Nullable List<String> dnsNames;
        @SerializedName("issuerRef") private @Nullable GeneratedIssuer issuerRef;
        @SerializedName("privateKey") private @Nullable GeneratedKey privateKey;
        @SerializedName("usages") private @Nullable List<String> usages;
        @SerializedName("duration") private @Nullable String duration;
        @SerializedName("renewBefore") private @Nullable String renewBefore;
        @SerializedName("revisionHistoryLimit") private @Nullable Integer revisionHistoryLimit;
    }

    public static final class GeneratedIssuer {
        @SerializedName("name") private @Nullable String name;
        @SerializedName("kind") private @Nullable String kind;
        @SerializedName("group") private @Nullable String group;
    }

    public static final class GeneratedKey {
        @SerializedName("algorithm") private @Nullable String algorithm;
        @SerializedName("size") private @Nullable Integer size;
        @SerializedName("rotationPolicy") private @Nullable String rotationPolicy;
    }

    public static final class GeneratedStatus {
        @SerializedName("conditions") private @Nullable List<GeneratedCondition> conditions;
        @SerializedName("notAfter") private @Nullable OffsetDateTime notAfter;
        @SerializedName("notBefore") private @Nullable OffsetDateTime notBefore;
        @SerializedName("renewalTime") private @Nullable OffsetDateTime renewalTime;
        @SerializedName("revision") private @Nullable Integer revision;
    }

    public static final class GeneratedCondition {
        @SerializedName("type") private @Nullable String type;
        @SerializedName("status") private @Nullable String status;
        @SerializedName("reason") private @Nullable String reason;
        @SerializedName("message") private @Nullable String message;
        @SerializedName("lastTransitionTime") private @Nullable OffsetDateTime lastTransitionTime;
        @SerializedName("observedGeneration") private @Nullable Long observedGeneration;
    }

    private CustomResources() {}

    /** @param arguments {@code generated}, {@code class}, {@code record} or {@code pods} */
    public static void main(String... arguments) {
        String group = "certs.example";
        switch (arguments[0]) {
            case "generated" -> measure(ResourceType.of(group, "v1", "certificates", Scope.NAMESPACED, Generated.class), false);
            case "class" -> measure(ResourceType.of(group, "v1", "certificates", Scope.NAMESPACED, OfClasses.class), false);
            case "record" -> measure(ResourceType.of(group, "v1", "certificates", Scope.NAMESPACED, OfRecords.class), false);
            case "pods" -> measure(ResourceType.of(V1Pod.class), true);
            default -> throw new IllegalArgumentException("no form " + arguments[0]);
        }
    }

    private static <T> void measure(ResourceType<T> type, boolean pods) {
        byte[] list = pods ? Pods.A.list(COUNT) : list();
        byte[] events = events(pods);
        ObjectCodec codec = ObjectCodec.create();
        long before = retained();
        long cpu = cpu();
        Map<ObjectKey, Versioned<T>> cached = decode(codec, type, list);
        long cold = cpu() - cpu;
        long retained = retained() - before;
        long allocated = allocated();
        long most = codec.watch(pieces(events), type, Reading.of(cached::get), "watch").count().blockOptional().orElse(0L);
        long warming = allocated() - allocated;
        allocated = allocated();
        codec.watch(pieces(events), type, Reading.of(cached::get), "watch").blockLast();
        long change = (allocated() - allocated) / most;
        Reference.reachabilityFence(cached);
        cached = Map.of();
        long[] warm = new long[5];
        for (int i = 0; i < warm.length; i++) {
            cpu = cpu();
            Reference.reachabilityFence(decode(codec, type, list));
            warm[i] = cpu() - cpu;
        }
        Arrays.sort(warm);
        System.out.printf("%d bytes an object; cold %d ms, warm %d ms of processor time; retained %d bytes an object;"
                        + " a change allocates %d (%d cold)%n",
                list.length / COUNT, cold, warm[2], retained / COUNT, change, warming / most);
    }

    private static <T> Map<ObjectKey, Versioned<T>> decode(ObjectCodec codec, ResourceType<T> type, byte[] list) {
        Map<ObjectKey, Versioned<T>> items = new HashMap<>(2 * COUNT);
        codec.list(pieces(list), type, Reading.of(key -> null)).doOnNext((ObjectEvent<T> event) -> {
            if (event instanceof ObjectEvent.Applied<T> item) {
                items.put(item.key(), item.entry());
            }
        }).blockLast();
        if (items.size() != COUNT) {
            throw new IllegalStateException(items.size() + " of " + COUNT + " were read");
        }
        return items;
    }

    private static Flux<ByteBuf> pieces(byte[] list) {
        return Flux.range(0, (list.length + PIECE - 1) / PIECE)
                .map(piece -> Unpooled.wrappedBuffer(list, piece * PIECE, Math.min(PIECE, list.length - piece * PIECE)));
    }

    private static byte[] list() {
        var list = new ByteArrayOutputStream();
        write(list, "{\"kind\":\"CertificateList\",\"apiVersion\":\"certs.example/v1\","
                + "\"metadata\":{\"resourceVersion\":\"1000000\"},\"items\":[");
        for (int i = 0; i < COUNT; i++) {
            write(list, (i == 0 ? "" : ",") + certificate(i, 0));
        }
        write(list, "]}");
        return list.toByteArray();
    }

    /** Of the first 2,000 objects, each of which has changed. */
    private static byte[] events(boolean pods) {
        var events = new ByteArrayOutputStream();
        for (int i = 0; i < 2_000; i++) {
            String object = pods ? new String(Pods.A.bytes(i), StandardCharsets.UTF_8)
                    .replaceFirst("\"resourceVersion\":\"\\d+\"", "\"resourceVersion\":\"" + (2_000_000 + i) + "\"")
                    .replaceFirst("\"restartCount\":0", "\"restartCount\":1")
                    .replaceFirst("^\\{", "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",") : certificate(i, 1);
            write(events, "{\"type\":\"MODIFIED\",\"object\":" + object + "}\n");
        }
        return events.toByteArray();
    }

    private static void write(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String certificate(int number, int revision) {
        var own = new Random(number);
        var app = new Random(1_000_000 + number / 25);
        String name = Long.toString(app.nextLong() >>> 1, 36);
        return """
                {"apiVersion":"certs.example/v1","kind":"Certificate","metadata":{"name":"%1$s-%2$d","namespace":"team-%3$d","uid":"%4$s",\
                "resourceVersion":"%5$d","generation":%6$d,"creationTimestamp":"2026-11-20T10:%7$02d:%8$02dZ","labels":{"app":"%1$s",\
                "app.kubernetes.io/part-of":"%9$s","app.kubernetes.io/managed-by":"Helm","helm.sh/chart":"%1$s-1.4.2"},"annotations":{\
                "meta.helm.sh/release-name":"%1$s","meta.helm.sh/release-namespace":"team-%3$d","checksum/config":"%9$s"},\
                "ownerReferences":[{\
                "apiVersion":"networking.k8s.io/v1","kind":"Ingress","name":"%1$s","uid":"%10$s","controller":true,\
                "blockOwnerDeletion":true}],\
                "managedFields":[{"manager":"helm","operation":"Apply","apiVersion":"certs.example/v1","time":"2026-11-20T10:%7$02d:00Z",\
                "fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:dnsNames":{},"f:secretName":{},"f:issuerRef":{"f:name":{},\
                "f:kind":{}}}}}]},\
                "spec":{"secretName":"%1$s-%2$d-tls","dnsNames":["%1$s-%2$d.example.org","www.%1$s-%2$d.example.org","%1$s.internal"],\
                "issuerRef":{"name":"letsencrypt-%11$d","kind":"ClusterIssuer","group":"certs.example"},"privateKey":{"algorithm":"ECDSA",\
                "size":256,"rotationPolicy":"Always"},"usages":["digital signature","key encipherment","server auth"],"duration":"2160h",\
                "renewBefore":"360h","revisionHistoryLimit":3},"status":{"conditions":[{"type":"Ready","status":"True","reason":"Ready",\
                "message":"Certificate is up to date and has not expired","lastTransitionTime":"2026-11-20T10:%8$02d:05Z",\
                "observedGeneration":%6$d},{"type":"Issuing","status":"False","reason":"Issued",\
                "message":"The certificate has been successfully issued",\
                "lastTransitionTime":"2026-11-20T10:%8$02d:04Z","observedGeneration":%6$d}],"notAfter":"2027-02-18T10:%8$02d:03Z",\
                "notBefore":"2026-11-20T10:%8$02d:04Z","renewalTime":"2027-02-03T10:%8$02d:03Z","revision":%6$d}}"""
                .formatted(name, number % 25, number / 200, new UUID(own.nextLong(), own.nextLong()),
                        100_000 + number + 2_000_000 * revision, 1 + revision, number % 60, own.nextInt(60),
                        Long.toString(app.nextLong() >>> 1, 36), new UUID(app.nextLong(), app.nextLong()), number % 3);
    }

    private static long cpu() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1_000_000;
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    private static long retained() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
