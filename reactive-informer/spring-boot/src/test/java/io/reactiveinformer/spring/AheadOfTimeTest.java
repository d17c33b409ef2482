package io.reactiveinformer.spring;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** What Boot's build makes of an application for a native image: its generated classes are compiled and run here, on the JVM. */
@Timeout(120)
class AheadOfTimeTest {

    private static final String MODELS = V1ObjectMeta.class.getPackageName() + ".";

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        ReactiveInformerAutoConfiguration.class,
        InformerMetricsAutoConfiguration.class,
        InformerObservationAutoConfiguration.class,
        InformerJsonAutoConfiguration.class,
        InformersHealthAutoConfiguration.class,
        InformersEndpointAutoConfiguration.class,
        InformersInfoAutoConfiguration.class
    })
    static class Application {

        public static void main(String[] arguments) {
            SpringApplication.run(Application.class, arguments);
        }

        @Bean
        Informer<PartialObjectMetadata> claims(InformerFactory informers) {
            return informers.of(ResourceType.metadata("", "v1", "persistentvolumeclaims"));
        }

        @Bean
        Supplier<List<ObjectKey>> shop(Informer<V1Pod> pods) {
            return () -> pods.lister().keys();
        }

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        ObservationRegistry observations() {
            return ObservationRegistry.create();
        }
    }

    @Test
    void theGeneratedApplicationHasItsInformersAndTellsWhatTheyRead(@TempDir Path directory) throws Exception {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        try (FakeApiServer server = FakeApiServer.create().start()) {
            BuiltApplication built = BuiltApplication.build(directory, Application.class, "--spring.main.banner-mode=off",
                    "--spring.main.web-application-type=none", "--reactive-informer.informers.pods.type=V1Pod",
                            "--management.endpoints.web.exposure.include=informers",
                    "--management.info.informers.enabled=true");
            server.objects()
                    .create("{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}, spec: {containers: [{name: main, image: "
                    + "i}]}}");
            runs(built, server);
            tellsWhatIsRead(new JsonMapper().readTree(built.reachabilityMetadata().toFile()));
        } finally {
            System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
        }
    }

    /** Which cluster, and how long to wait, is said where it runs. */
    private static void runs(BuiltApplication built, FakeApiServer server) throws ReflectiveOperationException {
        var environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", Map.of(
                "reactive-informer.informers.pods.type", "V1Pod", "reactive-informer.url",
                server.url().toString(), "reactive-informer.wait-for-sync", "30s")));
        try (var application = new GenericApplicationContext()) {
            application.setClassLoader(built);
            application.setEnvironment(environment);
            built.initializer().initialize(application);
            application.refresh();
            assertThat(application.getBean(Supplier.class).get()).isEqualTo(List.of(ObjectKey.of("shop", "web")));
            assertThat(application.getBeanNamesForType(Informer.class)).containsExactlyInAnyOrder("podsInformer", "claims");
            assertThat(application.getBean(MeterRegistry.class).get("informer.objects").tag("informer", "pods.v1 in all namespaces")
                    .gauge().value()).isEqualTo(1);
            assertThat(application.containsBean("informersHealthIndicator")).isTrue();
            assertThat(application.containsBean("informersEndpoint")).isTrue();
            assertThat(application.containsBean("informersInfoContributor")).isTrue();
        }
    }

    private static void tellsWhatIsRead(JsonNode metadata) {
        Map<String, JsonNode> reflected = new LinkedHashMap<>();
        metadata.path("reflection").forEach(entry -> reflected.put(entry.path("type").asString(), entry));
        Set<String> read = modelsOf(V1Pod.class, new TreeSet<>());
        assertThat(read).contains(MODELS + "V1ResourceRequirements").hasSizeGreaterThan(50);
        assertThat(reflected.keySet().stream().filter(type -> type.startsWith(MODELS)).collect(Collectors.toSet())).isEqualTo(read);
        read.add(PartialObjectMetadata.class.getName());
        read.add("io.kubernetes.client.custom.Quantity");
        assertThat(read).allSatisfy(type -> {
            assertThat(reflected).containsKey(type);
            assertThat(reflected.get(type).path("allDeclaredFields").asBoolean()).isTrue();
            assertThat(reflected.get(type).path("allDeclaredConstructors").asBoolean()).isTrue();
        });
    }

    /** All that a pod is made of, as its fields tell. */
    private static Set<String> modelsOf(Type type, Set<String> found) {
        if (type instanceof ParameterizedType generic) {
            List.of(generic.getActualTypeArguments()).forEach(argument -> modelsOf(argument, found));
        } else if (type instanceof Class<?> model && model.getName().startsWith(MODELS) && found.add(model.getName())) {
            for (Field field : model.getDeclaredFields()) {
                modelsOf(field.getGenericType(), found);
            }
        }
        return found;
    }
}
