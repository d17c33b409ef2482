package io.reactiveinformer;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an application receives that has this library beside the official client, or beside WebFlux. Maven and Gradle themselves resolve it:
 * the Maven that runs this build, and, with {@code -Dbeside.gradle=true}, the Gradle that Maven Central has (300 MB at the first run). Our
 * POMs are those of the source tree; nothing of ours needs to be installed.
 */
@Timeout(600)
class BesideTheOfficialClientIT {

    private static final String MAVEN_OURS_FIRST = "maven-ours-first";
    private static final String MAVEN_OFFICIAL_FIRST = "maven-official-first";
    private static final String GRADLE_OURS_FIRST = "gradle-ours-first";
    private static final String GRADLE_OFFICIAL_FIRST = "gradle-official-first";
    private static final String WEBFLUX = "webflux";
    private static final String WEBFLUX_WITH_US = "webflux-with-us";

    /** Reads one pod by this library and one by the official client, whose HTTP is okhttp. The server's thread does not end by itself. */
    private static final String APPLICATION = """
            import com.sun.net.httpserver.HttpServer;
            import io.kubernetes.client.openapi.ApiClient;
            import io.kubernetes.client.openapi.apis.CoreV1Api;
            import io.kubernetes.client.openapi.models.V1Pod;
            import io.reactiveinformer.client.KubernetesClient;
            import io.reactiveinformer.config.ClusterConfig;
            import io.reactiveinformer.resource.ObjectKey;
            import io.reactiveinformer.resource.ResourceType;
            import java.net.InetAddress;
            import java.net.InetSocketAddress;
            import java.time.Duration;

            public final class Both {
                public static void main(String[] arguments) {
                    try {
                        read();
                        System.exit(0);
                    } catch (Throwable failure) {
                        failure.printStackTrace();
                        System.exit(1);
                    }
                }

                private static void read() throws Exception {
                    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
                    server.createContext("/", exchange -> {
                        String path = exchange.getRequestURI().getPath();
                        String name = path.substring(path.lastIndexOf('/') + 1);
                        byte[] body = "{'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'namespace': 'shop', 'name': '%s'}}"
                                .formatted(name).replace('\\'', '"').getBytes();
                        exchange.getResponseHeaders().set("Content-Type", "application/json");
                        exchange.sendResponseHeaders(200, body.length);
                        exchange.getResponseBody().write(body);
                        exchange.close();
                    });
                    server.start();
                    String url = "http://127.0.0.1:" + server.getAddress().getPort();
                    try (KubernetesClient client = KubernetesClient.create(ClusterConfig.of(url))) {
                        V1Pod pod = client.resources(ResourceType.of(V1Pod.class))
                                .get(ObjectKey.of("shop", "ours")).block(Duration.ofSeconds(30));
                        System.out.println("read " + pod.getMetadata().getName());
                    }
                    ApiClient official = new ApiClient().setBasePath(url);
                    official.setHttpClient(official.getHttpClient().newBuilder().callTimeout(Duration.ofSeconds(30)).build());
                    V1Pod pod = new CoreV1Api(official).readNamespacedPod("official", "shop").execute();
                    System.out.println("read " + pod.getMetadata().getName());
                }
            }
            """;

    /** Prints the class path of each list of dependencies among the arguments. Gradle leaves threads behind, hence the exit. */
    private static final String GRADLE_BUILD = """
            import java.io.File;
            import java.util.Arrays;
            import org.gradle.api.Project;
            import org.gradle.testfixtures.ProjectBuilder;

            public final class GradleBuild {
                public static void main(String[] arguments) {
                    try {
                        resolve(arguments);
                        System.exit(0);
                    } catch (Throwable failure) {
                        failure.printStackTrace();
                        System.exit(1);
                    }
                }

                private static void resolve(String[] arguments) {
                    Project project = ProjectBuilder.builder()
                            .withGradleUserHomeDir(new File(arguments[0])).withProjectDir(new File(arguments[1])).build();
                    project.getPluginManager().apply("java-library");
                    project.getRepositories().maven(ours -> {
                        ours.setUrl(new File(arguments[2]).toURI());
                        ours.content(content -> content.includeGroup("io.reactiveinformer"));
                    });
                    project.getRepositories().mavenCentral();
                    for (String list : Arrays.copyOfRange(arguments, 3, arguments.length)) {
                        String name = list.substring(0, list.indexOf('='));
                        var runtime = project.getConfigurations().getByName("runtimeClasspath").copy();
                        for (String dependency : list.substring(list.indexOf('=') + 1).split(",")) {
                            runtime.getDependencies().add(project.getDependencies().create(dependency));
                        }
                        System.out.println("resolved " + name + "=" + runtime.getAsPath());
                    }
                }
            }
            """;

    @TempDir
    private static Path directory;

    /** By name, the jars in the order of the class path. */
    private static final Map<String, String> CLASS_PATHS = new TreeMap<>();

    private static String property(String name) {
        String value = System.getProperty(name);
        assertThat(value).as("system property %s, which the build sets", name).isNotNull();
        return value;
    }

    private static String dependency(String coordinates) {
        String[] parts = coordinates.split(":", -1);
        return "<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version></dependency>"
                .formatted(parts[0], parts[1], parts[2]);
    }

    private static String project(String artifact, String content) {
        String head = "<modelVersion>4.0.0</modelVersion><groupId>shop</groupId><artifactId>%s</artifactId><version>1</version>";
        return "<project>" + head.formatted(artifact) + content + "</project>";
    }

    private static String run(Path folder, List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as("%s%n%s", command, said).isZero();
            return said;
        } finally {
            process.destroy();
        }
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** A build of several applications; each is a list of dependencies. */
    private static void resolveByMaven(String build, Map<String, List<String>> applications, String... options) throws Exception {
        Path root = Files.createDirectory(directory.resolve(build));
        String modules = "";
        for (Map.Entry<String, List<String>> application : applications.entrySet()) {
            modules += "<module>" + application.getKey() + "</module>";
            String dependencies = String.join("", application.getValue().stream().map(BesideTheOfficialClientIT::dependency).toList());
            Files.writeString(Files.createDirectory(root.resolve(application.getKey())).resolve("pom.xml"),
                    project(application.getKey(), "<dependencies>" + dependencies + "</dependencies>"));
        }
        Files.writeString(root.resolve("pom.xml"), project(build, "<packaging>pom</packaging><modules>" + modules + "</modules>"));
        String maven = File.separatorChar == '/' ? "mvn" : "mvn.cmd";
        List<String> command = new ArrayList<>(List.of(Path.of(property("maven.home"), "bin", maven).toString(),
                "--batch-mode", "--no-transfer-progress",
                "org.apache.maven.plugins:maven-dependency-plugin:" + property("dependency.plugin") + ":build-classpath",
                "-Dmdep.includeScope=runtime", "-Dmdep.outputFile=class-path"));
        command.addAll(List.of(options));
        run(root, command);
        for (String application : applications.keySet()) {
            CLASS_PATHS.put(application, Files.readString(root.resolve(application).resolve("class-path")).strip());
        }
    }

    private static void publish(Path repository, String artifact, String version, Path pom, String jar) throws IOException {
        Path folder = Files.createDirectories(repository.resolve("io/reactiveinformer").resolve(artifact).resolve(version));
        Files.copy(pom, folder.resolve(artifact + "-" + version + ".pom"));
        if (!jar.isEmpty()) {
            Files.copy(Path.of(jar), folder.resolve(artifact + "-" + version + ".jar"));
        }
    }

    @BeforeAll
    static void resolve() throws Exception {
        String version = property("project.version");
        Path repository = Files.createDirectory(directory.resolve("repository"));
        publish(repository, "reactive-informer-parent", version, Path.of("../../pom.xml"), "");
        publish(repository, "reactive-informer-models", version, Path.of("../models/pom.xml"), property("models.jar"));
        publish(repository, "reactive-informer-client", version, Path.of("../client/pom.xml"), property("client.jar"));
        publish(repository, "reactive-informer-readers", version, Path.of("../readers/pom.xml"), property("readers.jar"));
        publish(repository, "reactive-informer", version, Path.of("pom.xml"), property("informer.jar"));
        String ours = "io.reactiveinformer:reactive-informer:" + version;
        String official = "io.kubernetes:client-java:" + property("official.version");
        String webflux = "org.springframework.boot:spring-boot-starter-webflux:" + property("spring-boot.version");
        // Our artifacts are in a local repository of their own, before the usual one: that one does not keep them.
        resolveByMaven("applications",
                Map.of(MAVEN_OURS_FIRST, List.of(ours, official), MAVEN_OFFICIAL_FIRST, List.of(official, ours),
                        WEBFLUX, List.of(webflux), WEBFLUX_WITH_US, List.of(webflux, ours)),
                "-Dmaven.repo.local=" + repository, "-Dmaven.repo.local.tail=" + property("local.repository"));

        if (Boolean.getBoolean("beside.gradle")) {
            resolveByGradle(ours, official, repository);
        }
    }

    private static void resolveByGradle(String ours, String official, Path repository) throws Exception {
        resolveByMaven("gradle", Map.of("gradle-api", List.of("dev.gradleplugins:gradle-api:" + property("gradle.version"))),
                "-Dmaven.repo.local=" + property("local.repository"));
        Path build = Files.writeString(directory.resolve("GradleBuild.java"), GRADLE_BUILD);
        String home = System.getenv().getOrDefault("GRADLE_USER_HOME", Path.of(System.getProperty("user.home"), ".gradle").toString());
        String said = run(directory, List.of(java(), "-XX:TieredStopAtLevel=1", "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-cp", CLASS_PATHS.get("gradle-api"), build.toString(), home, directory.resolve("gradle").toString(), repository.toString(),
                GRADLE_OURS_FIRST + "=" + ours + "," + official, GRADLE_OFFICIAL_FIRST + "=" + official + "," + ours));
        said.lines().filter(line -> line.startsWith("resolved ")).forEach(line ->
                CLASS_PATHS.put(line.substring("resolved ".length(), line.indexOf('=')), line.substring(line.indexOf('=') + 1)));
    }

    private static List<String> applications() {
        return Boolean.getBoolean("beside.gradle")
                ? List.of(MAVEN_OURS_FIRST, MAVEN_OFFICIAL_FIRST, GRADLE_OURS_FIRST, GRADLE_OFFICIAL_FIRST)
                : List.of(MAVEN_OURS_FIRST, MAVEN_OFFICIAL_FIRST);
    }

    @ParameterizedTest
    @MethodSource("applications")
    void bothClientsCompileAndRun(String application) throws Exception {
        Path folder = Files.createDirectory(directory.resolve("run-" + application));
        Path source = Files.writeString(folder.resolve("Both.java"), APPLICATION);
        String classPath = CLASS_PATHS.get(application);
        var said = new ByteArrayOutputStream();
        int result = ToolProvider.getSystemJavaCompiler()
                .run(null, said, said, "--release", "17", "-proc:none", "-cp", classPath, "-d", folder.toString(), source.toString());
        assertThat(result).as("%s%n%s", classPath, said.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(run(folder, List.of(java(), "-XX:TieredStopAtLevel=1", "-cp", classPath + File.pathSeparator + folder, "Both")))
                .containsSubsequence("read ours", "read official");
    }

    /** The jars without their versions. */
    private static Set<String> artifacts(String application) {
        var names = new TreeSet<String>();
        for (String jar : CLASS_PATHS.get(application).split(File.pathSeparator, -1)) {
            Path version = Path.of(jar).getParent();
            names.add(version.getParent().getFileName() + ": " + Path.of(jar).getFileName().toString().replace("-" + version.getFileName(), ""));
        }
        return names;
    }

    @Test
    void anApplicationOfWebFluxKeepsAllThatItHadWithoutUs() {
        assertThat(artifacts(WEBFLUX)).anyMatch(name -> name.startsWith("netty-codec-native-quic: "));
        assertThat(artifacts(WEBFLUX_WITH_US)).containsAll(artifacts(WEBFLUX)).anyMatch(name -> name.startsWith("reactive-informer: "));
    }
}
