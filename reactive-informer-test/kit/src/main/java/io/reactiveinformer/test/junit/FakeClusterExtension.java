package io.reactiveinformer.test.junit;

import io.reactiveinformer.test.FakeApiServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/** Starts, empties and stops the servers that {@link FakeCluster} requests. */
final class FakeClusterExtension
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, ParameterResolver, TestExecutionExceptionHandler,
                LifecycleMethodExecutionExceptionHandler {

    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(FakeClusterExtension.class);
    private static final String OPEN = "open";
    private static final String SERVERS = "servers";
    private static final String TURNS = "turns";

    FakeClusterExtension() {}

    /** Servers that {@code end} is called for when JUnit closes the context that this is stored in. */
    @SuppressWarnings("deprecation") // ExtensionContext.Store.CloseableResource is what JUnit 5.9 to 6 all close
    private record Servers(List<Started> all, Consumer<Started> end) implements ExtensionContext.Store.CloseableResource, AutoCloseable {

        @Override
        public void close() {
            all.forEach(end);
        }
    }

    /** @param close called when the context ends: another class may use the same server */
    private record Started(SharedServer shared, FakeCluster wanted, Class<?> testClass, Runnable close) {

        FakeApiServer server() {
            return shared.server();
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        inject(context, context.getRequiredTestClass(), null);
    }

    @Override
    public void beforeEach(ExtensionContext context) throws InterruptedException {
        for (Object instance : context.getRequiredTestInstances().getAllInstances()) {
            inject(owner(context, instance), instance.getClass(), instance);
        }
        List<Started> turns = turns(context);
        for (Started started : all(context.getParent().orElseThrow())) { // in the same order for all tests, so that they cannot wait in a circle
            if (turns.stream().noneMatch(turn -> turn.shared() == started.shared())) {
                started.shared().await();
                turns.add(started);
                if (started.shared().prepare(started.testClass())) {
                    empty(started);
                }
            }
        }
    }

    /** The servers of a context and those around it, the outermost first. */
    private static List<Started> all(ExtensionContext context) {
        List<Started> all = new ArrayList<>();
        contexts(context).forEach(at -> all.addAll(0, servers(at)));
        return all;
    }

    /** The context and those around it. */
    private static Stream<ExtensionContext> contexts(ExtensionContext context) {
        return Stream.iterate(Optional.of(context), Optional::isPresent, at -> at.flatMap(ExtensionContext::getParent))
                .map(Optional::orElseThrow);
    }

    /** The context that ends when the instance does: the class's context if the class has one instance for all its tests. */
    private static ExtensionContext owner(ExtensionContext context, Object instance) {
        return contexts(context)
                .filter(at -> at.getTestInstances().filter(instances -> instances.getAllInstances().contains(instance)).isPresent())
                .reduce(context, (inner, outer) -> outer);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        List<Started> turns = turns(context);
        try {
            if (context.getExecutionException().isEmpty()) {
                skip(context, null);
                servers(context).forEach(FakeClusterExtension::verifyFaults);
                turns.forEach(FakeClusterExtension::verifyFaults);
            }
        } finally {
            turns.forEach(FakeClusterExtension::empty);
        }
    }

    /** A test whose fault never happened passes for another reason than its author thinks. */
    private static void verifyFaults(Started started) {
        try {
            started.server().faults().verifyHappened();
        } catch (AssertionError failure) {
            failure.addSuppressed(new ServerLog(started.server()));
            throw failure;
        }
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        skip(context, failure);
        throw withLogs(context, failure);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        skip(context, failure);
        throw withLogs(context, failure);
    }

    /** Skips a test that has met something that a real cluster has not. */
    private static void skip(ExtensionContext context, @Nullable Throwable failure) {
        all(context).forEach(started -> started.server().obstacle().ifPresent(reason -> {
            throw new TestAbortedException(reason, failure);
        }));
    }

    /** Adds the logs as suppressed exceptions, which every runner prints below the failure's own stack trace. */
    private static Throwable withLogs(ExtensionContext context, Throwable failure) {
        contexts(context).forEach(at -> servers(at).forEach(started -> failure.addSuppressed(new ServerLog(started.server()))));
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
        FakeCluster wanted = parameter.findAnnotation(FakeCluster.class).orElseThrow();
        return use(context, new Object(), wanted, () -> new SharedServer(server(wanted, context.getRequiredTestClass()), () -> {}));
    }

    private static FakeApiServer server(FakeCluster wanted, Class<?> testClass) {
        FakeApiServer.Builder builder = FakeApiServer.builder().seed(wanted.seed());
        return (wanted.recording().isEmpty() ? builder : builder.replay(directory(wanted.recording(), testClass))).build();
    }

    private static Path directory(String recording, Class<?> testClass) {
        String file = recording + "/recording.jsonl";
        URL found = Objects.requireNonNull(testClass.getResource(file),
                () -> "no file " + file + " on the class path beside " + testClass.getName());
        return Objects.requireNonNull(Path.of(URI.create(found.toString())).getParent());
    }

    private static void inject(ExtensionContext owner, Class<?> testClass, @Nullable Object instance) {
        for (Class<?> type = testClass; type != null && type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                FakeCluster wanted = field.getAnnotation(FakeCluster.class);
                if (wanted != null && Modifier.isStatic(field.getModifiers()) == (instance == null)) {
                    field.setAccessible(true);
                    inject(owner, new ServerField(field, instance), wanted);
                }
            }
        }
    }

    /** A static field is of all classes that inherit it: they share the server as long as any of them runs. */
    private static void inject(ExtensionContext owner, ServerField field, FakeCluster wanted) {
        List<Started> servers = servers(owner);
        synchronized (servers) { // if one instance is for all tests, several of them may begin at once
            boolean known = !field.isStatic() && servers.stream().anyMatch(started -> started.server() == field.get());
            if (!known) {
                use(owner, field.isStatic() ? field : new Object(), wanted, () -> {
                    FakeApiServer given = field.get();
                    if (given != null) {
                        return new SharedServer(given, () -> {});
                    }
                    FakeApiServer server = server(wanted, owner.getRequiredTestClass());
                    field.set(server);
                    return new SharedServer(server, () -> field.set(null));
                });
            }
        }
    }

    /** @param place what all users of the server have in common */
    private static FakeApiServer use(ExtensionContext owner, Object place, FakeCluster wanted, Supplier<SharedServer> make) {
        @SuppressWarnings("unchecked") // this is the only value of that name
        Map<Object, SharedServer> open = owner.getRoot().getStore(NAMESPACE)
                .getOrComputeIfAbsent(OPEN, key -> new ConcurrentHashMap<Object, SharedServer>(), Map.class);
        Class<?> testClass = owner.getRequiredTestClass();
        SharedServer shared = open.compute(place, (key, present) -> {
            SharedServer used = (present == null ? make.get() : present).used();
            if (present == null && used.prepare(testClass)) {
                try {
                    preload(used.server(), wanted, testClass);
                } catch (RuntimeException refused) {
                    used.unused();
                    throw refused;
                }
            }
            return used;
        });
        servers(owner).add(new Started(shared, wanted, testClass,
                () -> open.computeIfPresent(place, (key, present) -> present.unused() ? null : present)));
        return shared.server();
    }

    private static List<Started> servers(ExtensionContext context) {
        return servers(context, SERVERS, started -> started.close().run());
    }

    private static List<Started> turns(ExtensionContext context) {
        return servers(context, TURNS, started -> started.shared().release());
    }

    private static List<Started> servers(ExtensionContext context, String name, Consumer<Started> end) {
        // The key contains the context's own id, since a store also returns values of its parents.
        return context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(name + context.getUniqueId(), key -> new Servers(new CopyOnWriteArrayList<>(), end), Servers.class)
                .all();
    }

    private static void empty(Started started) {
        started.server().reset();
        preload(started.server(), started.wanted(), started.testClass());
    }

    private static void preload(FakeApiServer server, FakeCluster wanted, Class<?> testClass) {
        for (String file : wanted.value()) {
            try (InputStream stream = testClass.getResourceAsStream(file)) {
                Objects.requireNonNull(stream, () -> "no file " + file + " on the class path beside " + testClass.getName());
                server.objects().load(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IllegalArgumentException refused) {
                throw new IllegalArgumentException(file + ": " + refused.getMessage(), refused);
            } catch (IOException failure) {
                throw new UncheckedIOException("cannot read " + file, failure);
            }
        }
    }
}
