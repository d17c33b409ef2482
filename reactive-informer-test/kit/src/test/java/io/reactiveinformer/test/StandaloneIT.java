package io.reactiveinformer.test;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.TransportException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** The jar that {@code java -jar} runs, in a process of its own. */
@Timeout(240)
class StandaloneIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String SETTINGS = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: settings, namespace: shop}
            data: {color: green}
            """;
    private static final String WIDGETS = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: widgets.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: widgets, kind: Widget}
              versions:
              - name: v1
                served: true
                storage: true
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """;

    @TempDir
    private Path directory;

    private final List<Process> started = new ArrayList<>();

    private Process run(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                Objects.requireNonNull(System.getProperty("standalone.jar"), "standalone.jar is set by the build")));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).start();
        started.add(process);
        return process;
    }

    /** A server that listens, and what it printed. */
    private record Running(Process process, List<String> lines) {}

    private Running start(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("--kubeconfig", kubeconfig().toString()));
        all.addAll(List.of(arguments));
        Process process = run(all.toArray(String[]::new));
        List<String> lines = new ArrayList<>();
        BufferedReader output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            lines.add(line);
            if (line.startsWith("listening on")) {
                return new Running(process, lines);
            }
        }
        throw new AssertionError(lines + new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
    }

    private Path kubeconfig() {
        return directory.resolve("kubeconfig");
    }

    private Path file(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private KubernetesClient client() {
        return KubernetesClient.create(ClusterConfig.kubeconfig(kubeconfig()));
    }

    private static String color(KubernetesClient client) {
        return client.resources(ResourceType.of(V1ConfigMap.class)).get(ObjectKey.of("shop", "settings")).block(PATIENCE)
                .getData().get("color");
    }

    @AfterEach
    void stop() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void servesTheObjectsOfAFileOverTls() throws IOException {
        Running server = start("--tls", file("objects.yaml", SETTINGS).toString());
        assertThat(server.lines()).singleElement().asString().startsWith("listening on https://127.0.0.1:");
        try (KubernetesClient client = client()) {
            assertThat(color(client)).isEqualTo("green");
        }
    }

    @Test
    void kubectlWorksByTheKubeconfigOverTls() throws IOException {
        start("--tls", file("objects.yaml", SETTINGS).toString());
        Kubectl kubectl = new Kubectl(kubeconfig(), directory);
        assertThat(kubectl.run("get", "configmap", "settings", "--namespace", "shop", "--output", "jsonpath={.data.color}"))
                .isEqualTo("green");
        assertThat(kubectl.run("auth", "can-i", "delete", "pods")).isEqualToIgnoringNewLines("yes");
    }

    @Test
    void servesTheFilesOfADirectoryWithDefinitionsFirst() throws IOException {
        file("objects/a/settings.yml", SETTINGS);
        file("objects/a/widget.json", """
                {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "round"}}""");
        file("objects/z/definition.yaml", WIDGETS);
        file("objects/README.md", "# not an object");
        start("--load", directory.resolve("objects").toString());
        Kubectl kubectl = new Kubectl(kubeconfig(), directory);
        assertThat(kubectl.run("get", "widgets", "--output", "name")).isEqualToIgnoringNewLines("widget.example.com/round");
        try (KubernetesClient client = client()) {
            assertThat(color(client)).isEqualTo("green");
        }
    }

    @Test
    void simulatesWhatAClusterDoesWithADeployment() throws IOException {
        start("--simulate");
        Kubectl kubectl = new Kubectl(kubeconfig(), directory);
        kubectl.run("create", "deployment", "web", "--image=web:1", "--replicas=2");
        kubectl.run("rollout", "status", "deployment/web", "--timeout=60s");
        assertThat(kubectl.run("get", "pods", "--field-selector=status.phase=Running", "--output", "name").lines()).hasSize(2);
    }

    /** Every answered write is there again, wherever the process was when it was killed. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void continuesWithWhatItHasAnswered(boolean killed) throws Exception {
        String kept = directory.resolve("kept").toString();
        Process first = start("--persist", kept, file("objects.yaml", SETTINGS).toString()).process();
        Map<String, String> answered = new ConcurrentHashMap<>();
        try (KubernetesClient client = client()) {
            ResourceClient<V1ConfigMap> maps = client.resources(ResourceType.of(V1ConfigMap.class));
            Flux.range(0, 100_000)
                    .flatMap(i -> maps.create(Namespaces.of("shop"), new V1ConfigMap().metadata(new V1ObjectMeta().name("written-" + i)))
                            .doOnNext(map -> {
                                answered.put(map.getMetadata().getName(), map.getMetadata().getResourceVersion());
                                if (answered.size() == 200) {
                                    end(first, killed);
                                }
                            }), 8)
                    .takeUntilOther(Mono.fromFuture(first.onExit())) // the client would try again
                    .onErrorComplete(TransportException.class)
                    .blockLast(PATIENCE);
        }
        assertThat(first.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(answered).hasSizeGreaterThanOrEqualTo(200);

        Running second = start("--persist", kept, file("other.yaml", SETTINGS.replace("green", "red")).toString());
        assertThat(second.lines().get(0)).matches("continuing with \\d+ objects at \\d+ of " + kept);
        try (KubernetesClient client = client()) {
            Map<String, String> found = new ConcurrentHashMap<>();
            client.resources(ResourceType.of(V1ConfigMap.class)).listAll(Namespaces.of("shop"), ListOptions.defaults())
                    .doOnNext(map -> found.put(map.getMetadata().getName(), map.getMetadata().getResourceVersion()))
                    .blockLast(PATIENCE);
            assertThat(found).containsAllEntriesOf(answered);
            assertThat(color(client)).isEqualTo("green");
        }
    }

    private static void end(Process process, boolean killed) {
        if (killed) {
            process.destroyForcibly();
        } else {
            process.destroy();
        }
    }

    /** What it says names the mistake and its place, once and without a stack trace. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --prot 8080              | Unknown option: '--prot'
            --port 70000             | port 70000 is none: it must be between 0 and 65535
            --port many              | Invalid value for option '--port': 'many' is not an int
            none.yaml                | there is no file DIR/none.yaml
            --load none              | there is no file DIR/none
            --load empty             | there is no .yaml, .yml or .json file in DIR/empty
            --load broken            | DIR/broken/deep/objects.yaml, line 4: expected ',' or '}', but got <stream end>
            --load text              | DIR/text/objects.yaml: a document needs apiVersion, kind and metadata, but is "words"
            --load invalid           | DIR/invalid/objects.yaml: ConfigMap "A_b" is invalid: metadata.name: Invalid value: "A_b"
            --load unknown           | DIR/unknown/objects.yaml: object 1 of 1, a: the server has no type for apiVersion "v2", kind "Foo"
            --persist file           | cannot keep the cluster in DIR/file: java.nio.file.FileAlreadyExistsException
            --persist damaged        | DIR/damaged/cluster.jsonl, line 1: not a change of the cluster
            --kubeconfig none/config | cannot write the kubeconfig DIR/none/config: java.nio.file.NoSuchFileException
            """)
    void refusesMistakes(String arguments, String message) throws Exception {
        Files.createDirectory(directory.resolve("empty"));
        file("broken/deep/objects.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a\n");
        file("text/objects.yaml", "words");
        file("invalid/objects.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: A_b}\n");
        file("unknown/objects.yaml", "apiVersion: v2\nkind: Foo\nmetadata: {name: a}\n");
        file("file", "");
        file("damaged/cluster.jsonl", "{]\n");
        String[] words = arguments.split(" ");
        if (!words[0].startsWith("--p") || words[0].equals("--persist")) {
            words[words.length - 1] = directory.resolve(words[words.length - 1]).toString();
        }
        Process server = run(words);
        String said = new String(server.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(server.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(said).startsWith(message.replace("DIR", directory.toString())).doesNotContain("\tat ").hasLineCount(2);
        assertThat(server.exitValue()).isEqualTo(2);
    }

    @Test
    void namesThePortThatIsInUse() throws Exception {
        String address = start().lines().get(0).replaceAll("listening on http://127.0.0.1:(\\d+);.*", "$1");
        Process second = run("--port", address);
        assertThat(new String(second.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                .startsWith("port " + address + " is in use; choose another with --port");
    }
}
