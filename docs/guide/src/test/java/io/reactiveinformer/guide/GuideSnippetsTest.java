package io.reactiveinformer.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** Every snippet in Java or Kotlin of these guides stands, word for word, in a class here that is compiled and run. */
class GuideSnippetsTest {

    private static final String LIBRARY = "../../../../../../../../reactive-informer/";
    private static final String SPRING = LIBRARY + "spring-boot/src/test/java/io/reactiveinformer/spring/";

    private static final Map<String, List<String>> PAGES = Map.ofEntries(
            Map.entry("informer.md", List.of("InformerGuideTest")),
            Map.entry("requests.md", List.of("RequestsGuideTest")),
            Map.entry("tour.md", List.of("tour/Tour")),
            Map.entry("projections.md", List.of("ProjectionsGuideTest")),
            Map.entry("coming-from.md", List.of("comingfrom/PodsWithClientJava", "comingfrom/Pods", "comingfrom/ImagesWithFabric8",
                    "comingfrom/Images", "comingfrom/Teams", "comingfrom/Colours", "comingfrom/PodQueue")),
            Map.entry("controllers.md", List.of("ControllersGuideTest", "operator/CacheOperator")),
            Map.entry("josdk-samples.md", List.of("samples/WebPageOperator", "samples/SchemaOperator")),
            Map.entry("dynamic-types.md", List.of("DynamicTypesGuideTest")),
            Map.entry("definitions.md", List.of("definitions/Site", "definitions/SiteDefinition", "DefinitionsGuideTest")),
            Map.entry("first-operator.md",
                    List.of("operator/Website", "operator/WebsiteOperator", "operator/Main", "FirstOperatorGuideTest")),
            Map.entry("testing.md", List.of("Labels", "TestingGuideTest", "FakeOrRealClusterTest")),
            Map.entry("testing-boot.md", List.of(SPRING + "testing/UsersTestsTest",
                    SPRING + "testing/TestOperatorApplication", SPRING + "slices/SlicesTest")),
            Map.entry("testing-other-clients.md", List.of("OtherClientsGuideTest")),
            Map.entry("what-the-fake-refuses.md", List.of("refusals/BackupOperator", "refusals/BackupWebhook", "refusals/RefusalsGuideTest")),
            Map.entry("kafka.md",
                    List.of(LIBRARY + "kafka/src/test/java/io/reactiveinformer/kafka/KafkaGuideTest", SPRING + "KafkaViewBeansTest")),
            Map.entry("sharding.md", List.of("ShardingGuideTest")),
            Map.entry("spring.md", List.of("PodsOfNode", "PodStream", "PodSocket", "ApiToken", "ApiTokens", "SpringGuideTest",
                    SPRING + "CollectedBuffers",
                    SPRING + "OperatorBeansTest", SPRING + "RecorderBeansTest")),
            Map.entry("spring-cloud.md",
                    List.of(LIBRARY + "spring-cloud/src/test/java/io/reactiveinformer/cloud/SpringCloudGuideTest")),
            Map.entry("gateway.md", List.of("gateway/Gateway")),
            Map.entry("rsocket.md", List.of("rsocket/PodSockets", "rsocket/RSocketGuideTest")),
            Map.entry("processors.md",
                    List.of("processors/PodTable", "processors/PodNotices", "processors/PodAudit", "processors/ProcessorsGuideTest")),
            Map.entry("browsers.md", List.of("browsers/PodConsole", "browsers/TeamConsole", "browsers/SignedInConsole")),
            Map.entry("graphql.md", List.of("graphql/PodGraph", "graphql/TeamGraph", "graphql/PodGraphTest")),
            Map.entry("tools.md", List.of("tools/ClusterTools", "tools/PodRow", "tools/Answer")),
            Map.entry("kotlin.md", List.of("../../../../kotlin/io/reactiveinformer/guide/kotlin/KotlinGuideTest.kt")),
            Map.entry("webhooks.md", List.of("webhook/HostWebhook")),
            Map.entry("operating.md", List.of("OperatingGuideTest", "probes/Probes")));

    @TestFactory
    Stream<DynamicTest> everySnippetIsCompiledAndRun() throws IOException {
        Path root = root();
        Path classes = root.resolve("docs/guide/src/test/java/io/reactiveinformer/guide");
        List<DynamicTest> tests = new ArrayList<>();
        for (var page : PAGES.entrySet()) {
            StringBuilder code = new StringBuilder();
            for (String name : page.getValue()) {
                code.append(normal(Files.readString(classes.resolve(name.endsWith(".kt") ? name : name + ".java")))).append('\n');
            }
            List<String> snippets = snippets(Files.readString(root.resolve("docs/guide").resolve(page.getKey())));
            assertThat(snippets).as(page.getKey()).isNotEmpty();
            for (String snippet : snippets) {
                tests.add(DynamicTest.dynamicTest(
                        page.getKey() + ": " + snippet.lines().findFirst().orElse(""),
                        () -> assertThat(code.toString()).contains(normal(snippet))));
            }
        }
        return tests.stream();
    }

    private static List<String> snippets(String page) {
        List<String> snippets = new ArrayList<>();
        String[] parts = page.split("```", -1);
        for (int i = 1; i < parts.length; i += 2) {
            for (String language : List.of("java\n", "kotlin\n")) {
                if (parts[i].startsWith(language)) {
                    snippets.add(parts[i].substring(language.length()));
                }
            }
        }
        return snippets;
    }

    /** Without indentation and comments. */
    private static String normal(String code) {
        return code.lines()
                .map(line -> line.replaceAll("\\s+// .*$", "").strip())
                .filter(line -> !line.isEmpty() && !line.startsWith("//"))
                .collect(Collectors.joining("\n"));
    }

    static Path root() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.isDirectory(at.resolve("docs/guide"))) {
                return at;
            }
        }
        throw new IllegalStateException("no docs/guide above " + Path.of("").toAbsolutePath());
    }
}
