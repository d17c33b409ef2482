package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Store;
import io.reactiveinformer.view.InformerStatus;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** What health, endpoint and info show if an informer or a factory, both possibly beans of the user, throws. */
@Timeout(30)
class BrokenInformersTest {


    private static final ObjectProvider<DeclaredInformers> NOTHING_DECLARED =
            new StaticListableBeanFactory().getBeanProvider(DeclaredInformers.class);
    private static final String SECRET = "password=1234";

    private static Stream<Arguments> table() {
        List<Supplier<Throwable>> thrown = List.of(
                () -> new IllegalStateException(SECRET),
                () -> new OutOfMemoryError(SECRET),
                () -> new StackOverflowError(SECRET),
                () -> new NoClassDefFoundError(SECRET));
        return Stream.of("status", "statusFails", "statusEnds", "statusThrows", "snapshot", "description")
                .flatMap(call -> thrown.stream().map(one -> Arguments.of(call, one.get().getClass().getName(), one)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("table")
    void healthIsDownAndSaysWhatFailed(String call, String name, Supplier<Throwable> thrown) {
        Health health = new InformersHealthIndicator(oneOf(call, thrown), informer -> List.of(), null).health().block();
        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails()).hasSize(3).containsKeys("first", "last");
        assertThat(health.getDetails().get("last").toString()).contains("state=IDLE");
        assertThat(health.getDetails().toString())
                .contains(call.equals("statusEnds") ? "cannot be read: it has no status" : "cannot be read: " + name)
                .doesNotContain(SECRET);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("table")
    void theEndpointShowsTheOthers(String call, String name, Supplier<Throwable> thrown) {
        var all = new InformersEndpoint(oneOf(call, thrown), Mono.empty()).informers().block();
        assertThat(all.informers()).extracting(InformersEndpoint.One::description).containsExactly("first", "last");
        assertThat(all.unread()).hasSize(1);
        assertThat(all.toString())
                .contains(call.equals("description") ? "an informer cannot" : "broken cannot")
                .contains(call.equals("statusEnds") ? "cannot be read: it has no status" : "cannot be read: " + name)
                .doesNotContain(SECRET);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("table")
    void infoShowsTheOthers(String call, String name, Supplier<Throwable> thrown) {
        var info = new Info.Builder();
        new InformersInfoAutoConfiguration.InformersInfoContributor(oneOf(call, thrown)).contribute(info);
        List<?> all = (List<?>) info.build().getDetails().get(InformersInfoAutoConfiguration.InformersInfoContributor.NAME);
        assertThat(all).hasSize(3);
        assertThat(all.toString()).doesNotContain(SECRET);
        if (call.equals("snapshot") || call.equals("description")) {
            assertThat(all.toString()).contains("cannot be read: " + name);
        }
    }

    /** Each factory by itself; and the beans as a whole, one of which may not be created. */
    @Test
    void aFactoryThatThrowsHidesNoOther() {
        InformerFactory broken = proxy(InformerFactory.class, (proxy, method, arguments) -> {
            throw new NoClassDefFoundError(SECRET);
        });
        var factories = new InformerFactories(
                new Beans(List.of(broken, factory(informer("first", "", null)))), NOTHING_DECLARED, Stream::empty);
        Health health = new InformersHealthIndicator(factories, informer -> List.of(), null).health().block();
        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails()).containsKey("first");
        assertThat(health.getDetails().toString()).contains("cannot be read: java.lang.NoClassDefFoundError").doesNotContain(SECRET);
        var shown = new InformersEndpoint(factories, Mono.empty()).informers().block();
        assertThat(shown.informers()).hasSize(1);
        assertThat(shown.toString()).contains("cannot be read: java.lang.NoClassDefFoundError").doesNotContain(SECRET);

        var none = new InformerFactories(new ObjectProvider<>() {
            @Override
            public Stream<InformerFactory> orderedStream() {
                throw new StackOverflowError(SECRET);
            }
        }, NOTHING_DECLARED, Stream::empty);
        assertThat(new InformersHealthIndicator(none, informer -> List.of(), null).health().block().getStatus()).isEqualTo(Status.DOWN);
        assertThat(new InformersEndpoint(none, Mono.empty()).informers().block().toString())
                .contains("cannot be read: java.lang.StackOverflowError");
    }

    /** Three informers, of which the middle one throws at one call. */
    private static InformerFactories oneOf(String call, Supplier<Throwable> thrown) {
        return new InformerFactories(new Beans(List.of(
                factory(informer("first", "", null), informer("broken", call, thrown), informer("last", "", null)))), NOTHING_DECLARED,
                        Stream::empty);
    }

    private static Informer<?> informer(String name, String broken, Supplier<Throwable> thrown) {
        Snapshot<ObjectKey, String> rows = Store.<String>create().snapshot();
        return proxy(Informer.class, (proxy, method, arguments) -> {
            if (method.getName().equals(broken)) {
                throw thrown.get();
            }
            return switch (method.getName()) {
                case "status" -> status(broken, thrown);
                case "description", "toString" -> name;
                case "namespaces" -> Namespaces.all();
                case "snapshot" -> rows;
                case "subscribers" -> List.of();
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> throw new AssertionError(method.getName());
            };
        });
    }

    private static Flux<InformerStatus> status(String broken, Supplier<Throwable> thrown) {
        return switch (broken) {
            case "statusFails" -> Flux.error(thrown);
            case "statusEnds" -> Flux.empty();
            case "statusThrows" -> Flux.from(subscriber -> {
                BrokenInformersTest.<RuntimeException>sneak(thrown.get());
            });
            default -> Flux.just(InformerStatus.idle(Instant.EPOCH)).concatWith(Flux.never());
        };
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void sneak(Throwable thrown) throws X {
        throw (X) thrown;
    }

    private static <T> T proxy(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(BrokenInformersTest.class.getClassLoader(), new Class<?>[] {type}, calls));
    }

    private static InformerFactory factory(Informer<?>... informers) {
        return proxy(InformerFactory.class, (proxy, method, arguments) -> List.of(informers));
    }

    private record Beans(List<InformerFactory> factories) implements ObjectProvider<InformerFactory> {

        @Override
        public Stream<InformerFactory> orderedStream() {
            return factories.stream();
        }
    }
}
