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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/** Starts, empties and stops the servers that {@link FakeCluster} requests. */
final class FakeClusterExtension
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, ParameterResolver, TestExecutionExceptionHandler,
                LifecycleMethodExecutionExceptionHandler {

    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(FakeClusterExtension.class);
    private static final String SERVERS = "servers";

    FakeClusterExtension() {}

    /** Closed by JUnit with the context that it is stored in. */
    @SuppressWarnings("deprecation") // ExtensionContext.Store.CloseableResource is what JUnit 5.9 to 6 all close
    private record Servers(List<Started> all) implements ExtensionContext.Store.CloseableResource, AutoCloseable {

        @Override
        public void close() {
            for (Started started : all) {
                started.server().close();
                started.takeBack().run();
            }
        }
    }

    /** @param takeBack clears the field, so that a later class that inherits it too finds no closed server there */
    private record Started(FakeApiServer server, FakeCluster wanted, Class<?> testClass, Runnable takeBack) {}

    @Override
    public void beforeAll(ExtensionContext context) throws IllegalAccessException {
        inject(context, context.getRequiredTestClass(), null);
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IllegalAccessException {
        for (Object instance : context.getRequiredTestInstances().getAllInstances()) {
            inject(owner(context, instance), instance.getClass(), instance);
        }
    }

    /** The context that ends when the instance does: the class's context if the class has one instance for all its tests. */
    private static ExtensionContext owner(ExtensionContext context, Object instance) {
        ExtensionContext owner = context;
        for (ExtensionContext at = context; at != null; at = at.getParent().orElse(null)) {
            if (at.getTestInstances().filter(instances -> instances.getAllInstances().contains(instance)).isPresent()) {
                owner = at;
            }
        }
        return owner;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        try {
            if (context.getExecutionException().isEmpty()) {
                verifyFaults(context);
            }
        } finally {
            for (ExtensionContext at = context.getParent().orElse(null); at != null; at = at.getParent().orElse(null)) {
                servers(at).forEach(FakeClusterExtension::empty);
            }
        }
    }

    /** A test whose fault never happened passes for another reason than its author thinks. */
    private static void verifyFaults(ExtensionContext context) {
        for (ExtensionContext at = context; at != null; at = at.getParent().orElse(null)) {
            for (Started started : servers(at)) {
                try {
                    started.server().faults().verifyHappened();
                } catch (AssertionError failure) {
                    failure.addSuppressed(new ServerLog(started.server()));
                    throw failure;
                }
            }
        }
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw withLogs(context, failure);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw withLogs(context, failure);
    }

    /** Adds the logs as suppressed exceptions, which every runner prints below the failure's own stack trace. */
    private static Throwable withLogs(ExtensionContext context, Throwable failure) {
        for (ExtensionContext at = context; at != null; at = at.getParent().orElse(null)) {
            servers(at).forEach(started -> failure.addSuppressed(new ServerLog(started.server())));
        }
        return failure;
    }

    /** Not a failure itself, but a way to attach text to one. */
    private static final class ServerLog extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ServerLog(FakeApiServer server) {
            super("log of " + server.url() + (server.log().isEmpty() ? ": no requests" : ":\n" + String.join("\n", server.log())),
                    null, false, false);
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.isAnnotated(FakeCluster.class) && parameter.getParameter().getType() == FakeApiServer.class;
    }

    /**
     * The server of a constructor's parameter ends with the instance. JUnit calls this since 5.12; with older versions the server lasts as
     * long as the class.
     */
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return start(context, parameter.findAnnotation(FakeCluster.class).orElseThrow(), null, () -> {});
    }

    private static void inject(ExtensionContext owner, Class<?> testClass, @Nullable Object instance) throws IllegalAccessException {
        for (Class<?> type = testClass; type != null && type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                FakeCluster wanted = field.getAnnotation(FakeCluster.class);
                if (wanted != null && Modifier.isStatic(field.getModifiers()) == (instance == null)) {
                    field.setAccessible(true);
                    inject(owner, field, wanted, instance);
                }
            }
        }
    }

    private static void inject(ExtensionContext owner, Field field, FakeCluster wanted, @Nullable Object instance)
            throws IllegalAccessException {
        FakeApiServer given = (FakeApiServer) field.get(instance);
        boolean known = servers(owner).stream().anyMatch(started -> started.server() == given); // one instance for all tests
        if (given == null) {
            field.set(instance, start(owner, wanted, null, () -> clear(field, instance)));
        } else if (!known) {
            start(owner, wanted, given, () -> {});
        }
    }

    private static void clear(Field field, @Nullable Object instance) {
        try {
            field.set(instance, null);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(field + " could be written before", impossible);
        }
    }

    private static FakeApiServer start(ExtensionContext owner, FakeCluster wanted, @Nullable FakeApiServer given, Runnable takeBack) {
        FakeApiServer server = (given == null ? FakeApiServer.builder().seed(wanted.seed()).build() : given).start();
        var started = new Started(server, wanted, owner.getRequiredTestClass(), takeBack);
        servers(owner).add(started);
        preload(started);
        return server;
    }

    private static List<Started> servers(ExtensionContext context) {
        // The key contains the context's own id, since a store also returns values of its parents.
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
}
