package io.reactiveinformer.demo.dashboard;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.security.autoconfigure.actuate.web.reactive.EndpointRequest;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** The dashboard as a page of an application with two informers, guarded by Spring Security as its other endpoints. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class StarterPageTest {

    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final String UI = "/actuator/informers/ui";
    private static final String ENABLED = "--management.endpoint.informers.ui.enabled=true";
    private static final String OPEN = "--test.open=true";

    private final FakeApiServer server = FakeApiServer.create().start();
    private final HttpClient http = HttpClient.newHttpClient();
    private @Nullable ConfigurableApplicationContext application;

    /** The endpoint is for users with the role; the page is not mentioned. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        SecurityWebFilterChain security(ServerHttpSecurity http, Environment environment) {
            boolean open = environment.getProperty("test.open", Boolean.class, false);
            return http.authorizeExchange(exchange -> {
                if (open) {
                    exchange.anyExchange().permitAll();
                } else {
                    exchange.matchers(EndpointRequest.to("informers")).hasRole("OPERATOR").anyExchange().permitAll();
                }
            }).httpBasic(Customizer.withDefaults()).build();
        }

        @Bean
        @ConditionalOnBooleanProperty("test.plain")
        Informer<JsonNode> plainSecrets(InformerFactory informers) {
            return informers.of(ResourceType.dynamic("", "v1", "secrets"));
        }

        @Bean
        MapReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(
                    User.withUsername("operator").password("{noop}o").roles("OPERATOR").build(),
                    User.withUsername("guest").password("{noop}g").roles("GUEST").build());
        }
    }

    @BeforeAll
    static void keepTheLoggingOfTheTests() {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
    }

    @AfterEach
    void close() {
        if (application != null) {
            application.close();
        }
        server.close();
    }

    @Test
    void isAbsentUnlessItIsEnabled() throws Exception {
        start(OPEN);
        assertThat(get("/actuator/informers").statusCode()).isEqualTo(200);
        assertThat(get(UI).statusCode()).isEqualTo(404);
        assertThat(status(UI + "/changes", "")).isEqualTo(404);
    }

    @Test
    void isAbsentWhereTheEndpointIs() throws Exception {
        start(OPEN, ENABLED, "--management.endpoints.web.exposure.exclude=informers");
        assertThat(get(UI).statusCode()).isEqualTo(404);
        assertThat(get("/actuator/health").statusCode()).isEqualTo(200);
    }

    @Test
    void isGuardedAsTheEndpointIs() throws Exception {
        start(ENABLED);
        for (String part : List.of("", "/", "/main.js", "/changes", "/object?table=Pods&key=shop/a")) {
            assertThat(status(UI + part, "")).as("nobody: %s", part).isEqualTo(401);
            assertThat(status(UI + part, "guest:g")).as("a guest: %s", part).isEqualTo(403);
            if (!part.startsWith("/object")) {
                assertThat(status(UI + part, "operator:o")).as("an operator: %s", part).isEqualTo(200);
            }
        }
    }

    @Test
    void isAtTheBasePathAndThePortOfManagement() throws Exception {
        start(OPEN, ENABLED, "--management.server.port=0", "--management.endpoints.web.base-path=/manage");
        assertThat(get(UI).statusCode()).isEqualTo(404);
        String port = Objects.requireNonNull(application).getEnvironment().getProperty("local.management.port");
        assertThat(http.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/manage/informers/ui")).build(),
                HttpResponse.BodyHandlers.ofString()).body()).contains("<title>reactive-informer</title>");
    }

    @Test
    void saysWhatItIsAndWhatItHasNot() throws Exception {
        start(OPEN, ENABLED);
        assertThat(get(UI).headers().firstValue("Content-Type")).hasValueSatisfying(type -> assertThat(type).startsWith("text/html"));
        assertThat(get(UI + "/main.js").headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/javascript"));
        assertThat(get(UI + "/nothing.js").statusCode()).isEqualTo(404);
        assertThat(get("/actuator/informers/other").statusCode()).isEqualTo(404);
        assertThat(get(UI + "/object?table=Pods&key=shop/none").statusCode()).isEqualTo(404);
        assertThat(get(UI + "/object?table=Pods&key=a/b/c").statusCode()).isEqualTo(400);
        assertThat(get(UI + "/changes?labels=app%3D(").body()).contains("app=(");
        assertThat(get("/actuator/informers").body()).startsWith("{").contains("\"description\":\"pods.v1 in all namespaces\"");
    }

    @Test
    void ofASecretItShowsTheNameOnly() throws Exception {
        server.objects().create("""
                apiVersion: v1
                kind: Secret
                metadata: {name: s, namespace: shop, labels: {label: hunter1}, annotations: {applied: hunter2}}
                stringData: {password: hunter3}
                """);
        start(OPEN, ENABLED, "--reactive-informer.informers.secrets.type=V1Secret",
                "--test.plain=true");
        try (Events events = Events.of(http, url("/actuator/informers/ui/"), "")) {
            events.awaitSynced("Secrets");
            assertThat(events.await(event -> event.isRow("Secrets", "shop/s")).data().path("name").asString()).isEqualTo("s");
            List<String> tables = events.await(event -> event.name().equals("hello")).data().path("tables").valueStream()
                    .map(table -> table.path("name").asString()).filter(name -> name.toLowerCase(Locale.ROOT).contains("secrets"))
                    .toList();
            assertThat(tables).hasSize(2);
            for (String table : tables) {
                events.awaitSynced(table);
                String yaml = get(UI + "/object?key=shop/s&table=" + table.replace(" ", "%20").replace("#", "%23")).body();
                assertThat(yaml).contains("name: s").doesNotContain("hunter").doesNotContain("aHVudGVyMw");
            }
            assertThat(events.soFar().toString()).doesNotContain("hunter").doesNotContain("aHVudGVyMw");
        }
    }

    @Test
    void anOptionalInformerIsSaidToBeOptional() throws Exception {
        start(OPEN, ENABLED, "--reactive-informer.informers.widgets.type=tools.jackson.databind.JsonNode",
                "--reactive-informer.informers.widgets.group=example.com", "--reactive-informer.informers.widgets.version=v1",
                "--reactive-informer.informers.widgets.plural=widgets", "--reactive-informer.informers.widgets.optional=true");
        try (Events events = Events.of(http, url("/actuator/informers/ui/"), "")) {
            JsonNode pulse = events.await(event -> event.name().equals("pulse") && event.data().path("informers").valueStream()
                    .anyMatch(one -> one.path("state").asString().equals("DISRUPTED"))).data();
            assertThat(pulse.path("informers").valueStream().filter(one -> one.path("optional").asBoolean())
                    .map(one -> one.path("description").asString())).containsExactly("widgets.v1.example.com in all namespaces");
        }
    }

    @Test
    void anOpenPageDoesNotDelayTheStop() throws Exception {
        start(OPEN, ENABLED);
        HttpResponse<Stream<String>> stream = http.send(
                HttpRequest.newBuilder(URI.create(url(UI + "/changes"))).build(), HttpResponse.BodyHandlers.ofLines());
        Iterator<String> lines = stream.body().iterator();
        assertThat(lines.next()).isEqualTo("event:hello");
        Objects.requireNonNull(application).close();
        lines.forEachRemaining(rest -> assertThat(rest).as("a proper end").doesNotContain("error"));
    }

    @Test
    void anOpenPageDoesNotDelayTheStopOfAManagementPort() throws Exception {
        start(OPEN, ENABLED, "--management.server.port=0");
        String port = Objects.requireNonNull(application).getEnvironment().getProperty("local.management.port");
        HttpResponse<Stream<String>> stream = http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + UI + "/changes")).build(),
                HttpResponse.BodyHandlers.ofLines());
        Iterator<String> lines = stream.body().iterator();
        assertThat(lines.next()).isEqualTo("event:hello");
        application.close();
        lines.forEachRemaining(rest -> assertThat(rest).as("a proper end").doesNotContain("error"));
    }

    @Test
    void theEndOfAChildContextIsNotItsOwn() throws Exception {
        start(OPEN, ENABLED);
        try (Events events = Events.of(http, url("/actuator/informers/ui/"), "")) {
            events.awaitSynced("Pods");
            try (var child = new GenericApplicationContext(application)) {
                child.refresh();
            }
            createPod("later");
            events.await(event -> event.isRow("Pods", "shop/later"));
        }
    }

    /** The pictures are to be looked at: {@code target/starter-*.png}. */
    @EnabledIfSystemProperty(named = "test.thorough", matches = "true", disabledReason = "a browser is slow: only with -Pthorough")
    @Test
    @Tag("long")
    void showsTheInformersOfTheApplication() throws Exception {
        createPod("a");
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: shop}, data: {colour: blue}}");
        start(OPEN, ENABLED, "--spring.application.name=shop-service");
        try (Chromium browser = Chromium.open()) {
            browser.visit(url(UI));
            browser.until("the rows", () -> !browser.text("[data-key='shop/a']").isEmpty()
                    && !browser.text("[data-key='shop/settings']").isEmpty() && browser.see(".informer.LIVE").size() == 2);
            assertThat(browser.text("#title")).isEqualTo("shop-service · this is browser-1");
            assertThat(browser.texts(".informer h3")).containsExactlyInAnyOrder("Pods", "Configmaps");
            assertThat(browser.see("#faults:not([hidden])")).as("no buttons for faults").isEmpty();
            createPod("b");
            browser.until("a change", () -> !browser.text("[data-key='shop/b']").isEmpty());
            server.objects().deleteNow(PODS, ObjectKey.of("shop", "b"));
            browser.until("a deletion", () -> browser.see("[data-key='shop/b']").isEmpty());
            browser.ask("document.querySelector('[data-key=\"shop/settings\"] button').click()");
            browser.until("the object", () -> browser.text("#yaml").contains("colour: blue"));
            browser.picture(Path.of("target/starter-details.png"), 1400, 1000, "light");
            browser.click("#close");
            for (String scheme : List.of("light", "dark")) {
                for (int width : List.of(390, 820, 1400)) {
                    browser.picture(Path.of("target/starter-" + width + "-" + scheme + ".png"), width, 900, scheme);
                    assertThat(browser.barriers()).as("%s pixels, %s", width, scheme).isEmpty();
                }
            }
            server.close();
            browser.until("what is wrong, why, and what next", () -> browser.text("#problem-list").matches(
                    "DISRUPTED: 2 informers .*cannot reach http.+ Rows may be \\d+ s old\\. Next: try \\d+ (now|in \\d+ s)\\."));
            assertThat(browser.texts("#tables .stale .note")).hasSize(2).allMatch(note -> note.matches("stale for \\d+ s"));
            browser.picture(Path.of("target/starter-disrupted.png"), 1400, 900, "light");
            browser.picture(Path.of("target/starter-disrupted-phone.png"), 390, 844, "dark");
            assertThat(browser.complaints()).isEmpty();
            browser.visit(url(UI + "/"));
            browser.until("the same with a slash", () -> browser.text("#connection").startsWith("Connected"));
            browser.reset();
        }
    }

    private void start(String... more) {
        var arguments = new ArrayList<>(List.of(
                "--server.port=0", "--spring.main.banner-mode=off", "--spring.main.web-application-type=reactive",
                "--reactive-informer.url=" + server.url(), "--reactive-informer.wait-for-sync=30s",
                "--reactive-informer.informers.pods.type=V1Pod", "--reactive-informer.informers.settings.type=V1ConfigMap",
                "--management.endpoints.web.exposure.include=health,informers"));
        arguments.addAll(List.of(more));
        application = SpringApplication.run(Application.class, arguments.toArray(String[]::new));
    }

    private void createPod(String name) {
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: " + name
                + ", namespace: shop}, spec: {containers: [{name: main, image: i}]}}");
    }

    private String url(String path) {
        return "http://127.0.0.1:" + Objects.requireNonNull(application).getEnvironment().getProperty("local.server.port") + path;
    }

    private HttpRequest.Builder request(String path, String user) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url(path))).timeout(Duration.ofMinutes(1));
        return user.isEmpty() ? request : request.header("Authorization",
                "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)));
    }

    private HttpResponse<String> get(String path) throws Exception {
        return http.send(request(path, "").build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Of an answer that need not end. */
    private int status(String path, String user) throws Exception {
        HttpResponse<Stream<String>> answer = http.send(request(path, user).build(), HttpResponse.BodyHandlers.ofLines());
        answer.body().close();
        return answer.statusCode();
    }
}
