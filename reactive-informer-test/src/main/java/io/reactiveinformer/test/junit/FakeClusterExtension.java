package io.reactiveinformer.test.junit;

import io.reactiveinformer.test.FakeApiServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Starts, empties and stops the servers that {@link FakeCluster} asks for. */
final class FakeClusterExtension implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, ParameterResolver {

    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(FakeClusterExtension.class);
    private static final String SERVERS = "servers";

    FakeClusterExtension() {}

    /** Closed by JUnit with the context that it is stored in. */
    @SuppressWarnings("deprecation") // ExtensionContext.Store.CloseableResource is what JUnit 5.9 to 6 all close
    private record Servers(List<Started> all) implements ExtensionContext.Store.CloseableResource, AutoCloseable {

        @Override
        public void close() {
            all.forEach(started -> started.server().close());
        }
    }

    private record Started(FakeApiServer server, FakeCluster wanted, Class<?> testClass) {}

    @Override
    public void beforeAll(ExtensionContext context) throws IllegalAccessException {
        inject(context, null);
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IllegalAccessException {
        for (Object instance : context.getRequiredTestInstances().getAllInstances()) {
            inject(context, instance);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        boolean failed = context.getExecutionException().isPresent();
        for (Optional<ExtensionContext> at = Optional.of(context); at.isPresent(); at = at.get().getParent()) {
            boolean own = at.get() == context;
            for (Started started : servers(at.get())) {
                if (failed) {
                    report(context, started.server());
                }
                if (!own) {
                    empty(started);
                }
            }
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.isAnnotated(FakeCluster.class) && parameter.getParameter().getType() == FakeApiServer.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return start(context, parameter.findAnnotation(FakeCluster.class).orElseThrow());
    }

    private static void inject(ExtensionContext context, @Nullable Object instance) throws IllegalAccessException {
        Class<?> type = instance == null ? context.getRequiredTestClass() : instance.getClass();
        for (; type != null && type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                FakeCluster wanted = field.getAnnotation(FakeCluster.class);
                if (wanted != null && Modifier.isStatic(field.getModifiers()) == (instance == null)) {
                    field.setAccessible(true);
                    field.set(instance, start(context, wanted));
                }
            }
        }
    }

    private static FakeApiServer start(ExtensionContext context, FakeCluster wanted) {
        FakeApiServer server = FakeApiServer.builder().seed(wanted.seed()).build().start();
        var started = new Started(server, wanted, context.getRequiredTestClass());
        servers(context).add(started);
        preload(started);
        return server;
    }

    private static List<Started> servers(ExtensionContext context) {
        // Looked up by the context's own id, since a store also shows what its parents hold.
        return context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(SERVERS + context.getUniqueId(), key -> new Servers(new ArrayList<>()), Servers.class)
                .all();
    }

    private static void empty(Started started) {
        started.server().reset();
        preload(started);
    }

    private static void preload(Started started) {
        for (String file : started.wanted().value()) {
            try (InputStream stream = started.testClass().getResourceAsStream(file)) {
                Objects.requireNonNull(stream, () -> "no file " + file + " on the class path beside " + started.testClass().getName());
                started.server().objects().create(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException failure) {
                throw new UncheckedIOException("cannot read " + file, failure);
            }
        }
    }

    private static void report(ExtensionContext context, FakeApiServer server) {
        var lines = new StringBuilder("in order:");
        server.requests().all().forEach(request -> lines.append('\n').append(request));
        context.publishReportEntry("requests to " + server.url(), lines.toString());
    }
}
