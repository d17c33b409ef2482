package io.reactiveinformer.internal.readers;

import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.internal.codec.SharedStrings;
import io.reactiveinformer.internal.codec.Skim;
import io.reactiveinformer.resource.FieldPath;
import io.reactiveinformer.resource.ResourceType;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Phaser;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.deser.bean.BeanDeserializer;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class ShapesTest {

    /** Each of these leads to every method of its class. */
    private static final Class<?> FOUND_OUT = BeanDeserializer.class;

    private static final byte[] POD = """
            {"metadata":{"name":"web-1","labels":{"app":"web"},"annotations":{"with":"an \\" escape"}},
            "spec":{"containers":[{"name":"web","ports":[{"containerPort":80}]}]},"status":{"phase":"Running"}}
            """.getBytes(StandardCharsets.UTF_8);

    /** What is found out about a class takes time, and memory as long as it is kept. */
    @Test
    void onlyTheClassesThatObjectsAreMadeOfAreLookedAt() throws IllegalAccessException {
        var strings = new SharedStrings();
        var readers = new Readers(strings);
        Readers.Reader pods = readers.shared(ResourceType.of(V1Pod.class));
        assertThat(within(readers, ObjectShape.class)).hasSize(1);
        var reading = new ShapeReader(strings, new SharedTrees(1 << 20), new Skim(strings), pods.mapper());
        assertThat(reading.read(Objects.requireNonNull(pods.shape()), POD, 0, POD.length, null)).isNotNull();
        assertThat(within(readers, ObjectShape.class)).as("pod, metadata, spec, container, port, status").hasSize(6);
        readers.shared(ResourceType.metadata("", "v1", "pods"));
        assertThat(within(readers, MetadataShape.class)).hasSize(1);
        assertThat(within(readers, FOUND_OUT)).isEmpty();
        assertThat(within(readers, JsonMapper.class)).isEmpty();
        pods.jackson().readValue(POD);
        assertThat(within(readers, JsonMapper.class)).as("where it would be found").isNotEmpty();
        assertThat(within(readers, FOUND_OUT)).as("where they would be found").isNotEmpty();
    }

    record Wild(@FieldPath("spec.containers") List<? extends V1Container> containers) {}

    @Test
    void aWildcardIsReadByTheShapeOfItsBound() throws IllegalAccessException {
        var strings = new SharedStrings();
        var readers = new Readers(strings);
        Readers.Reader wild = readers.shared(ResourceType.of(V1Pod.class).as(Wild.class));
        var reading = new ShapeReader(strings, new SharedTrees(1 << 20), new Skim(strings), wild.mapper());
        assertThat(reading.read(Objects.requireNonNull(wild.shape()), POD, 0, POD.length, null)).isNotNull();
        assertThat(within(readers, ObjectShape.class)).as("container, port").hasSize(2);
    }

    /** A tree is found again by its shape. */
    @Test
    void threadsThatComeAtOnceUseTheSameShapes() throws IllegalAccessException {
        for (int round = 0; round < 300; round++) {
            var strings = new SharedStrings();
            var readers = new Readers(strings);
            var together = new Phaser(2);
            Flux.range(0, 2).flatMap(thread -> Mono.fromRunnable(() -> {
                Readers.Reader pods = readers.shared(ResourceType.of(V1Pod.class));
                var reading = new ShapeReader(strings, new SharedTrees(1 << 20), new Skim(strings), pods.mapper());
                together.arriveAndAwaitAdvance();
                reading.read(Objects.requireNonNull(pods.shape()), POD, 0, POD.length, null);
            }).subscribeOn(Schedulers.boundedElastic())).blockLast();
            assertThat(within(readers, ObjectShape.class)).as("round %d", round).hasSize(6);
        }
    }

    /** Those instances that can be reached from the fields of this library's and Jackson's objects, but not by a reference that lets go. */
    private static List<Object> within(Object root, Class<?> type) throws IllegalAccessException {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Object> left = new ArrayDeque<>();
        left.add(root);
        while (!left.isEmpty()) {
            Object next = left.remove();
            if (seen.add(next)) {
                follow(next, left);
            }
        }
        return seen.stream().filter(type::isInstance).toList();
    }

    private static void follow(Object from, Deque<Object> found) throws IllegalAccessException {
        if (from instanceof Map<?, ?> map) {
            map.keySet().forEach(key -> add(key, found));
            map.values().forEach(value -> add(value, found));
        } else if (from instanceof Collection<?> all) {
            all.forEach(one -> add(one, found));
        } else if (from instanceof Object[] array) {
            for (int i = 0; i < array.length; i++) {
                add(Array.get(array, i), found);
            }
        } else {
            for (Class<?> type = from.getClass(); type != null && isOurs(type); type = type.getSuperclass()) {
                for (Field field : type.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                        field.setAccessible(true);
                        add(field.get(from), found);
                    }
                }
            }
        }
    }

    private static boolean isOurs(Class<?> type) {
        return type.getName().startsWith("io.reactiveinformer.") || type.getName().startsWith("tools.jackson.");
    }

    private static void add(@Nullable Object one, Deque<Object> found) {
        if (one != null) {
            found.add(one);
        }
    }
}
