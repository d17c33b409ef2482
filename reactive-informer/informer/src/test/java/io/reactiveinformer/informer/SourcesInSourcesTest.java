package io.reactiveinformer.informer;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.reactiveinformer.source.ListerWatcher;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A source that wraps another one has to override each default method. Otherwise it hides the method of the wrapped source; in this way a
 * restored server was never noticed.
 */
class SourcesInSourcesTest {

    @Test
    void declareEveryMethod() throws NoSuchMethodException {
        List<Class<?>> sources = new ClassFileImporter()
                .importPackages("io.reactiveinformer.informer").stream()
                .filter(type -> type.isAssignableTo(ListerWatcher.class))
                .<Class<?>>map(JavaClass::reflect)
                // no tests
                .filter(type -> type.getProtectionDomain().getCodeSource()
                        .equals(ListerWatcher.class.getProtectionDomain().getCodeSource()))
                .toList();
        assertThat(sources).hasSizeGreaterThanOrEqualTo(4).contains(ContainedSource.class);
        for (Class<?> source : sources) {
            for (Method method : ListerWatcher.class.getDeclaredMethods()) {
                if (!Modifier.isStatic(method.getModifiers()) && !method.isSynthetic()) {
                    assertThat(source.getMethod(method.getName(), method.getParameterTypes()).getDeclaringClass())
                            .as("%s in %s", method.getName(), source.getName())
                            .isNotEqualTo(ListerWatcher.class);
                }
            }
        }
    }
}
