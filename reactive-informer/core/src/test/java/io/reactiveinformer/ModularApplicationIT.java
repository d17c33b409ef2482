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

    private Path write(String name, String text) throws IOException {
        Path file = directory.resolve("src").resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private void compile(String modulePath, Path... sources) {
        List<String> arguments =
                new ArrayList<>(List.of("--release", "17", "--module-path", modulePath, "-d", directory.resolve("out").toString()));
        for (Path source : sources) {
            arguments.add(source.toString());
        }
        var said = new ByteArrayOutputStream();
        int result = ToolProvider.getSystemJavaCompiler().run(null, said, said, arguments.toArray(new String[0]));
        assertThat(result).as(said.toString(StandardCharsets.UTF_8)).isZero();
    }

    @Test
    void readsAModuleAndRuns() throws Exception {
        String modulePath = property("core.jar") + File.pathSeparator + Files.readString(Path.of(property("module.path"))).strip();
        compile(modulePath,
                write("module-info.java", """
                        module shop.pods {
                            requires io.reactiveinformer;
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
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--module-path", modulePath + File.pathSeparator + directory.resolve("out"),
                        "--module", "shop.pods/shop.pods.Main")
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(said).contains("shop.pods: TransportException");
        assertThat(process.exitValue()).as(said).isZero();
    }
}
