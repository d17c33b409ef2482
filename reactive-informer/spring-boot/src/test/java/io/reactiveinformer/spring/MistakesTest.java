package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.FieldPath;
import io.reactiveinformer.test.FakeApiServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Each mistake in the configuration, and what the application says about it: by all failure analyzers, Spring Boot's too. */
@Timeout(60)
class MistakesTest {

    private static final String PODS = "reactive-informer.informers.pods.";
    private static final String V1POD = PODS + "type=V1Pod";
    private static final ApplicationContextRunner APPLICATION = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ReactiveInformerAutoConfiguration.class))
            .withPropertyValues("reactive-informer.auto-startup=false");

    record Twice(@FieldPath("status.phase") String phase, @FieldPath("status.phase.x") String inPhase) {}

    static Stream<Arguments> mistakes() {
        return Stream.of(
                arguments(List.of(V1POD, PODS + "lables=app=web"),
                        "There is no property reactive-informer.informers.pods.lables (", "Write reactive-informer.informers.pods.labels."),
                arguments(List.of(V1POD, PODS + "name-spaces[0]=shop", PODS + "namespace=shop"),
                        "There is no property reactive-informer.informers.pods.namespace (",
                        "Write reactive-informer.informers.pods.namespaces or reactive-informer.informers.pods.namespaced."),
                arguments(List.of(V1POD, PODS + "nameSpacs[0]=shop"),
                        "There is no property reactive-informer.informers.pods.namespacs[0] (",
                        "Write reactive-informer.informers.pods.namespaces."),
                arguments(List.of(V1POD, PODS + "namespaces[0].name=shop"),
                        "There is no property reactive-informer.informers.pods.namespaces[0].name (",
                        "reactive-informer.informers.pods.namespaces takes a list of texts."),
                arguments(List.of(V1POD, PODS + "labels.app=web"),
                        "There is no property reactive-informer.informers.pods.labels.app (",
                        "takes one text, such as reactive-informer.informers.pods.labels: app=web,tier!=db."),
                arguments(List.of(V1POD, PODS + "match-expressions.key=app"),
                        "There is no property reactive-informer.informers.pods.match-expressions.key (",
                        "An informer has the properties type, "),
                arguments(List.of("reactive-informer.informer.pods.type=V1Pod"),
                        "There is no property reactive-informer.informer.pods.type (", "Write reactive-informer.informers."),
                arguments(List.of("reactive-informer.wait-for-snyc=1m"),
                        "There is no property reactive-informer.wait-for-snyc (", "Write reactive-informer.wait-for-sync."),
                arguments(List.of(PODS + "labels=app=web"), PODS + "type is missing", "Name a class of objects, such as V1Pod."),
                arguments(List.of(PODS + "type=V1Pot"), PODS + "type: there is no class io.kubernetes.client.openapi.models.V1Pot",
                        "Write V1Pod. "),
                arguments(List.of(PODS + "type=Pods"), "there is no class io.kubernetes.client.openapi.models.Pods", "Write V1Pod. "),
                arguments(List.of(PODS + "type=networkpolicies"), "there is no class", "Write V1NetworkPolicy. "),
                arguments(List.of(PODS + "type=com.example.Widget"), "there is no class com.example.Widget", "a class of your own"),
                arguments(List.of(PODS + "type=V1PodSpec"), "no resource of the server is known for io.kubernetes.client.openapi.models.V1PodSpec",
                        "Set reactive-informer.informers.pods.group, .version and .plural"),
                arguments(List.of("reactive-informer.informers.pods=V1Pod"), "Failed to bind properties under",
                        "Update your application's configuration"),
                arguments(List.of(V1POD, PODS + "labels=a=b=c"), PODS + "labels: ", "as kubectl takes it, such as app=web,tier!=db."),
                arguments(List.of(V1POD, PODS + "fields=spec.nodeName"), PODS + "fields: cannot parse the field selector",
                        "such as spec.nodeName=n1."),
                arguments(List.of(V1POD, PODS + "fields=a=b,,c=d"), PODS + "fields: ", "such as spec.nodeName=n1."),
                arguments(List.of(PODS + "type=java.util.Map", PODS + "version=v1"), PODS + "plural is missing", "Set version and plural"),
                arguments(List.of(PODS + "type=java.util.Map", PODS + "plural=maps"), PODS + "version is missing", "Set version and plural"),
                arguments(List.of(V1POD, PODS + "projection=com.example.Summary"), PODS + "projection: there is no class", "full name"),
                arguments(List.of(V1POD, PODS + "projection=" + Twice.class.getName()), PODS.substring(0, PODS.length() - 1) + ": ",
                        "Correct the class"),
                arguments(List.of(V1POD, PODS + "resync=0s"), PODS + "resync must be longer than zero, was PT0S", "such as 10m"),
                arguments(List.of(V1POD, PODS + "delivery=each"), PODS + "delivery: \"each\" is no delivery", "such as every(256)"),
                arguments(List.of(V1POD, PODS + "delivery=every(0)"), PODS + "delivery: \"every(0)\" is no delivery", "every(256)"),
                arguments(List.of(V1POD, PODS + "page-size=0"), PODS + "page-size must be at least 1, was 0", "such as 500"),
                arguments(List.of(V1POD, PODS + "optional=perhaps"), "perhaps", "Update your application's configuration"),
                arguments(List.of(V1POD, PODS + "warm-start=true"), PODS + "warm-start needs reactive-informer.snapshots",
                        "Set reactive-informer.snapshots to a directory"),
                arguments(List.of(V1POD, PODS + "resync=often"), "often", "Update your application's configuration"),
                arguments(List.of(V1POD, PODS + "namespaces=Shop!"), PODS + "namespaces: ", "List names of namespaces"),
                arguments(List.of("reactive-informer.informers.nodes.type=V1Node", "reactive-informer.informers.nodes.namespaces=shop"),
                        "informers.nodes.namespaces: nodes.v1 are cluster-scoped", "Remove reactive-informer.informers.nodes.namespaces."),
                arguments(List.of("reactive-informer.kubeconfig=/no/such/file"),
                        "reactive-informer.kubeconfig: /no/such/file: there is no such file; expected a kubeconfig",
                        "set reactive-informer.wait-for-kubeconfig: true"),
                arguments(List.of("reactive-informer.kubeconfig=/no/such/file", "reactive-informer.context=prod"),
                        "/no/such/file: there is no such file", "Set reactive-informer.kubeconfig to an existing kubeconfig."),
                arguments(List.of("reactive-informer.url=ftp://host"), "reactive-informer.url: ", "an address such as https://host:6443"),
                arguments(List.of("reactive-informer.url=http://host", "reactive-informer.context=prod"),
                        "set neither kubeconfig nor context beside it", "Remove reactive-informer.context, or reactive-informer.url."),
                arguments(List.of("reactive-informer.token=secret"), "reactive-informer.token needs reactive-informer.url beside it",
                        "Set reactive-informer.url, or remove the token"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void saysWhatIsWrongAndWhatToDo(List<String> properties, String description, String action) {
        APPLICATION.withPropertyValues(properties.toArray(String[]::new)).run(context -> {
            FailureAnalysis analysis = analysis(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains(description).doesNotContain("secret");
            assertThat(analysis.getAction()).contains(action);
            assertThat(analysis.getDescription().lines()).as(analysis.getDescription()).hasSizeLessThanOrEqualTo(10);
            assertThat(analysis.getAction().lines()).as(analysis.getAction()).hasSizeLessThanOrEqualTo(10);
        });
    }

    private static FailureAnalysis analysis(Throwable failure) {
        assertThat(failure).as("the start").isNotNull();
        var environment = new MockEnvironment();
        List<FailureAnalyzer> analyzers = SpringFactoriesLoader.forDefaultResourceLocation().load(FailureAnalyzer.class,
                SpringFactoriesLoader.ArgumentResolver.of(Environment.class, environment),
                (type, name, unusable) -> {});
        return analyzers.stream().map(one -> one.analyze(failure)).filter(Objects::nonNull).findFirst()
                .orElseThrow(() -> new AssertionError("nothing explains this", failure));
    }

    /** Every way of writing a right name. */
    @ParameterizedTest
    @MethodSource("rightNames")
    void takesEachFormOfARightName(TestPropertyValues.Type type, List<String> properties) {
        APPLICATION.withInitializer(context -> TestPropertyValues.of(properties).applyTo(context.getEnvironment(), type, "their-systemEnvironment"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Informer.class));
    }

    static Stream<Arguments> rightNames() {
        String variables = "REACTIVEINFORMER_INFORMERS_PODS_";
        return Stream.of(
                arguments(TestPropertyValues.Type.MAP, List.of(V1POD, PODS + "namespaces=shop,tools", PODS + "labels=app=web", PODS + "resync=10m")),
                arguments(TestPropertyValues.Type.MAP, List.of(V1POD, PODS + "namespaces[0]=shop", PODS + "namespaces[1]=tools")),
                arguments(TestPropertyValues.Type.MAP, List.of("reactiveInformer.informers.pods.TYPE=V1Pod", "reactive_informer.informers.pods.LABELS=a=b")),
                arguments(TestPropertyValues.Type.MAP, List.of(V1POD, PODS + "warmStart=false", PODS + "page_size=5", PODS + "STREAMING-LISTS=true")),
                arguments(TestPropertyValues.Type.SYSTEM_ENVIRONMENT, List.of(variables + "TYPE=V1Pod", variables + "WARMSTART=false")),
                arguments(TestPropertyValues.Type.MAP, List.of("reactive-informer.informers[my.pods].type=V1Pod")),
                arguments(TestPropertyValues.Type.MAP, List.of(V1POD, "reactive-informer.autoStartup=false", "reactive-informer.rabbit.topic=t")),
                arguments(TestPropertyValues.Type.SYSTEM_ENVIRONMENT, List.of(variables + "TYPE=V1Pod", variables + "NAMESPACES_0=shop")),
                arguments(TestPropertyValues.Type.SYSTEM_ENVIRONMENT, List.of(variables + "TYPE=V1Pod", variables + "NAMESPACES=shop,tools",
                        "REACTIVEINFORMER_SERVICE_HOST=10.0.0.1", "REACTIVE_INFORMER_PORT_443_TCP=tcp://10.0.0.1:443",
                        "REACTIVEINFORMER_PORT=tcp://10.0.0.1:443", "REACTIVEINFORMER_SERVICE_PORT_HTTPS=443",
                        "REACTIVE_INFORMER_SERVICE_HOST=10.0.0.1", "REACTIVE_INFORMER_SERVICE_PORT=443",
                        "REACTIVEINFORMER_PORT_443_TCP_PROTO=tcp", "REACTIVEINFORMER_AUTOSTARTUP=false", "REACTIVEINFORMER_FLAVOUR=x",
                        "REACTIVEINFORMER_CLOUD_NAMESPACES=shop", "REACTIVE_INFORMER_WAIT_FOR_KUBECONFIG=true",
                        "REACTIVEINFORMER_NAMESPACES_0_=shop", "REACTIVE_INFORMER=x",
                        "REACTIVE_INFORMER_KAFKA_BOOTSTRAP_SERVERS=kafka:9092")));
    }

    @Test
    void refusesAWrongNameAmongEnvironmentVariables() {
        for (String wrong : List.of("LABLES", "WAIT_FOR_SYNC")) {
            APPLICATION.withInitializer(context -> TestPropertyValues.of("REACTIVEINFORMER_INFORMERS_PODS_TYPE=V1Pod",
                            "REACTIVEINFORMER_INFORMERS_PODS_" + wrong + "=x")
                    .applyTo(context.getEnvironment(), TestPropertyValues.Type.SYSTEM_ENVIRONMENT, "their-systemEnvironment")).run(context -> {
                        FailureAnalysis analysis = analysis(context.getStartupFailure());
                        assertThat(analysis.getDescription()).contains("There is no property reactiveinformer.informers.pods.");
                        assertThat(analysis.getAction()).contains(wrong.equals("LABLES") ? "pods.labels." : "leave out dashes");
                    });
        }
    }

    @ParameterizedTest
    @CsvSource({
        "REACTIVEINFORMER_NAMSPACES, REACTIVEINFORMER_NAMESPACES", "REACTIVEINFORMER_NAMESPACE, REACTIVEINFORMER_NAMESPACES",
        "REACTIVEINFORMER_NAMSPACES_0, REACTIVEINFORMER_NAMESPACES", "REACTIVEINFORMER_NAME_SPACES, REACTIVEINFORMER_NAMESPACES",
        "REACTIVE_INFORMER_NAMSPACES, REACTIVEINFORMER_NAMESPACES", "REACTIVEINFORMER_URI, REACTIVEINFORMER_URL",
        "REACTIVEINFORMER_WAIT_FOR_SYNC, REACTIVEINFORMER_WAITFORSYNC", "REACTIVEINFORMER_WAIT_FOR_SNYC, REACTIVEINFORMER_WAITFORSYNC",
        "REACTIVEINFORMER_INFORMER_PODS_TYPE, REACTIVEINFORMER_INFORMERS",
        "REACTIVE_INFORMER_INFORMERS_PODS_TYPE, REACTIVEINFORMER_INFORMERS_PODS_TYPE",
        "REACTIVE_INFORMER_KAFKA_BOOTSTRAPSERVERS, REACTIVEINFORMER_KAFKA_BOOTSTRAPSERVERS",
        "REACTIVE_INFORMER_WAITFORSYNC, REACTIVEINFORMER_WAITFORSYNC", "REACTIVE_INFORMER_AUTOSTARTUP, REACTIVEINFORMER_AUTOSTARTUP"
    })
    void refusesAWrongEnvironmentVariableAboveTheInformers(String wrong, String right) {
        APPLICATION.withInitializer(context -> TestPropertyValues.of("REACTIVEINFORMER_INFORMERS_PODS_TYPE=V1Pod", wrong + "=x")
                .applyTo(context.getEnvironment(), TestPropertyValues.Type.SYSTEM_ENVIRONMENT, "their-systemEnvironment")).run(context -> {
                    FailureAnalysis analysis = analysis(context.getStartupFailure());
                    assertThat(analysis.getDescription()).contains(wrong);
                    assertThat(analysis.getAction()).contains("Write " + right + ".");
                });
    }

    @Test
    void namesEachOfSeveralMistakesInTenLines() {
        List<String> properties = new ArrayList<>(List.of(V1POD));
        for (int one = 10; one < 40; one++) {
            properties.add(PODS + "extra" + one + "=x");
        }
        APPLICATION.withPropertyValues(properties.toArray(String[]::new)).run(context -> {
            FailureAnalysis analysis = analysis(context.getStartupFailure());
            assertThat(analysis.getDescription().lines()).hasSize(10).last().isEqualTo("    and 21 more");
            assertThat(analysis.getAction().lines()).hasSize(1);
        });
    }

    @Test
    void readsAKubeconfigThatExistsAndNamesAContextThatDoesNot(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("config"), "{apiVersion: v1, kind: Config, current-context: dev,"
                + " clusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}], users: [{name: u, user: {}}],"
                + " contexts: [{name: dev, context: {cluster: c, user: u}}]}");
        ApplicationContextRunner named = APPLICATION.withPropertyValues("reactive-informer.kubeconfig=" + file);
        named.run(context -> assertThat(context).hasNotFailed());
        named.withPropertyValues("reactive-informer.context=prod").run(context -> assertThat(
                analysis(context.getStartupFailure()).getDescription()).contains("there is no context \"prod\"; there are: [dev]"));
        Files.writeString(file, "clusters: [");
        named.run(context -> assertThat(analysis(context.getStartupFailure()).getDescription()).contains("not YAML"));
    }

    @Test
    void waitsForAKubeconfigWhereThatIsSaid() {
        APPLICATION.withPropertyValues("reactive-informer.kubeconfig=/no/such/file", "reactive-informer.wait-for-kubeconfig=true", V1POD)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aStartThatWaitsInVainHasALineForEachInformer() {
        try (FakeApiServer server = FakeApiServer.create().start()) {
            server.faults().onList("pods").always().status(403, "Forbidden", "not for you");
            server.faults().onList("services").always().refuse();
            APPLICATION.withPropertyValues("reactive-informer.auto-startup=true", "reactive-informer.wait-for-sync=3s", V1POD,
                            "reactive-informer.informers.services.type=V1Service", "reactive-informer.informers.nodes.type=V1Node",
                            "reactive-informer.url=" + server.url())
                    .run(context -> {
                        FailureAnalysis analysis = analysis(context.getStartupFailure());
                        assertThat(analysis.getDescription().lines()).hasSize(3)
                                .anyMatch(line -> line.startsWith("    pods.v1 in all namespaces: not synced after 3s") && line.contains("403"))
                                .anyMatch(line -> line.startsWith("    services.v1 in all namespaces: not synced"));
                        assertThat(analysis.getAction()).startsWith("Correct the cause, or wait longer").contains("wait-for-sync");
                    });
        }
    }
}
