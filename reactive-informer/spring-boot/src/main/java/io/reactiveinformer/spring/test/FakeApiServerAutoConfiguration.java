package io.reactiveinformer.spring.test;

import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.spring.KubernetesConnectionDetails;
import io.reactiveinformer.test.FakeApiServer;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;
import org.springframework.util.ClassUtils;

/** Connects the application to a {@link FakeApiServer} that is a bean, and starts that if it is not started yet. */
@AutoConfiguration(beforeName = "io.reactiveinformer.spring.ReactiveInformerAutoConfiguration")
@ConditionalOnClass(FakeApiServer.class)
@ConditionalOnBean(FakeApiServer.class)
final class FakeApiServerAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    KubernetesConnectionDetails fakeApiServerConnection(FakeApiServer server) {
        return () -> ClusterConfig.of(server.start().url());
    }

    /** Makes a {@link FakeApiServer} in a static field of the test class a bean of its application context. */
    static final class FakeApiServerField implements ContextCustomizerFactory {

        @Override
        public @Nullable ContextCustomizer createContextCustomizer(
                Class<?> test, List<ContextConfigurationAttributes> configuration) {
            return ClassUtils.isPresent("io.reactiveinformer.test.FakeApiServer", test.getClassLoader()) ? Fields.customizer(test) : null;
        }

        /** Only used if the class {@link FakeApiServer} is there. */
        private static final class Fields {

            static @Nullable ContextCustomizer customizer(Class<?> test) {
                List<FakeApiServer> servers = Stream.<Class<?>>iterate(
                                test, type -> type != null && type != Object.class, Class::getSuperclass)
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

    /** Has the log of a {@link FakeApiServer} that is a bean printed below the failure of a test. */
    static final class FakeApiServerLog implements TestExecutionListener {

        @Override
        public void afterTestMethod(TestContext test) {
            Throwable failure = test.getTestException();
            if (failure != null && test.hasApplicationContext()
                    && ClassUtils.isPresent("io.reactiveinformer.test.FakeApiServer", test.getTestClass().getClassLoader())) {
                ServerLog.attach(failure, test.getApplicationContext());
            }
        }

        /** Not a failure itself, but a way to attach text to one. Only used if the class {@link FakeApiServer} is there. */
        private static final class ServerLog extends RuntimeException {
            private static final long serialVersionUID = 1L;

            private ServerLog(String bean, FakeApiServer server) {
                super("log of " + bean + (server.log().isEmpty() ? ": no requests" : ":\n" + String.join("\n", server.log())),
                        null, false, false);
            }

            static void attach(Throwable failure, ListableBeanFactory beans) {
                beans.getBeansOfType(FakeApiServer.class, false, false)
                        .forEach((bean, server) -> failure.addSuppressed(new ServerLog(bean, server)));
            }
        }
    }

    /** Leaves out all components that the application scans for. */
    static final class NoComponents extends TypeExcludeFilter {

        @Override
        public boolean match(MetadataReader component, MetadataReaderFactory factory) {
            return true;
        }

        /** All are equal, so that tests share cached contexts. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof NoComponents;
        }

        @Override
        public int hashCode() {
            return NoComponents.class.hashCode();
        }
    }
}
