package io.reactiveinformer.guide;

import io.reactiveinformer.backoff.Backoff;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.recorder.RecorderOptions;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Selector;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;
import reactor.core.scheduler.Scheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code docs/guide/reference.md} is what the code says: records and defaults by reflection, texts from the {@code @param} tags of the
 * sources. After a change of an option, run this test again with {@code -Dreference.update=true}.
 */
class ReferenceGuideTest {

    private static final Path ROOT = GuideSnippetsTest.root();
    private static final List<Path> SOURCES = Stream.of("client", "informer", "operator")
            .map(module -> ROOT.resolve("reactive-informer").resolve(module).resolve("src/main/java")).toList();
    private static final Path PAGE = ROOT.resolve("docs/guide/reference.md");
    private static final Path BOOT = ROOT.resolve("reactive-informer/spring-boot/src/main/java");
    private static final String PROPERTIES = "io.reactiveinformer.spring.ReactiveInformerProperties";

    private static final String HEAD = """
            # Reference

            Every option of every options record, and every property of Spring Boot, with its default and the reason for it. An options
            record is immutable: `defaults()` has the defaults below, and each `with…` method returns a copy with one option changed. This
            page is made from the code by `ReferenceGuideTest`.

            Other references: the [meters](operating.md#meters); each [fault and its status](recovery.md); the options of the
            [command line](../demo/README.md); what stays [stable](stability.md).

            One system property is for support: with `-Dio.reactiveinformer.shapes=false`, Jackson reads every object, in place of the
            library's own reader. That is slower, and the equal objects need more memory. A log line names the property if that reader
            has a bug.
            """;

    /** Defaults that depend on the machine, or that are functions. A new one without an entry fails the test. */
    private static final Map<String, String> SAID = Map.ofEntries(
            Map.entry("ClientOptions.transport", "`TransportOptions.defaults()`"),
            Map.entry("ClientOptions.largestObject", "1/32 of the heap, 3 MiB at least and 32 MiB at most"),
            Map.entry("TransportOptions.threads", "one for each processor, 4 at most"),
            Map.entry("ReflectorOptions.giveUpWhen", "never"),
            Map.entry("ReflectorOptions.group", "a new one"),
            Map.entry("ElectionOptions.identity", "the host name and a random part"),
            Map.entry("RecorderOptions.reportingController", "required"),
            Map.entry("RecorderOptions.reportingInstance", "the component and the host name"),
            Map.entry("WorkQueueOptions.limiter", "`RateLimiter.standard`"),
            Map.entry("WorkQueueOptions.classes", "all keys are of one class"),
            Map.entry("ListOptions.selector", "all objects"),
            Map.entry("WatchOptions.selector", "all objects"), Map.entry("WatchOptions.resourceVersion", "required"),
            Map.entry("WatchOptions.timeout", "required"));

    @Test
    void showsWhatTheCodeSays() throws IOException {
        StringBuilder page = new StringBuilder(HEAD);
        page.append("\n## Spring Boot\n\n");
        page.append(properties("reactive-informer.", PROPERTIES));
        page.append("\nEach informer, under `reactive-informer.informers.NAME`:\n\n");
        page.append(properties("reactive-informer.informers.NAME.", PROPERTIES + "$Declared"));
        page.append("\nTopics of [Kafka](kafka.md), if `reactive-informer-kafka` is there:\n\n");
        page.append(properties("reactive-informer.kafka.", "io.reactiveinformer.spring.KafkaProperties"));
        page.append(properties("reactive-informer.kafka.views.NAME.", "io.reactiveinformer.spring.KafkaProperties$Topic"));
        for (Class<?> type : options()) {
            page.append("\n## ").append(type.getSimpleName()).append("\n\nIn `").append(type.getPackageName()).append("`.\n\n");
            page.append(table(type, defaults(type)));
        }
        page.append("\n## Backoff\n\nThe pauses of a reflector, `ReflectorOptions.backoff`; in `io.reactiveinformer.backoff`.\n\n");
        page.append(table(Backoff.class, ReflectorOptions.defaults().backoff()));
        if (Boolean.getBoolean("reference.update")) {
            Files.writeString(PAGE, page);
        }
        assertThat(Files.readString(PAGE)).as("run this test with -Dreference.update=true").isEqualTo(page.toString());
    }

    /** Each public record of the library whose name ends with Options, by name. */
    private static List<Class<?>> options() throws IOException {
        List<Class<?>> found = new ArrayList<>();
        for (Path main : SOURCES) {
            try (Stream<Path> files = Files.walk(main)) {
                files.filter(file -> file.toString().endsWith("Options.java"))
                        .<Class<?>>map(file -> type(main.relativize(file).toString().replace(".java", "").replace('/', '.')))
                        .filter(type -> type.isRecord() && Modifier.isPublic(type.getModifiers()))
                        .forEach(found::add);
            }
        }
        found.sort(Comparator.comparing(Class::getSimpleName));
        return found;
    }

    /** The folder of sources that has this class. */
    private static Path sourcesOf(Class<?> type) {
        return SOURCES.stream().filter(main -> Files.exists(main.resolve(type.getName().replace('.', '/') + ".java"))).findFirst()
                .orElseThrow();
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static Object defaults(Class<?> type) {
        try {
            if (type == RecorderOptions.class) {
                return RecorderOptions.of("example.com/name");
            } else if (type == WatchOptions.class) {
                return WatchOptions.from("1", Duration.ofMinutes(5));
            }
            return type.getMethod("defaults").invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(type + " has no defaults()", e);
        }
    }

    private static String table(Class<?> type, Object defaults) throws IOException {
        Source source = Source.of(type, sourcesOf(type));
        StringBuilder table = new StringBuilder("| option | type | default | what it means, and why |\n| --- | --- | --- | --- |\n");
        for (RecordComponent component : type.getRecordComponents()) {
            String said = SAID.get(type.getSimpleName() + "." + component.getName());
            String value = said == null ? text(type, component, value(component, defaults)) : said;
            table.append(row(component.getName(), component, value, source));
        }
        return table.toString();
    }

    private static String row(String name, RecordComponent component, String value, Source source) {
        return "| `" + name + "` | " + component.getType().getSimpleName() + " | " + value + " | " + source.param(component.getName())
                + source.reason(component.getName()) + " |\n";
    }

    private static @Nullable Object value(RecordComponent component, Object defaults) {
        try {
            return component.getAccessor().invoke(defaults);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no access", e);
        }
    }

    private static String text(Class<?> type, RecordComponent component, @Nullable Object value) {
        if (value == null || value.equals("") || value.equals(Selector.any())
                || value instanceof Map<?, ?> map && map.isEmpty() || value instanceof Collection<?> values && values.isEmpty()) {
            return "none";
        } else if (value instanceof Duration duration) {
            return spoken(duration);
        } else if (value instanceof Scheduler scheduler) {
            return scheduler.toString().startsWith("Schedulers.") ? "`" + scheduler + "`" : "a thread of its own";
        } else if (value instanceof Backoff backoff) {
            return spoken(backoff.first()) + " to " + spoken(backoff.max());
        } else if (component.getName().equals("observer")) {
            return "none";
        } else if (component.getName().equals("random")) {
            return "`ThreadLocalRandom`";
        } else if (value instanceof Number || value instanceof Boolean || value instanceof Enum<?> || value instanceof Collection<?>) {
            return value instanceof Integer number ? String.format(Locale.ROOT, "%,d", number) : "`" + value + "`";
        }
        throw new AssertionError("the default of " + type.getSimpleName() + "." + component.getName() + " cannot be shown: " + value);
    }

    private static String spoken(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 60_000 == 0 && millis > 0) {
            return millis / 60_000 + " min";
        }
        return millis % 1_000 == 0 ? millis / 1_000 + " s" : millis + " ms";
    }

    private static String properties(String prefix, String name) throws IOException {
        Class<?> type = type(name);
        Source source = Source.of(type, BOOT);
        var parameters = type.getDeclaredConstructors()[0].getParameters();
        RecordComponent[] components = type.getRecordComponents();
        StringBuilder table = new StringBuilder("| property | type | default | what it means |\n| --- | --- | --- | --- |\n");
        for (int i = 0; i < components.length; i++) {
            DefaultValue given = parameters[i].getAnnotation(DefaultValue.class);
            boolean required = given == null && !components[i].getAnnotatedType().isAnnotationPresent(Nullable.class);
            String text = given == null ? "" : String.join(",", given.value());
            String value = required ? "required" : text.isEmpty() ? "none" : "`" + text + "`";
            String property = prefix + components[i].getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT)
                    .replace("reactive-informer.informers.-n-a-m-e", "reactive-informer.informers.NAME");
            table.append(row(property, components[i], value, source));
        }
        return table.toString();
    }

    /** The comments of one record. */
    private record Source(String name, String text) {

        private static final Pattern COMMENT = Pattern.compile("/\\*\\*(?:(?!\\*/).)*\\*/", Pattern.DOTALL);
        private static final Pattern TAG = Pattern.compile("\\{@(\\w+)\\s+([^{}]*)}");

        static Source of(Class<?> type, Path sources) throws IOException {
            Class<?> outer = type.getEnclosingClass() == null ? type : type.getEnclosingClass();
            return new Source(type.getSimpleName(), Files.readString(sources.resolve(outer.getName().replace('.', '/') + ".java")));
        }

        /** What the {@code @param} tag of the record says. */
        String param(String component) {
            Matcher of = Pattern.compile("(" + COMMENT + ")\\s*(?:@\\w+\\([^)]*\\)\\s*)*(?:public )?record " + name + "\\b", Pattern.DOTALL)
                    .matcher(text);
            assertThat(of.find()).as("a comment of " + name).isTrue();
            Matcher param = Pattern.compile("@param " + component + "\\s+(.*?)(?=@param|@see|\\*/)", Pattern.DOTALL).matcher(of.group(1));
            assertThat(param.find()).as("@param " + component + " of " + name).isTrue();
            return plain(param.group(1));
        }

        /** What the comment of the constant of this name says, which is why the default is what it is. */
        String reason(String component) {
            String constant = component.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
            Matcher of = Pattern.compile("private static final \\S+ " + constant + "\\b").matcher(text);
            if (!of.find()) {
                return "";
            }
            String before = text.substring(0, of.start());
            MatchResult last = COMMENT.matcher(before).results().reduce((one, other) -> other).orElseThrow();
            return before.substring(last.end()).isBlank() ? " *Default:* " + plain(last.group().replaceAll("^/\\*\\*|\\*/$", "")) : "";
        }

        private String plain(String comment) {
            String line = comment.replaceAll("\\n\\s*\\*", " ").replaceAll("\\s+", " ").strip();
            String code = TAG.matcher(line).replaceAll(tag -> Matcher.quoteReplacement(spoken(tag.group(1), tag.group(2).strip())));
            String sentence = code.replaceAll("<[^>]*>", "").replace("|", "\\|").replaceAll("(?<![\\w`])'([^']+)'(?!\\w)", "`$1`").strip();
            String first = sentence.startsWith("`") ? sentence : sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1);
            return first.endsWith(".") ? first : first + ".";
        }

        private String spoken(String tag, String content) {
            UnaryOperator<String> last = reference -> reference
                    .replaceAll("^#|\\(.*$", "").replaceAll("^([a-z]\\w*\\.)+", "").replace('#', '.');
            return switch (tag) {
                case "linkplain" -> content.substring(content.indexOf(' ') + 1);
                case "link" -> content.contains(" ") && !content.contains("(") ? content.substring(content.indexOf(' ') + 1)
                        : "`" + last.apply(content) + "`";
                case "value" -> {
                    Matcher constant = Pattern.compile(content.substring(1) + " = ([^;]+);").matcher(text);
                    assertThat(constant.find()).as(content).isTrue();
                    yield constant.group(1);
                }
                default -> "`" + content + "`";
            };
        }
    }
}
