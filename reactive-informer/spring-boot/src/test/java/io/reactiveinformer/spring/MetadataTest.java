package io.reactiveinformer.spring;

import java.io.IOException;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.configurationprocessor.ConfigurationMetadataAnnotationProcessor;
import org.springframework.boot.context.properties.bind.DefaultValue;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** What editors know of our properties: the metadata that Spring Boot's annotation processor makes of our sources. */
class MetadataTest {

    private static final Map<String, JsonNode> PROPERTIES = new TreeMap<>();
    private static JsonNode hints;

    @BeforeAll
    static void process(@TempDir Path classes) throws IOException {
        String additional = "META-INF/additional-spring-configuration-metadata.json";
        Files.createDirectories(classes.resolve("META-INF"));
        Files.copy(sources().resolve("../resources").resolve(additional), classes.resolve(additional));
        try (Stream<Path> files = Files.walk(sources())) {
            Stream<String> options = Stream.of("-proc:only", "-nowarn", "-processor",
                    ConfigurationMetadataAnnotationProcessor.class.getName(),
                    "-classpath", System.getProperty("java.class.path"), "-d", classes.toString());
            assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, Stream.concat(
                    options, files.map(Path::toString).filter(file -> file.endsWith(".java"))).toArray(String[]::new))).isZero();
        }
        JsonNode metadata = new JsonMapper().readTree(classes.resolve("META-INF/spring-configuration-metadata.json").toFile());
        metadata.path("properties").forEach(property -> PROPERTIES.put(property.path("name").asString(), property));
        hints = metadata.path("hints");
    }

    private static Path sources() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            for (String module : List.of("", "reactive-informer/spring-boot/")) {
                if (Files.isDirectory(at.resolve(module + "src/main/java/io/reactiveinformer/spring"))) {
                    return at.resolve(module + "src/main/java");
                }
            }
        }
        throw new IllegalStateException("no sources above " + Path.of("").toAbsolutePath());
    }

    @Test
    void hasEachProperty() {
        List<String> ours = Arrays.stream(ReactiveInformerProperties.class.getRecordComponents())
                .map(component -> "reactive-informer." + dashed(component.getName())).toList();
        assertThat(PROPERTIES.keySet()).containsAll(ours).contains("management.health.informers.enabled",
                "management.health.controllers.enabled", "management.info.informers.enabled", "management.endpoint.informers.access",
                "management.endpoint.informers.ui.enabled",
                "management.endpoint.informers.cache.time-to-live");
    }

    private static String dashed(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** As in Spring Boot's own: a sentence that begins with no article, and ends with a full stop. */
    @Test
    void describesEachPropertyAsSpringBootDoes() {
        PROPERTIES.forEach((name, property) -> {
            assertThat(property.path("type").asString()).as(name).isNotBlank();
            assertSentence(name, property.path("description").asString());
            if (property.path("type").asString().equals("java.lang.Boolean")) {
                assertThat(property.path("description").asString()).as(name).startsWith("Whether to ");
            }
        });
    }

    private static void assertSentence(String name, String description) {
        assertThat(description).as(name).matches("[A-Z].*[.]").doesNotMatch("(A|An|The) .*").doesNotContain("{@", "\n");
    }

    @Test
    void hasTheDefaultOfEachPropertyThatHasOne() {
        for (Parameter parameter : ReactiveInformerProperties.class.getDeclaredConstructors()[0].getParameters()) {
            DefaultValue value = parameter.getAnnotation(DefaultValue.class);
            JsonNode said = PROPERTIES.get("reactive-informer." + dashed(parameter.getName())).path("defaultValue");
            assertThat(said.asString("")).as(parameter.getName())
                    .isEqualTo(value == null ? "" : Arrays.stream(value.value()).collect(Collectors.joining(",")));
        }
        PROPERTIES.forEach((name, property) -> {
            if (name.startsWith("management.")) {
                assertThat(property.has("defaultValue")).as(name).isTrue();
            }
        });
        assertThat(PROPERTIES.get("management.health.informers.enabled").path("defaultValue").asBoolean()).isTrue();
        assertThat(PROPERTIES.get("management.info.informers.enabled").path("defaultValue").asBoolean()).isFalse();
    }

    /** Editors read these from the source: the metadata describes no properties of the values of a map. */
    @Test
    void describesEachPropertyOfAnInformer() throws IOException {
        String source = Files.readString(sources().resolve("io/reactiveinformer/spring/ReactiveInformerProperties.java"));
        String ofAnInformer = source.substring(source.indexOf("* One informer."));
        for (var component : ReactiveInformerProperties.Declared.class.getRecordComponents()) {
            String begin = "@param " + component.getName() + " ";
            int at = ofAnInformer.indexOf(begin);
            assertThat(at).as(component.getName()).isPositive();
            String text = ofAnInformer.substring(at + begin.length()).split("\\n +\\*( @param|/)", -1)[0].replaceAll("\\n +\\* +", " ");
            assertSentence(component.getName(), text);
        }
    }

    @Test
    void hintsAtTheClassesThatATypeMayBe() {
        Map<String, JsonNode> byName = hints.valueStream().collect(Collectors.toMap(hint -> hint.path("name").asString(), hint -> hint));
        for (String name : List.of("type", "projection")) {
            JsonNode hint = Objects.requireNonNull(byName.get("reactive-informer.informers.*." + name), name);
            assertThat(hint.at("/providers/0/name").asString()).isEqualTo("class-reference");
        }
        assertThat(byName.keySet()).allSatisfy(name -> {
            String last = name.substring(name.lastIndexOf('.') + 1);
            assertThat(ReactiveInformerProperties.Declared.class.getRecordComponents())
                    .anyMatch(component -> dashed(component.getName()).equals(last));
        });
    }
}
