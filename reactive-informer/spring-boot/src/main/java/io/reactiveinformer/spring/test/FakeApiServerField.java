package io.reactiveinformer.spring.test;

import io.reactiveinformer.test.FakeApiServer;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.util.ClassUtils;

/** Makes a {@link FakeApiServer} in a static field of the test class a bean of its application context. */
final class FakeApiServerField implements ContextCustomizerFactory {

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> test, List<ContextConfigurationAttributes> configuration) {
        return ClassUtils.isPresent("io.reactiveinformer.test.FakeApiServer", test.getClassLoader()) ? Fields.customizer(test) : null;
    }

    /** Only used if the class {@link FakeApiServer} is there. */
    private static final class Fields {

        static @Nullable ContextCustomizer customizer(Class<?> test) {
            List<FakeApiServer> servers = Stream.<Class<?>>iterate(test, type -> type != null && type != Object.class, Class::getSuperclass)
                    .flatMap(type -> Stream.of(type.getDeclaredFields()))
                    .filter(field -> Modifier.isStatic(field.getModifiers()) && field.getType() == FakeApiServer.class)
                    .map(Fields::valueOf)
                    .toList();
            if (servers.size() > 1) {
                throw new IllegalStateException(test.getName() + " has " + servers.size()
                        + " static fields with a FakeApiServer, and an application connects to one");
            }
            return servers.isEmpty() ? null : new Server(servers.get(0));
        }

        private static FakeApiServer valueOf(Field field) {
            try {
                field.setAccessible(true);
                if (field.get(null) instanceof FakeApiServer server) {
                    return server;
                }
            } catch (IllegalAccessException failure) {
                throw new IllegalStateException("cannot read " + field, failure);
            }
            throw new IllegalStateException(field + " is null: create the server where the field is declared");
        }
    }

    /** Tests with the same server may share a cached context. */
    private record Server(FakeApiServer server) implements ContextCustomizer {

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
            ConfigurableListableBeanFactory beans = context.getBeanFactory();
            if (!beans.containsSingleton("fakeApiServer")) {
                beans.registerSingleton("fakeApiServer", server); // the context does not close it
            }
        }
    }
}
