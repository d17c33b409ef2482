package io.reactiveinformer.cloud;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Secret;
import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.config.ConfigException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.bootstrap.BootstrapRegistry.InstanceSupplier;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.config.ConfigDataResourceNotFoundException;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.cloud.context.config.annotation.RefreshScope;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.cloud.context.refresh.ContextRefresher;
import org.springframework.cloud.context.scope.refresh.RefreshScopeRefreshedEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import reactor.core.Disposable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Properties of ConfigMaps and Secrets, at the start and after changes, in whole applications. */
@Timeout(120)
class KubernetesConfigTest {

    private static final ResourceType<V1ConfigMap> CONFIGMAP = ResourceType.of(V1ConfigMap.class);
    private static final ResourceType<V1Secret> SECRET = ResourceType.of(V1Secret.class);
    private static final ObjectKey APP = ObjectKey.of("shop", "app");
    private static final ObjectKey DB = ObjectKey.of("shop", "db");

    /** What could print properties. */
    private static final List<String> TRACED = List.of("org.springframework.core.env", "org.springframework.boot.context.config",
            "org.springframework.cloud", "io.reactiveinformer");

    private final FakeApiServer server = FakeApiServer.create().start();

    private final PrintStream console = System.out;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream() {
        @Override
        public synchronized void write(byte[] bytes, int from, int length) {
            super.write(bytes, from, length);
            notifyAll();
        }
    };

    @BeforeEach
    void capture() {
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8)); // where Spring Boot's logging writes to
    }

    @AfterEach
    void close() {
        System.setOut(console);
        LoggingSystem logging = LoggingSystem.get(KubernetesConfigTest.class.getClassLoader());
        TRACED.forEach(name -> logging.setLogLevel(name, null));
        server.close();
    }

    private String output() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableConfigurationProperties(Rebound.class)
    static class Application {

        final LinkedTransferQueue<Set<String>> changes = new LinkedTransferQueue<>();
        final LinkedTransferQueue<Object> refreshes = new LinkedTransferQueue<>();

        @Bean
        @RefreshScope
        Made made(@Value("${greeting.text:none}") String text) {
            return new Made(text);
        }

        @EventListener
        void changed(EnvironmentChangeEvent event) {
            changes.add(event.getKeys());
        }

        @EventListener
        void refreshed(RefreshScopeRefreshedEvent event) {
            refreshes.add(event);
        }

        /** The keys that one refresh changed, when all beans have them. */
        Set<String> refreshed() throws InterruptedException {
            assertThat(refreshes.poll(30, TimeUnit.SECONDS)).as("a refresh").isNotNull();
            return changes.remove();
        }
    }

    @ConfigurationProperties("greeting")
    static class Rebound {

        private String text = "none";
        private int times;

        public String getText() {
            return text;
        }

        public void setText(String text) {
            this.text = text;
        }

        public int getTimes() {
            return times;
        }

        public void setTimes(int times) {
            this.times = times;
        }
    }

    static class Made {

        private final String text;

        Made(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    private ConfigurableApplicationContext start(String imports, String... properties) {
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.config.import=" + imports, "--spring.main.banner-mode=off", "--reactive-informer.url=" + server.url(),
                "--reactive-informer.cloud.enabled=false"));
        List.of(properties).forEach(property -> arguments.add("--" + property));
        return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
                .properties("reactive-informer.cloud.refresh-delay=20ms").run(arguments.toArray(String[]::new));
    }

    private static Map<String, Object> configMap(ObjectKey key, Map<String, String> data) {
        return Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("namespace", "shop", "name", key.name()), "data", data);
    }

    private static Map<String, Object> secret(ObjectKey key, Map<String, String> data) {
        Map<String, String> encoded = new HashMap<>();
        data.forEach((name, value) -> encoded.put(name, encoded(value)));
        return Map.of("apiVersion", "v1", "kind", "Secret", "metadata", Map.of("namespace", "shop", "name", key.name()), "data", encoded);
    }

    private static String encoded(String value) {
        return Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8));
    }

    private void put(ResourceType<?> type, ObjectKey key, String entry, String value) {
        server.objects().edit(type, key, object -> {
            ((ObjectNode) object.get("data")).put(entry, value);
            return object;
        });
    }

    private void greet(String text) {
        put(CONFIGMAP, APP, "greeting.text", text);
    }

    private static String property(ConfigurableApplicationContext context, String name) {
        return context.getEnvironment().getProperty(name);
    }

    private static Application application(ConfigurableApplicationContext context) {
        return context.getBean(Application.class);
    }

    private static String text(ConfigurableApplicationContext context) {
        assertThat(context.getBean(Made.class).text()).isEqualTo(context.getBean(Rebound.class).getText());
        return context.getBean(Rebound.class).getText();
    }

    @Test
    void allEntriesArePropertiesBeforeThereAreBeans() {
        server.objects().create(configMap(APP, Map.of(
                "application.yaml", "a: yaml\nb: yaml\nc: yaml\nd: yaml\n---\nspring.config.activate.on-profile: prod\na: document of prod",
                "application.properties", "b=properties\nc=properties\nd=properties",
                "application-prod.yml", "c: file of prod\nd: file of prod",
                "application-test.yml", "c: file of test",
                "greeting.text", "hello",
                "logback.xml", "<configuration/>")));
        server.objects().create(configMap(ObjectKey.of("shop", "app-prod"), Map.of("d", "map of prod")));
        server.objects().create(secret(DB, Map.of("db.password", "pässword", "application.properties", "db.user=ada")));
        try (var context = start("kubernetes:configmap/shop/app,kubernetes:secret/shop/db", "spring.profiles.active=prod")) {
            assertThat(text(context)).isEqualTo("hello");
            assertThat(List.of("a", "b", "c", "d", "db.user", "db.password", "logback.xml")).extracting(name -> property(context, name))
                    .containsExactly(
                            "document of prod", "properties", "file of prod", "map of prod", "ada", "pässword", "<configuration/>");
            assertThat(property(context, "application-test.yml")).as("of a profile that is not active").isNull();
        }
    }

    @Test
    void theNamespaceIsTheOwnOneByDefault() {
        server.objects().create(Map.of("apiVersion", "v1", "kind", "ConfigMap",
                "metadata", Map.of("namespace", "default", "name", "app"), "data", Map.of("greeting.text", "own")));
        try (var context = start("kubernetes:configmap/app")) {
            assertThat(text(context)).isEqualTo("own");
        }
    }

    @Test
    void theClusterIsThatOfAKubeconfigOrOfTheBootstrapRegistry(@TempDir Path directory) throws Exception {
        server.objects().create(configMap(APP, Map.of("greeting.text", "hello")));
        Path kubeconfig = Files.writeString(directory.resolve("config"), server.kubeconfig());
        String[] arguments = {"--spring.config.import=kubernetes:configmap/shop/app", "--reactive-informer.cloud.enabled=false"};
        var builder = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE);
        try (var context = builder.properties("reactive-informer.kubeconfig=" + kubeconfig).run(arguments)) {
            assertThat(text(context)).isEqualTo("hello");
        }
        builder = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE).addBootstrapRegistryInitializer(
                registry -> registry.register(ClusterConfig.class, InstanceSupplier.of(ClusterConfig.of(server.url()))));
        try (var context = builder.run(arguments)) {
            assertThat(text(context)).isEqualTo("hello");
        }
    }

    @Test
    void aChangeIsRefreshedWithoutARequest() throws Exception {
        server.objects().create(configMap(APP, Map.of("greeting.text", "one")));
        server.objects().create(configMap(ObjectKey.of("shop", "other"), Map.of("greeting.text", "other")));
        server.objects().create(secret(DB, Map.of("greeting.times", "1")));
        try (var context = start("kubernetes:configmap/shop/app,kubernetes:secret/shop/db")) {
            for (String kind : List.of("configmaps", "secrets")) {
                server.requests().await(request -> request.uri().contains(kind) && request.uri().contains("watch="), Duration.ofSeconds(30))
                        .block();
            }
            List<ApiRequest> before = server.requests().all();
            assertThat(before.stream().filter(ApiRequest::isResource)).hasSize(4).allSatisfy(request -> assertThat(request.uri())
                    .matches(".*/namespaces/shop/(configmaps|secrets)\\?.*fieldSelector=metadata.name%3D(app|db).*"));
            for (int change = 0; change < 5; change++) {
                greet("change " + change);
                assertThat(application(context).refreshed()).containsExactly("greeting.text");
                assertThat(text(context)).isEqualTo("change " + change);
                put(SECRET, DB, "greeting.times", encoded("" + change + 2));
                assertThat(application(context).refreshed()).containsExactly("greeting.times");
                assertThat(context.getBean(Rebound.class).getTimes()).isEqualTo(change * 10 + 2);
            }
            assertThat(server.requests().all()).as("requests for ten refreshes").hasSize(before.size());
        }
    }

    @Test
    void changesWithinTheDelayAreOneRefresh() throws Exception {
        server.objects().create(configMap(APP, Map.of("greeting.text", "one", "x", "1")));
        server.objects().create(secret(DB, Map.of("y", "1")));
        try (var context = start("kubernetes:configmap/shop/app,kubernetes:secret/shop/db", "reactive-informer.cloud.refresh-delay=3s")) {
            greet("two");
            put(CONFIGMAP, APP, "x", "2");
            put(SECRET, DB, "y", encoded("2"));
            assertThat(application(context).refreshed()).containsExactlyInAnyOrder("greeting.text", "x", "y");
            greet("three");
            assertThat(application(context).refreshed()).containsExactly("greeting.text");
        }
    }

    @Test
    void whatIsNoPropertyCausesNoRefresh() throws Exception {
        server.objects().create(configMap(APP, Map.of("greeting.text", "one")));
        try (var context = start("kubernetes:configmap/shop/app")) {
            server.objects().edit(CONFIGMAP, APP, object -> {
                ((ObjectNode) object.get("metadata")).putObject("labels").put("a", "b");
                return object;
            });
            greet("two");
            assertThat(application(context).refreshed()).containsExactly("greeting.text");
            greet("three");
            assertThat(application(context).refreshed()).containsExactly("greeting.text");
            assertThat(application(context).refreshes).isEmpty();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Late {

        Late(FakeApiServer server) {
            server.objects().edit(CONFIGMAP, APP, object -> {
                ((ObjectNode) object.get("data")).put("greeting.text", "two");
                return object;
            });
        }
    }

    @Test
    void aChangeDuringTheStartIsNotMissed() throws Exception {
        server.objects().create(configMap(APP, Map.of("greeting.text", "one")));
        var builder = new SpringApplicationBuilder(Application.class, Late.class).web(WebApplicationType.NONE)
                .initializers(context -> context.getBeanFactory().registerSingleton("server", server));
        try (var context = builder.run("--spring.config.import=kubernetes:configmap/shop/app", "--reactive-informer.url=" + server.url(),
                "--reactive-informer.cloud.refresh-delay=20ms", "--reactive-informer.cloud.enabled=false")) {
            assertThat(application(context).refreshed()).containsExactly("greeting.text");
            assertThat(text(context)).isEqualTo("two");
        }
    }

    @Test
    void badYamlKeepsTheLastGoodPropertiesAndPrintsNoValue() throws Exception {
        server.objects().create(secret(DB, Map.of("application.yaml", "greeting:\n  text: hush-1\n", "x", "1")));
        try (var context = start("kubernetes:secret/shop/db",
                TRACED.stream().map(name -> "logging.level." + name + "=trace").toArray(String[]::new))) {
            assertThat(text(context)).isEqualTo("hush-1");
            put(SECRET, DB, "application.yaml", encoded("greeting:\n  text: hush-2: hush-3\n"));
            application(context).refreshed();
            assertThat(text(context)).isEqualTo("hush-1");
            assertThat(output()).containsOnlyOnce("cannot parse application.yaml of Secret shop/db, line 2, column 15")
                    .contains("The last good properties stay");
            put(SECRET, DB, "application.yaml", encoded("greeting:\n  text: hush-4\n  times: hush-5\n"));
            await("the refresh after a change of [Secret shop/db] failed");
            put(SECRET, DB, "application.yaml", encoded("greeting:\n  text: hush-6\n  times: 7\n"));
            application(context).refreshed();
            assertThat(text(context)).isEqualTo("hush-6");
            assertThat(output()).doesNotContain("hush-").doesNotContain(encoded("greeting:\n  text: hush-6\n  times: 7\n"));
        }
    }

    @Test
    void anEntryThatExpandsTooFarKeepsTheLastGoodProperties() throws Exception {
        server.objects().create(configMap(APP, Map.of("application.yml", "greeting:\n  text: one\n")));
        try (var context = start("kubernetes:configmap/shop/app")) {
            put(CONFIGMAP, APP, "application.yml", ConfigLimitsTest.sevenAliasesInEachOf(5));
            application(context).refreshed();
            assertThat(text(context)).isEqualTo("one");
            assertThat(output()).containsOnlyOnce("does not use application.yml of ConfigMap shop/app: more than 20,000 properties. "
                    + "The last good properties stay");
            put(CONFIGMAP, APP, "application.yml", "a: &a\n  b: [1, 2]\nc: *a\ngreeting:\n  <<: {text: two}\n");
            application(context).refreshed();
            assertThat(text(context)).isEqualTo("two");
            assertThat(property(context, "c.b[1]")).isEqualTo("2");
        }
        put(CONFIGMAP, APP, "application.yml", ConfigLimitsTest.sevenAliasesInEachOf(9));
        assertThatThrownBy(() -> start("kubernetes:configmap/shop/app")).isInstanceOf(ConfigNotReadException.class);
    }

    /** Each of thirty lines doubles what it stands for. */
    @Test
    void placeholdersThatExpandTooFarKeepTheLastGoodProperties() throws Exception {
        server.objects().create(configMap(APP, Map.of("application.properties", "greeting.text=one\n")));
        try (var context = start("kubernetes:configmap/shop/app")) {
            String lines = IntStream.range(0, 30).mapToObj(at -> "l" + at + "=${l" + (at + 1) + "}${l" + (at + 1) + "}\n")
                    .collect(Collectors.joining());
            put(CONFIGMAP, APP, "application.properties", "greeting.text=${l0}\n" + lines + "l30=x\n");
            application(context).refreshed();
            assertThat(text(context)).isEqualTo("one");
            assertThat(output()).containsOnlyOnce("does not use ConfigMap shop/app: more than 8,388,608 characters with the placeholders "
                    + "replaced. The last good properties stay");
            put(CONFIGMAP, APP, "application.properties", "greeting.text=${l0} and ${l0}\nl0=two\n");
            application(context).refreshed();
            assertThat(text(context)).isEqualTo("two and two");
        }
    }

    @Test
    void filesOfPropertiesAreUtf8() {
        String text = "a=grüß dich\nb=\u0142ód\u017a żółw\nschlüssel=日本\\語\nc=\\u00fc \ud83d\ude00\nd=\\\\ł\n";
        server.objects().create(configMap(APP, Map.of("application.properties", text)));
        server.objects().create(secret(DB, Map.of("application.properties", text)));
        server.objects().create(Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("namespace", "shop", "name", "binary"),
                "binaryData", Map.of("application.properties", encoded(text), "logo.png", "iVBORw0KGgo=")));
        for (String imported : List.of("configmap/shop/app", "secret/shop/db", "configmap/shop/binary")) {
            try (var context = start("kubernetes:" + imported)) {
                assertThat(List.of("a", "b", "schlüssel", "c", "d")).as(imported).extracting(name -> property(context, name))
                        .containsExactly("grüß dich", "łódź żółw", "日本語", "ü 😀", "\\ł");
                assertThat(property(context, "logo.png")).isNull();
            }
        }
    }

    @Test
    void aFileThatIsNotUtf8IsNamed() {
        server.objects().create(Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("namespace", "shop", "name", "app"),
                "binaryData", Map.of("application.properties",
                        Base64.getEncoder().encodeToString("a=grüß".getBytes(StandardCharsets.ISO_8859_1)))));
        assertThatThrownBy(() -> start("kubernetes:configmap/shop/app"))
                .hasMessageContaining("cannot parse application.properties of ConfigMap shop/app: it is not UTF-8");
    }

    private void await(String text) throws InterruptedException {
        synchronized (printed) {
            while (!output().contains(text)) {
                printed.wait();
            }
        }
    }

    @Test
    void aFileThatShrinksLeavesNoProperty() throws Exception {
        server.objects().create(configMap(APP, Map.of("application.yaml", "greeting.text: one\n---\nx: 1\n---\ny: 1")));
        try (var context = start("kubernetes:configmap/shop/app")) {
            put(CONFIGMAP, APP, "application.yaml", "greeting.text: two");
            assertThat(application(context).refreshed()).containsExactlyInAnyOrder("greeting.text", "x", "y");
            assertThat(property(context, "x")).isNull();
        }
    }

    @Test
    void aDeletedRequiredMapKeepsItsPropertiesAnOptionalOneLosesThem() throws Exception {
        server.objects().create(configMap(APP, Map.of("greeting.text", "one")));
        server.objects().create(secret(DB, Map.of("greeting.times", "1")));
        try (var context = start("kubernetes:configmap/shop/app,optional:kubernetes:secret/shop/db")) {
            server.objects().delete(SECRET, DB);
            assertThat(application(context).refreshed()).containsExactly("greeting.times");
            server.objects().delete(CONFIGMAP, APP);
            assertThat(application(context).refreshed()).isEmpty();
            assertThat(text(context)).isEqualTo("one");
            assertThat(output()).contains("ConfigMap shop/app was deleted: its last properties stay");
            server.objects().create(configMap(APP, Map.of("greeting.text", "two")));
            assertThat(application(context).refreshed()).containsExactly("greeting.text");
            assertThat(text(context)).isEqualTo("two");
        }
    }

    @Test
    void aCutKeepsThePropertiesAndAppliesWhatWasMissed() throws Exception {
        server.objects().create(configMap(APP, Map.of("greeting.text", "one")));
        try (var context = start("kubernetes:configmap/shop/app")) {
            var refused = server.faults().onAny().always().refuse();
            server.restart();
            refused.happened(Duration.ofSeconds(30)).block();
            greet("two");
            assertThat(text(context)).isEqualTo("one");
            assertThat(application(context).refreshes).isEmpty();
            server.faults().clear();
            assertThat(application(context).refreshed()).containsExactly("greeting.text");
            assertThat(text(context)).isEqualTo("two");
        }
    }

    @Test
    void anAbsentMapFailsTheStartUnlessItIsOptional() throws Exception {
        assertThatThrownBy(() -> start("kubernetes:configmap/shop/app")).isInstanceOf(ConfigDataResourceNotFoundException.class)
                .hasMessageContaining("ConfigMap shop/app");
        try (var context = start("optional:kubernetes:configmap/shop/app")) {
            assertThat(text(context)).isEqualTo("none");
            server.objects().create(configMap(APP, Map.of("greeting.text", "one")));
            assertThat(application(context).refreshed()).containsExactly("greeting.text");
            assertThat(text(context)).isEqualTo("one");
        }
    }

    @Test
    void aMapThatCannotBeReadFailsTheStartUnlessItIsOptional() throws Exception {
        server.objects().create(configMap(APP, Map.of("greeting.text", "one")));
        server.access().user("weak", "weak");
        String[] weak = {"reactive-informer.token=weak", "reactive-informer.cloud.first-list-timeout=4s"}; // all of it passes
        assertThatThrownBy(() -> start("kubernetes:configmap/shop/app", weak)).isInstanceOf(ConfigNotReadException.class)
                .hasMessageContaining("cannot read ConfigMap shop/app").hasMessageContaining("403");
        assertThat(output()).contains("Correct the cause, or import it with the prefix optional:");
        try (var context = start("optional:kubernetes:configmap/shop/app", weak)) {
            assertThat(output()).contains("starts without the properties of ConfigMap shop/app").contains("403");
            assertThat(text(context)).isEqualTo("none");
            server.access().allow("weak", "*", "*", null);
            assertThat(application(context).refreshed()).containsExactly("greeting.text");
            assertThat(text(context)).isEqualTo("one");
        }
    }

    @Test
    void whatIsWrongAtTheStartIsNamed() {
        server.objects().create(configMap(APP, Map.of("application.yaml", "a: b: hush")));
        assertThatThrownBy(() -> start("kubernetes:configmap/shop/app"))
                .hasMessageContaining("cannot parse application.yaml of ConfigMap shop/app, line 1");
        assertThat(output()).contains("Correct this entry.").doesNotContain("hush");
        for (String wrong : List.of("kubernetes:", "kubernetes:pod/app", "kubernetes:configmap/a/b/c")) {
            assertThatThrownBy(() -> start(wrong)).isInstanceOf(ConfigNotReadException.class).hasMessageContaining(wrong);
        }
    }

    @Test
    void withoutAClusterOnlyAnOptionalImportStarts(@TempDir Path directory) {
        Supplier<SpringApplicationBuilder> builder = () -> new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
                .properties("reactive-informer.kubeconfig=" + directory.resolve("absent"), "reactive-informer.wait-for-kubeconfig=true",
                        "reactive-informer.cloud.enabled=false");
        assertThatThrownBy(() -> builder.get().run("--spring.config.import=kubernetes:configmap/app"))
                .isInstanceOf(ConfigException.class);
        try (var context = builder.get().run("--spring.config.import=optional:kubernetes:configmap/app")) {
            assertThat(text(context)).isEqualTo("none");
            assertThat(output()).contains("since no cluster is configured");
        }
    }

    @Test
    void withoutInformersNothingIsRead() {
        try (var context = start("kubernetes:configmap/shop/app", "reactive-informer.enabled=false")) {
            assertThat(context.getBeansOfType(WatchedConfig.class)).isEmpty();
            assertThat(text(context)).isEqualTo("none");
            assertThat(server.requests().all()).isEmpty();
        }
    }

    @Test
    void theInformersEndWithTheApplicationAndWithAFailedStart() throws Exception {
        server.objects().create(configMap(APP, Map.of("greeting.text", "one")));
        Set<Thread> before = threads();
        var context = start("kubernetes:configmap/shop/app", "reactive-informer.auto-startup=false");
        assertThat(since(before)).isNotEmpty();
        context.close();
        awaitEnd(before);
        assertThatThrownBy(() -> start("kubernetes:configmap/shop/app,classpath:absent.yaml")).hasMessageContaining("absent.yaml");
        awaitEnd(before);
    }

    @Test
    void allImportsTogetherWaitNoLongerThanTheTimeout() {
        server.faults().onAny().always().refuse();
        long begin = System.nanoTime();
        try (var context = start("optional:kubernetes:configmap/shop/app,optional:kubernetes:secret/shop/db", "spring.profiles.active=prod",
                "reactive-informer.cloud.first-list-timeout=4s")) {
            assertThat(text(context)).isEqualTo("none");
            assertThat(output().split("starts without the properties of", -1)).as("six sources").hasSize(7);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(20));
        }
    }

    @Test
    void aRefreshThatFailsIsTriedAgainWithABackoff(@TempDir Path directory) throws Exception {
        Path other = Files.writeString(directory.resolve("other.yaml"), "x: 1");
        server.objects().create(configMap(APP, Map.of("greeting.text", "one")));
        var time = VirtualTimeScheduler.create();
        try (var context = start("kubernetes:configmap/shop/app,file:" + other)) {
            ConfigRefresh refresh = refresh(context, time, Duration.ofSeconds(10));
            var arrived = new CountDownLatch(1);
            context.getBean(WatchedConfig.class).onChange(arrived::countDown);
            greet("two");
            arrived.await();
            Files.writeString(other, "x: 'hush");
            refresh.onApplicationEvent(ready(context));
            for (int seconds : new int[] {10, 10, 20, 40, 60, 60}) {
                int before = failures();
                time.advanceTimeBy(Duration.ofSeconds(seconds).minusNanos(1));
                assertThat(failures()).isEqualTo(before);
                time.advanceTimeBy(Duration.ofNanos(1));
                assertThat(failures()).isEqualTo(before + 1);
            }
            assertThat(text(context)).isEqualTo("one");
            assertThat(output()).doesNotContain("hush");
            Files.writeString(other, "x: 2");
            time.advanceTimeBy(Duration.ofMinutes(1));
            assertThat(application(context).refreshed()).containsExactlyInAnyOrder("greeting.text", "x");
            assertThat(text(context)).isEqualTo("two");
            time.advanceTimeBy(Duration.ofMinutes(5));
            assertThat(application(context).refreshes).as("refreshes after one that succeeded").isEmpty();
        }
    }

    /** Each change while refreshes failed doubled the pause, waited or not. */
    @Test
    void aChangeWhileRefreshesFailDoesNotLengthenThePause(@TempDir Path directory) throws Exception {
        Path other = Files.writeString(directory.resolve("other.yaml"), "x: 1");
        server.objects().create(configMap(APP, Map.of("greeting.text", "one")));
        var time = VirtualTimeScheduler.create();
        try (var context = start("kubernetes:configmap/shop/app,file:" + other)) {
            ConfigRefresh refresh = refresh(context, time, Duration.ofSeconds(10));
            var arrived = new CountDownLatch(1);
            context.getBean(WatchedConfig.class).onChange(arrived::countDown);
            greet("two");
            arrived.await();
            Files.writeString(other, "x: 'hush");
            refresh.onApplicationEvent(ready(context));
            time.advanceTimeBy(Duration.ofSeconds(21)); // the first try and the second; the third follows after 20 s
            int before = failures();
            refresh.onApplicationEvent(ready(context)); // a further change
            time.advanceTimeBy(Duration.ofSeconds(11));
            assertThat(failures()).as("tries after a change").isEqualTo(before + 1);
            time.advanceTimeBy(Duration.ofSeconds(8));
            assertThat(failures()).as("the third").isEqualTo(before + 2);
            time.advanceTimeBy(Duration.ofSeconds(40));
            assertThat(failures()).as("40 s after it").isEqualTo(before + 3);
        }
    }

    private int failures() {
        return output().split("the refresh after a change of \\[ConfigMap shop/app] failed", -1).length - 1;
    }

    /** Takes the place of the application's own. */
    private static ConfigRefresh refresh(ConfigurableApplicationContext context, Scheduler scheduler, Duration delay) {
        return new ConfigRefresh(context.getBean(WatchedConfig.class), context.getBean(ContextRefresher.class), delay, scheduler);
    }

    private static ApplicationReadyEvent ready(ConfigurableApplicationContext context) {
        return new ApplicationReadyEvent(new SpringApplication(Application.class), new String[0], context, Duration.ZERO);
    }

    /** Refuses the first task. */
    private static final class FullScheduler implements Scheduler {

        private final AtomicBoolean refused = new AtomicBoolean();

        @Override
        public Disposable schedule(Runnable task) {
            return Schedulers.boundedElastic().schedule(task);
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            if (refused.compareAndSet(false, true)) {
                throw Exceptions.failWithRejected();
            }
            return Schedulers.boundedElastic().schedule(task, delay, unit);
        }

        @Override
        public Worker createWorker() {
            return Schedulers.boundedElastic().createWorker();
        }
    }

    @Test
    void aTaskThatIsRefusedDoesNotEndRefreshes() throws Exception {
        server.objects().create(configMap(APP, Map.of("greeting.text", "one")));
        try (var context = start("kubernetes:configmap/shop/app")) {
            refresh(context, new FullScheduler(), Duration.ofMillis(20)).onApplicationEvent(ready(context));
            greet("two");
            await("no refresh until the next change");
            greet("three");
            assertThat(application(context).refreshed()).containsExactly("greeting.text");
            assertThat(text(context)).isEqualTo("three");
        }
    }

    @Test
    void whatIsNoLongerImportedIsNoLongerWatched(@TempDir Path directory) throws Exception {
        Path other = Files.writeString(directory.resolve("other.yaml"), "spring.config.import: kubernetes:secret/shop/db");
        server.objects().create(configMap(APP, Map.of("greeting.text", "one")));
        server.objects().create(secret(DB, Map.of("x", "1")));
        try (var context = start("kubernetes:configmap/shop/app,file:" + other)) {
            WatchedConfig config = context.getBean(WatchedConfig.class);
            assertThat(config.sources()).hasSize(2);
            Files.writeString(other, "x: 2");
            greet("two");
            application(context).refreshed();
            Mono.fromSupplier(config.sources()::size).filter(size -> size == 1)
                    .repeatWhenEmpty(more -> more.delayElements(Duration.ofMillis(10))).block(Duration.ofSeconds(30));
            put(SECRET, DB, "x", encoded("3"));
            greet("three");
            assertThat(application(context).refreshed()).containsExactly("greeting.text");
            assertThat(config.stale()).isEmpty();
        }
    }

    @Test
    void aMandatoryImportWinsOverAnOptionalOne() {
        for (String imports : List.of("optional:kubernetes:configmap/shop/app,kubernetes:configmap/shop/app",
                "kubernetes:configmap/shop/app,optional:kubernetes:configmap/shop/app")) {
            assertThatThrownBy(() -> start(imports)).as(imports).isInstanceOf(ConfigDataResourceNotFoundException.class);
        }
        server.faults().onAny().always().refuse();
        assertThatThrownBy(() -> start("optional:kubernetes:configmap/shop/app,kubernetes:configmap/shop/app",
                "reactive-informer.cloud.first-list-timeout=700ms")).isInstanceOf(ConfigNotReadException.class);
    }

    @Test
    void aheadOfTimeProcessingReadsNothing() {
        try (var context = start("kubernetes:configmap/shop/app", "spring.aot.processing=true")) {
            assertThat(context.getBeansOfType(WatchedConfig.class)).isEmpty();
            assertThat(server.requests().all()).isEmpty();
        }
    }

    @Test
    void theInformersEndWithAContextThatNoApplicationStarted() throws Exception {
        server.objects().create(configMap(APP, Map.of("greeting.text", "one")));
        Set<Thread> before = threads();
        try (var context = new AnnotationConfigApplicationContext()) {
            TestPropertyValues.of("spring.config.import=kubernetes:configmap/shop/app", "reactive-informer.url=" + server.url())
                    .applyTo(context);
            new ConfigDataApplicationContextInitializer().initialize(context);
            context.refresh();
            assertThat(property(context, "greeting.text")).isEqualTo("one");
            assertThat(since(before)).isNotEmpty();
        }
        awaitEnd(before);
    }

    /** Those that would keep the JVM alive. */
    private static Set<Thread> threads() {
        return Set.copyOf(Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("reactive-informer") && !thread.isDaemon()).toList());
    }

    /** Without those of before, which may end meanwhile. */
    private static List<Thread> since(Set<Thread> before) {
        return threads().stream().filter(thread -> !before.contains(thread)).toList();
    }

    private static void awaitEnd(Set<Thread> before) throws InterruptedException {
        for (Thread thread : since(before)) {
            thread.join(30_000);
            assertThat(thread.isAlive()).as(thread.getName()).isFalse();
        }
    }
}
