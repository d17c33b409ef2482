package io.reactiveinformer;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** An application that is a Java module: it is compiled, and runs, with our jar and its libraries on the module path. */
@Timeout(60)
class ModularApplicationIT {

    @TempDir
    private Path directory;

    private static String property(String name) {
        String value = System.getProperty(name);
        assertThat(value).as("system property %s, which the build sets", name).isNotNull();
        return value;
    }

    private static String modulePath(String libraries) throws IOException {
        return property("module.jar") + File.pathSeparator + Files.readString(Path.of(property(libraries))).strip();
    }

    private Path write(String name, String text) throws IOException {
        Path file = directory.resolve("src").resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    /** With the libraries of the scope compile, as Maven and Gradle do. */
    private void compile(Path... sources) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--release", "17", "--module-path", modulePath("module.path.of-the-compiler"),
                "-d", directory.resolve("out").toString()));
        for (Path source : sources) {
            arguments.add(source.toString());
        }
        var said = new ByteArrayOutputStream();
        int result = ToolProvider.getSystemJavaCompiler().run(null, said, said, arguments.toArray(new String[0]));
        assertThat(result).as(said.toString(StandardCharsets.UTF_8)).isZero();
    }

    @Test
    void readsAModuleAndRuns() throws Exception {
        compile(write("module-info.java", """
                        module shop.pods {
                            requires io.reactiveinformer.operator;
                            requires reactor.core;
                            requires io.kubernetes.client.java.api;
                        }
                        """),
                write("shop/pods/Main.java", """
                        package shop.pods;

                        import io.kubernetes.client.openapi.models.V1Pod;
                        import io.reactiveinformer.client.KubernetesClient;
                        import io.reactiveinformer.config.ClusterConfig;
                        import io.reactiveinformer.informer.InformerFactory;
                        import io.reactiveinformer.resource.ResourceType;
                        import java.time.Duration;

                        public final class Main {
                            public static void main(String[] arguments) {
                                try (var client = KubernetesClient.create(ClusterConfig.of("http://127.0.0.1:1"))) {
                                    var pods = InformerFactory.create(client).of(ResourceType.of(V1Pod.class));
                                    pods.start();
                                    var cause = pods.status().filter(status -> status.cause() != \
                        null).blockFirst(Duration.ofSeconds(30)).cause();
                                    System.out.println(Main.class.getModule().getName() + ": " + cause.getClass().getSimpleName());
                                }
                            }
                        }
                        """));
        assertThat(run("shop.pods/shop.pods.Main")).contains("shop.pods: TransportException");
    }

    private String run(String main, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--module-path", modulePath("module.path") + File.pathSeparator + directory.resolve("out"), "--module", main));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }

    /** Nothing was opened to Jackson: each answer with an object of a model class failed, and no election was won. */
    @Test
    void readsWritesAppliesAndElects() throws Exception {
        compile(write("module-info.java", """
                        module shop.work {
                            requires io.reactiveinformer.operator;
                            opens shop.work to io.reactiveinformer.client, io.reactiveinformer, tools.jackson.databind;
                        }
                        """),
                write("shop/work/Main.java", """
                        package shop.work;

                        import io.kubernetes.client.openapi.models.*;
                        import io.reactiveinformer.client.*;
                        import io.reactiveinformer.config.ClusterConfig;
                        import io.reactiveinformer.controller.*;
                        import io.reactiveinformer.informer.*;
                        import io.reactiveinformer.leader.*;
                        import io.reactiveinformer.queue.Result;
                        import io.reactiveinformer.recorder.*;
                        import io.reactiveinformer.resource.*;
                        import io.reactiveinformer.view.View;
                        import java.time.Duration;
                        import java.time.OffsetDateTime;
                        import java.util.*;
                        import reactor.core.publisher.*;
                        import tools.jackson.databind.JsonNode;

                        public final class Main {

                            public record Page(String apiVersion, String kind, V1ObjectMeta metadata, Spec spec) {
                                public record Spec(String text, List<String> parts) {}
                            }

                            public record Name(@FieldPath("metadata.name") String name) {}

                            static final Duration LIMIT = Duration.ofSeconds(20);
                            static final ResourceType<V1ConfigMap> MAPS = ResourceType.of(V1ConfigMap.class);
                            static final ResourceType<V1Deployment> DEPLOYMENTS = ResourceType.of(V1Deployment.class);
                            static final ResourceType<Page> PAGES =
                                    ResourceType.of("shop.example", "v1", "pages", ResourceType.Scope.NAMESPACED, Page.class);
                            static final Namespaces SHOP = Namespaces.of("shop");

                            static V1ObjectMeta named(String name) {
                                return new V1ObjectMeta().name(name).namespace("shop");
                            }

                            static void done(String what) {
                                System.out.println("done: " + what);
                            }

                            public static void main(String[] arguments) {
                                try (var client = KubernetesClient.create(ClusterConfig.of(arguments[0]))) {
                                    var maps = client.resources(MAPS);
                                    var one = ObjectKey.of("shop", "one");
                                    V1ConfigMap created = maps.create(SHOP, new V1ConfigMap().metadata(named("one"))
                                            .data(Map.of("a", "b"))).block(LIMIT);
                                    created.setImmutable(true);
                                    maps.update(one, created).block(LIMIT);
                                    maps.patch(one, Patch.merge(Map.of("data", Map.of("c", "d")))).block(LIMIT);
                                    maps.patch(one, Patch.strategic(new V1ConfigMap().data(Map.of("e", "f")))).block(LIMIT);
                                    if (!maps.get(one).block(LIMIT).getImmutable()) {
                                        throw new AssertionError("not updated");
                                    }
                                    done("configmap");
                                    client.resources(DEPLOYMENTS).apply(one, new V1Deployment().apiVersion("apps/v1").kind("Deployment")
                                            .metadata(named("one").creationTimestamp(OffsetDateTime.now()))
                                            .spec(new V1DeploymentSpec().replicas(2)
                                                    .template(new V1PodTemplateSpec().spec(new V1PodSpec().addContainersItem(
                                                            new V1Container().name("web").image("nginx"))))),
                                            WriteOptions.defaults().withFieldManager("shop")).block(LIMIT);
                                    V1Deployment read = client.resources(DEPLOYMENTS).get(one).block(LIMIT);
                                    if (read.getSpec().getReplicas() != 2) {
                                        throw new AssertionError(read.toString());
                                    }
                                    done("deployment");
                                    client.resources(PAGES).create(SHOP, new Page("shop.example/v1", "Page", named("one"),
                                            new Page.Spec("hello", List.of("x")))).block(LIMIT);
                                    if (!client.resources(PAGES).get(one).block(LIMIT).spec().text().equals("hello")) {
                                        throw new AssertionError("another page");
                                    }
                                    var trees = client.resources(ResourceType.dynamic("shop.example", "v1", "pages"));
                                    JsonNode tree = trees.get(one).block(LIMIT);
                                    if (!tree.at("/spec/text").asString().equals("hello")) {
                                        throw new AssertionError(tree.toString());
                                    }
                                    done("page");
                                    InformerFactory informers = InformerFactory.create(client);
                                    Informer<V1ConfigMap> cache = informers.of(MAPS, SHOP);
                                    Informer<Page> pages = informers.of(PAGES, SHOP);
                                    Informer<Name> names = informers.of(MAPS.as(Name.class), SHOP);
                                    informers.start();
                                    Mono.when(cache.synced(), pages.synced(), names.synced()).block(LIMIT);
                                    if (!names.lister().get(one).orElseThrow().name().equals("one")
                                            || !pages.lister().get(one).orElseThrow().spec().text().equals("hello")
                                            || !cache.lister().get(one).orElseThrow().getImmutable()) {
                                        throw new AssertionError("not as cached");
                                    }
                                    done("informers");
                                    EventRecorder events = EventRecorder.of(client, "shop.example/work");
                                    events.record(EventRecorder.Occurrence.normal(ObjectReference.of(created), "Tried", "Try", "well"));
                                    events.close(LIMIT).block(LIMIT);
                                    done("event");
                                    LeaderElector elector = LeaderElector.of(client, ObjectKey.of("shop", "work"));
                                    elector.whileLeading(term -> Mono.just(term.token())).next().block(LIMIT);
                                    done("election");
                                }
                            }
                        }
                        """));
        try (var server = new FewObjects()) {
            assertThat(run("shop.work/shop.work.Main", server.address()).lines().filter(line -> line.startsWith("done: ")))
                    .containsExactly(
                            "done: configmap", "done: deployment", "done: page", "done: informers", "done: event", "done: election");
            assertThat(server.written()).contains("/api/v1/namespaces/shop/configmaps/one", "/apis/apps/v1/namespaces/shop/deployments/one",
                    "/apis/coordination.k8s.io/v1/namespaces/shop/leases/work");
        }
    }
}
