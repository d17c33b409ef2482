package io.reactiveinformer.internal.codec;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import io.reactiveinformer.Chance;
import io.reactiveinformer.Cost;
import io.reactiveinformer.resource.FieldPath;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.JsonNode;

/** Whatever comes, reading it costs no more than a constant and so much a byte, in time and in memory: law 25. */
class CostFuzzTest {

    /** Instrumented, and with all that a first object of a class needs. */
    private static final Cost CONSTANT = new Cost(200_000_000, 64 << 20);
    /** Twenty times what the costliest input takes; the chunks are counted apart. */
    private static final Cost A_BYTE = new Cost(1_000, 600);
    private static final Cost A_CHUNK = new Cost(20_000, 16_000);

    private static final int LARGEST = 192 << 10;
    private static final ObjectCodec CODEC = ObjectCodec.create(LARGEST, Schedulers.immediate());

    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Values(
            @Nullable Quantity quantity, @Nullable OffsetDateTime time, int whole, @Nullable Long large, @Nullable BigDecimal decimal,
            @Nullable BigInteger integer, double fraction, boolean yes,
            byte @Nullable [] bytes, @Nullable Duration duration, @Nullable Instant instant, @Nullable LocalDate date, @Nullable URI uri,
            @Nullable UUID uuid, @Nullable JsonNode tree,
            @Nullable List<BigInteger> numbers, @Nullable Map<Long, BigInteger> byNumber, @Nullable Map<String, Quantity> quantities,
            @FieldPath("metadata.labels") @Nullable Map<String, String> labels,
            @FieldPath("metadata.creationTimestamp") @Nullable OffsetDateTime created,
            @FieldPath("spec.containers") @Nullable JsonNode containers) {}

    /** The same without paths, which is read along other ways. */
    record Plain(@Nullable Quantity quantity, @Nullable OffsetDateTime time, int whole, @Nullable BigDecimal decimal,
    @Nullable BigInteger integer, @Nullable List<BigInteger> numbers, @Nullable JsonNode tree,
            @Nullable Object any) {}

    private static final ResourceType<?>[] TYPES = {
        ResourceType.dynamic("example.com", "v1", "widgets"), ResourceType.metadata("apps", "v1", "deployments"),
        ResourceType.of(V1Pod.class), ResourceType.of(V1Secret.class), ResourceType.of(V1Node.class),
        ResourceType.of(V1Pod.class).as(Values.class), ResourceType.of("example.com", "v1", "plains", ResourceType.Scope.NAMESPACED,
                Plain.class)};

    private static final ObjectCodec WITH_MANAGED_FIELDS = CODEC.managedFields(true);

    @FuzzTest(maxDuration = "10s")
    void costsNoMoreThanItsLength(FuzzedDataProvider chosen) {
        var chance = new Chance(chosen);
        ResourceType<?> type = chance.of(TYPES);
        ObjectCodec codec = chance.onceIn(2) ? CODEC : WITH_MANAGED_FIELDS;
        boolean message = codec.readsProtobuf(type) && chance.onceIn(3);
        int way = message ? chance.number(5, 6) : chance.number(0, 4);
        int size = 1 << chance.number(0, 17);
        byte[] body = message ? LongMessages.body(chance, type, way == 5) : LongBodies.body(chance);
        int chunk = Math.max(size, body.length >> 12); // else the chunks are what costs
        Supplier<Flux<?>> reading = reading(codec, type, way, body, chunk);
        int chunks = body.length / chunk + 1;
        var constant = new Cost(CONSTANT.nanos() + chunks * A_CHUNK.nanos(), CONSTANT.bytes() + chunks * A_CHUNK.bytes());
        String what = type + " in way " + way + ", chunks of " + chunk + " bytes: "
                + new String(body, 0, Math.min(body.length, 300), StandardCharsets.UTF_8);
        Cost.assertLinear(body.length, constant, A_BYTE, what, () -> read(reading.get()));
    }

    private static Supplier<Flux<?>> reading(ObjectCodec codec, ResourceType<?> type, int way, byte[] body, int chunk) {
        return switch (way) {
            case 0 -> () -> codec.list(LongBodies.chunks(body, chunk), type, Reading.anew());
            case 1 -> () -> codec.watch(LongBodies.chunks(body, chunk), type, Reading.anew(), "watch");
            case 2 -> () -> codec.object(LongBodies.chunks(body, chunk), type).flux();
            case 3 -> () -> codec.tree(LongBodies.chunks(body, chunk)).flux();
            case 5 -> () -> codec.listInProtobuf(LongBodies.chunks(body, chunk), type, Reading.anew());
            case 6 -> () -> codec.watchInProtobuf(LongBodies.chunks(body, chunk), type, Reading.anew(), "watch");
            default -> () -> codec.status(LongBodies.chunks(body, chunk), 500, null, null).flux();
        };
    }

    private static void read(Flux<?> events) {
        events.onErrorResume(KubernetesException.class, failure -> Flux.empty()).then().block();
    }
}
