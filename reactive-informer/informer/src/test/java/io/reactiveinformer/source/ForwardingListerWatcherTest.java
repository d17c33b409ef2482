package io.reactiveinformer.source;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A method that is added to {@link ListerWatcher} must reach the source through whatever stands before it. */
class ForwardingListerWatcherTest {

    static Stream<Method> methods() {
        return Stream.of(ListerWatcher.class.getMethods()).filter(method -> !Modifier.isStatic(method.getModifiers()));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void forwardsEveryMethod(Method method) throws ReflectiveOperationException {
        List<Method> calls = new ArrayList<>();
        @SuppressWarnings("unchecked") // which objects it lists does not matter
        ListerWatcher<Object> source = (ListerWatcher<Object>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ListerWatcher.class}, (proxy, called, arguments) -> {
                    calls.add(called);
                    return called.getReturnType() == boolean.class ? false : null;
                });
        @Nullable Object[] arguments = Stream.of(method.getParameterTypes()).map(type -> type == int.class ? 7 : null).toArray();
        method.invoke(new ListerWatcher.Forwarding<>(source) {}, arguments);
        assertThat(calls).containsExactly(method);
    }

    @Test
    void everySourceBeforeAnotherForwards() {
        var sources = new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
                .importPackages("io.reactiveinformer").stream()
                .filter(type -> type.isAssignableTo(ListerWatcher.class) && !type.isInterface() && !type.isAnonymousClass())
                .filter(type -> !type.isEquivalentTo(ListerWatcher.Forwarding.class))
                .filter(type -> type.getAllFields().stream().anyMatch(field -> field.getRawType().isAssignableTo(ListerWatcher.class)))
                .toList();
        assertThat(sources).hasSizeGreaterThanOrEqualTo(5).allMatch(type -> type.isAssignableTo(ListerWatcher.Forwarding.class));
    }
}
