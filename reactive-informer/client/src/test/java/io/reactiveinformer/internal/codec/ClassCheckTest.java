package io.reactiveinformer.internal.codec;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A class that cannot be decoded is refused when it is first named, and not found out by an informer without rows. */
class ClassCheckTest {

    private static final String PARAMETERS = "compile the class with -parameters";

    private static void check(Class<?> type) {
        ObjectCodec.create().check(ResourceType.of("example.com", "v1", "widgets", ResourceType.Scope.NAMESPACED, type));
    }

    private static void refuses(Class<?> type, String... words) {
        assertThatThrownBy(() -> check(type)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("cannot make objects of ").hasMessageContainingAll(words);
    }

    static final class Hidden {
        public final V1ObjectMeta metadata;
        public final String kind;

        @SuppressWarnings("UnusedMethod") // by reflection, if at all
        private Hidden(V1ObjectMeta metadata, String kind) {
            this.metadata = metadata;
            this.kind = kind;
        }
    }

    interface AnInterface {
        V1ObjectMeta getMetadata();
    }

    abstract static class Abstract {
        public V1ObjectMeta metadata;
    }

    @SuppressWarnings("ClassCanBeStatic") // it is not, so it is refused
    final class Inner {
        public V1ObjectMeta metadata;
    }

    static final class WithPart {
        public V1ObjectMeta metadata;
        public List<Map<String, Hidden>> spec;
    }

    record OfAnInterface(V1ObjectMeta metadata, AnInterface spec) {}

    @Test
    void classesThatJacksonCanMakeNoObjectsOf() {
        refuses(Hidden.class, Hidden.class.getName(), "no Creators", "@JsonCreator", PARAMETERS);
        refuses(AnInterface.class, "abstract types", "@JsonDeserialize(as = …)");
        refuses(Abstract.class, "abstract types");
        refuses(Inner.class, "non-static inner class", "Make the class static");
    }

    @Test
    void classesWithAPropertyOfSuchAClass() {
        refuses(WithPart.class, "cannot make objects of " + Hidden.class.getName() + ", at spec, from JSON: ", PARAMETERS);
        refuses(OfAnInterface.class, "at spec, ", "abstract types");
    }

    /** By a caller of the public API, before anything is requested. */
    @Test
    void aClientRefusesSuchAType() {
        KubernetesClient client = KubernetesClient.over(new Transport() {
            @Override
            public <R> Flux<R> exchange(HttpRequest request, Function<Answer, ? extends Publisher<R>> reader) {
                return Flux.error(new AssertionError(request));
            }

            @Override
            public Mono<Void> dispose() {
                return Mono.empty();
            }
        });
        var type = ResourceType.of("example.com", "v1", "widgets", ResourceType.Scope.NAMESPACED, Hidden.class);
        assertThatThrownBy(() -> client.resources(type)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("cannot make objects of ").hasMessageContaining(PARAMETERS);
    }

    /** As Lombok's {@code @Value} and Kotlin's compiler make them; the names of parameters are in class files only on request. */
    @Test
    void aConstructorWhoseParametersHaveNoNames(@TempDir Path folder) throws Exception {
        for (String parameters : List.of("Object metadata, String kind", "String kind, int size")) {
            Path source = Files.writeString(folder.resolve("Widget.java"), "public class Widget { public final String kind; "
                    + "public Widget(" + parameters + ") { this.kind = kind; } }");
            refuses(compiled(folder, source), "Widget", "@JsonCreator", PARAMETERS);
            check(compiled(folder, source, "-parameters"));
        }
    }

    private static Class<?> compiled(Path folder, Path source, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("-proc:none", "-d", folder.toString(), source.toString()));
        assertThat(Objects.requireNonNull(ToolProvider.getSystemJavaCompiler()).run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
        try (var loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            return loader.loadClass("Widget");
        }
    }

    static final class ByCreator {
        public final V1ObjectMeta metadata;
        public final String kind;

        @JsonCreator
        private ByCreator(@JsonProperty("metadata") V1ObjectMeta metadata, @JsonProperty("kind") String kind) {
            this.metadata = Objects.requireNonNull(metadata);
            this.kind = kind;
        }
    }

    static final class Private {
        public V1ObjectMeta metadata;
        @JsonIgnore
        public Hidden ignored;
        public transient Hidden notRead;

        private Private() {}

        Private(V1ObjectMeta metadata) {
            this.metadata = metadata;
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes(@JsonSubTypes.Type(OfASubtype.class))
    interface Named {}

    record OfASubtype(V1ObjectMeta metadata) implements Named {}

    interface Unnamed {}

    record Parts(V1ObjectMeta metadata, Named spec, List<Named> more,
            @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) List<Unnamed> others, Object any, Map<String, Object> all, CharSequence text,
            Number count, Parts itself) {}

    @SuppressWarnings("UnusedVariable") // only made
    static final class Size {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        private Size(long bytes) {}
    }

    @SuppressWarnings("UnusedVariable") // only made
    static final class Image {
        private Image(String repository, String tag) {}

        @JsonCreator
        static Image of(String text) {
            return new Image(text, "");
        }
    }

    static final class Color {
        public Color(String name) {}
    }

    /** Values that are strings or numbers: their classes are made of no JSON object. */
    record OfValues(V1ObjectMeta metadata, Size size, Image image, Color color, List<Image> images, Map<String, List<Color>> colors,
            Optional<Size> limit) {}

    @ParameterizedTest
    @ValueSource(classes = {V1Pod.class, JsonNode.class, PartialObjectMetadata.class, ByCreator.class, Private.class, Parts.class,
        Named.class, OfValues.class})
    void classesThatCanBeDecodedAreTaken(Class<?> type) {
        check(type);
    }
}
