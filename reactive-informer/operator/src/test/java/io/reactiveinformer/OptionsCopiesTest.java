package io.reactiveinformer;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.backoff.Backoff;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.DeleteOptions;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.LogOptions;
import io.reactiveinformer.client.WriteOptions;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.leader.ElectionOptions;
import io.reactiveinformer.queue.WorkQueueOptions;
import io.reactiveinformer.recorder.RecorderOptions;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.transport.TransportOptions;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A {@code withX} of options changes {@code x} and nothing else. Each hands all components to the constructor, where two may be mixed up.
 */
class OptionsCopiesTest {

    private static final List<Record> OPTIONS = List.of(ClientOptions.defaults(), DeleteOptions.defaults(), ListOptions.defaults(),
            LogOptions.defaults(), WriteOptions.defaults(), TransportOptions.defaults(), ReflectorOptions.defaults(),
            WorkQueueOptions.defaults(), InformerSpec.of(ResourceType.of(V1Pod.class)), ElectionOptions.defaults(),
            RecorderOptions.of("example.com/name"));

    private static final Map<Class<?>, Object> OTHERS = Map.of(
            String.class, "other", Duration.class, Duration.ofSeconds(77), int.class, 7_777,
            long.class, 7_777L, Namespaces.class, Namespaces.of("other"), Selector.class, Selector.labels("other=other"),
            Backoff.class, Backoff.between(Duration.ofSeconds(7), Duration.ofSeconds(8)), Reflector.Group.class, Reflector.Group.create(),
            TransportOptions.class, TransportOptions.defaults().withJvmResolver(true), Map.class, Map.of("other", "other"));

    @TestFactory
    List<DynamicTest> changesNothingElse() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Record options : OPTIONS) {
            List<String> components = Arrays.stream(options.getClass().getRecordComponents()).map(RecordComponent::getName).toList();
            for (Method method : options.getClass().getMethods()) {
                String name = method.getName();
                String changed = name.startsWith("with") && name.length() > 4
                        ? name.substring(4, 5).toLowerCase(Locale.ROOT) + name.substring(5) : "";
                if (components.contains(changed) && method.getParameterCount() <= 1 && !method.isVarArgs()) {
                    tests.add(DynamicTest.dynamicTest(options.getClass().getSimpleName() + "." + name,
                            () -> changesOnly(options, method, changed)));
                }
            }
        }
        assertThat(tests).hasSizeGreaterThan(50);
        return tests;
    }

    /** Each value of these is another one, so that two that were mixed up are seen. */
    @Test
    void severalValuesAtOnceComeWhereTheyBelong() {
        Duration one = Duration.ofSeconds(11);
        Duration two = Duration.ofSeconds(7);
        Duration three = Duration.ofSeconds(3);
        TransportOptions ping = TransportOptions.defaults().withPing(one, two);
        assertThat(ping).isEqualTo(new TransportOptions(ping.connectTimeout(), ping.silence(), ping.http2(), one, two, ping.jvmResolver(),
                ping.threads(), ping.timer()));
        TransportOptions silence = TransportOptions.defaults().withSilence(one, Schedulers.immediate());
        assertThat(silence.silence()).isEqualTo(one);
        assertThat(silence.timer()).isSameAs(Schedulers.immediate());
        assertThat(silence.ping()).isEqualTo(TransportOptions.defaults().ping());
        ElectionOptions timings = ElectionOptions.defaults().withTimings(one, two, three);
        assertThat(List.of(timings.leaseDuration(), timings.renewDeadline(), timings.retryPeriod())).containsExactly(one, two, three);
        ClientOptions limit = ClientOptions.defaults().withWriteLimit(5, 9);
        assertThat(List.of(limit.writesPerSecond(), limit.writeBurst())).containsExactly(5, 9);
        ListOptions version = ListOptions.defaults().withResourceVersion("7", ListOptions.Match.EXACT);
        assertThat(version.resourceVersion()).isEqualTo("7");
        assertThat(version.match()).isEqualTo(ListOptions.Match.EXACT);
        assertThat(version.continueToken()).isNull();
    }

    private static void changesOnly(Record options, Method method, String changed) throws ReflectiveOperationException {
        Object copy = method.getParameterCount() == 0 ? method.invoke(options)
                : method.invoke(options, other(method.getParameterTypes()[0], component(options, changed)));
        List<String> differing = new ArrayList<>();
        for (RecordComponent component : options.getClass().getRecordComponents()) {
            if (!Objects.equals(component(options, component.getName()), component(copy, component.getName()))) {
                differing.add(component.getName());
            }
        }
        assertThat(differing).containsExactly(changed);
    }

    private static @Nullable Object component(Object record, String name) throws ReflectiveOperationException {
        return record.getClass().getMethod(name).invoke(record);
    }

    private static Object other(Class<?> type, @Nullable Object than) {
        if (type == boolean.class) {
            return !Boolean.TRUE.equals(than);
        } else if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants()).filter(each -> each != than).findFirst().orElseThrow();
        } else if (type == ObjectKey.class) {
            return ObjectKey.of("other", "other");
        } else if (OTHERS.containsKey(type)) {
            return OTHERS.get(type);
        }
        assertThat(type.isInterface()).as("another %s is not known here", type).isTrue();
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> switch (method.getName()) {
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> 7;
            default -> method.getName();
        });
    }
}
