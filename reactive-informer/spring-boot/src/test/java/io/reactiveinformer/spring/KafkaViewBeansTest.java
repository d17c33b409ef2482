package io.reactiveinformer.spring;

import io.kubernetes.client.openapi.models.V1Pod;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.ResourceEventHandler;
import io.reactiveinformer.kafka.KafkaTopic;
import io.reactiveinformer.kafka.KafkaViews;
import io.reactiveinformer.kafka.RowCodec;
import io.reactiveinformer.leader.LeaderElector;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.TestView;
import io.reactiveinformer.view.InformerStatus.State;
import io.reactiveinformer.view.View;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/** One application publishes a view, and others read it without a cluster. */
@Timeout(120)
class KafkaViewBeansTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final EmbeddedKafkaKraftBroker KAFKA = new EmbeddedKafkaKraftBroker(1, 1);
    private static final FakeApiServer SERVER = FakeApiServer.create().start();

    private final ApplicationContextRunner application = new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(
            ReactiveInformerAutoConfiguration.class, KafkaAutoConfiguration.class, InformersHealthAutoConfiguration.class,
            InformersEndpointAutoConfiguration.class, InformerMetricsAutoConfiguration.class, MetricsAutoConfiguration.class));
    private final ApplicationContextRunner reader = application
            .withPropertyValues("reactive-informer.enabled=false", "management.endpoints.web.exposure.include=informers",
                    "reactive-informer.kafka.views.pods.topic=pods",
                    "reactive-informer.kafka.views.pods.type=" + PodRow.class.getName())
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new);

    record PodRow(String node) {
        static PodRow of(V1Pod pod) {
            return new PodRow(pod.getSpec().getNodeName());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Publisher {

        @Bean
        LeaderElector election(KubernetesClient client) {
            return LeaderElector.of(client, ObjectKey.of("shop", "pods-publisher"));
        }

        @Bean(destroyMethod = "dispose")
        Disposable publication(Informer<V1Pod> pods, LeaderElector election, @Value("${shop.brokers}") String brokers) {
            View<ObjectKey, PodRow> rows = pods.map(PodRow::of);
            KafkaTopic topic = KafkaTopic.of(brokers, "pods");
            return election
                    .whileLeading(term -> KafkaViews.publish(rows, topic, RowCodec.json(PodRow.class), term.token()))
                    .subscribe();
        }
    }

    @BeforeAll
    static void start() {
        KAFKA.afterPropertiesSet();
        SERVER.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}");
        SERVER.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop},"
                + " spec: {nodeName: n1, containers: [{name: c, image: i}]}}");
    }

    @AfterAll
    static void stop() {
        KAFKA.destroy();
        SERVER.close();
    }

    private static void await(BooleanSupplier condition) {
        Flux.interval(Duration.ZERO, Duration.ofMillis(20), Schedulers.boundedElastic()).onBackpressureDrop()
                .filter(tick -> condition.getAsBoolean()).blockFirst(PATIENCE);
    }

    /** What the handler of a test has received. */
    static final class Received implements ResourceEventHandler<PodRow> {
        private final List<String> nodes = new CopyOnWriteArrayList<>();

        @Override
        public void onAdd(PodRow row, boolean initial) {
            nodes.add(row.node());
        }
    }

    private static Health health(ApplicationContext context) {
        return Objects.requireNonNull(context.getBean(ReactiveHealthIndicator.class).health().block(PATIENCE));
    }

    @Test
    void oneApplicationPublishesAndAnotherReadsWithoutACluster() {
        application.withUserConfiguration(Publisher.class)
                .withPropertyValues("reactive-informer.url=" + SERVER.url(), "reactive-informer.informers.pods.type=V1Pod",
                        "shop.brokers=" + KAFKA.getBrokersAsString())
                .run(publisher -> reader
                        .withPropertyValues("reactive-informer.kafka.bootstrap-servers=" + KAFKA.getBrokersAsString())
                        .withBean(Received.class, Received::new)
                        .run(context -> {
                            assertThat(publisher).hasNotFailed();
                            assertThat(context).hasNotFailed().doesNotHaveBean(InformerFactory.class);
                            await(() -> context.getBean(Received.class).nodes.equals(List.of("n1")));
                            await(() -> health(context).getStatus().equals(Status.UP)); // the handler is called before that
                            String topic = "topic pods at " + KAFKA.getBrokersAsString();
                            assertThat(health(context).getDetails().get(topic).toString()).contains("objects=1");
                            assertThat(context.getBean(InformersEndpoint.class).informers().block(PATIENCE).informers())
                                    .extracting(InformersEndpoint.One::description).containsExactly(topic);
                            MeterRegistry meters = context.getBean(MeterRegistry.class);
                            assertThat(meters.get("informer.objects").tag("informer", topic).gauge().value()).isEqualTo(1);
                            await(() -> meters.get("informer.kafka.lag").tag("informer", topic).gauge().value() == 0);
                            Informer<?> pods = context.getBean("podsView", Informer.class);
                            context.close();
                            assertThat(pods.status().blockLast(PATIENCE).state()).isEqualTo(State.STOPPED);
                        }));
    }

    @Test
    void aCodecBeanReadsTheRows() {
        var codec = new RowCodec<PodRow>() {
            @Override
            public byte[] encode(PodRow row) {
                return row.node().getBytes(StandardCharsets.UTF_8);
            }

            @Override
            public PodRow decode(byte[] bytes) {
                return new PodRow(new String(bytes, StandardCharsets.UTF_8));
            }
        };
        var view = TestView.of(Map.of(ObjectKey.of("shop", "web"), new PodRow("n2")));
        Disposable publication = KafkaViews.publish(view, KafkaTopic.of(KAFKA.getBrokersAsString(), "plain"), codec).subscribe();
        reader.withPropertyValues("reactive-informer.kafka.bootstrap-servers=" + KAFKA.getBrokersAsString(),
                        "reactive-informer.kafka.views.pods.topic=plain")
                .withBean("codec", RowCodec.class, () -> codec)
                .withBean(Received.class, Received::new)
                .run(context -> await(() -> context.getBean(Received.class).nodes.equals(List.of("n2"))));
        publication.dispose();
    }

    @Test
    void anInformerThatNoFactoryHasMadeStartsAndIsShownOnce() {
        var rows = TestView.of(Map.of(ObjectKey.of("shop", "web"), new PodRow("n3")));
        KafkaTopic topic = KafkaTopic.of(KAFKA.getBrokersAsString(), "single");
        Disposable publication = KafkaViews.publish(rows, topic, RowCodec.json(PodRow.class)).subscribe();
        application.withPropertyValues("reactive-informer.url=" + SERVER.url(), "reactive-informer.informers.pods.type=V1Pod",
                        "reactive-informer.wait-for-sync=1m", "management.endpoints.web.exposure.include=informers")
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean("single", Informer.class, () -> KafkaViews.view(topic, RowCodec.json(PodRow.class)))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean("single", Informer.class).snapshot().size()).isEqualTo(1);
                    assertThat(context.getBean(InformersEndpoint.class).informers().block(PATIENCE).informers())
                            .extracting(InformersEndpoint.One::description)
                            .containsExactly("pods.v1 in all namespaces", topic.toString());
                    assertThat(context.getBean(MeterRegistry.class).get("informer.objects").gauges()).hasSize(2);
                });
        publication.dispose();
    }

    @Test
    void mistakesAreNamed() {
        var kafka = reader.withPropertyValues("reactive-informer.kafka.bootstrap-servers=" + KAFKA.getBrokersAsString());
        Map.of("topic=", "reactive-informer.kafka.views.pods.topic is missing",
                "type=", "reactive-informer.kafka.views.pods.type is missing",
                "type=com.example.Missing", "reactive-informer.kafka.views.pods.type: there is no class com.example.Missing")
                .forEach((mistake, message) -> kafka.withPropertyValues("reactive-informer.kafka.views.pods." + mistake)
                        .run(context -> assertThat(context).getFailure().hasStackTraceContaining(message)));
        Map.of("properties.security.protocol=NONE", "Invalid value NONE for configuration security.protocol",
                "bootstrap-servers=broker", "bootstrap.servers must have addresses such as broker:9092, was \"broker\"",
                "bootstrap-servers=", "reactive-informer.kafka.bootstrap-servers is missing",
                "views.pods.topc=pods", "There is no property reactive-informer.kafka.views.pods.topc",
                "views.pods.topic.name=pods", "There is no property reactive-informer.kafka.views.pods.topic.name",
                "bootstrapserver=broker:1", "There is no property reactive-informer.kafka.bootstrapserver")
                .forEach((mistake, message) -> kafka.withPropertyValues("reactive-informer.kafka." + mistake)
                        .run(context -> assertThat(context).getFailure().hasStackTraceContaining(message)));
        reader.run(context -> assertThat(context).getFailure().hasStackTraceContaining("bootstrap-servers is missing"));
    }

    @Test
    void theRightNameIsProposed() {
        Map.of("bootstrap-server=broker:1", "Write reactive-informer.kafka.bootstrap-servers.",
                "views.pods.typ=x", "Write reactive-informer.kafka.views.pods.type.",
                "cluster=x", "Below reactive-informer.kafka are the properties bootstrap-servers, properties, views.")
                .forEach((mistake, action) -> reader.withPropertyValues("reactive-informer.kafka." + mistake)
                        .run(context -> assertThat(new InformerFailureAnalyzer().analyze(context.getStartupFailure()).getAction())
                                .isEqualTo(action)));
    }

    @Test
    void passwordsAreNotPrinted() {
        reader.withPropertyValues("reactive-informer.kafka.bootstrap-servers=nowhere.invalid:9092",
                        "reactive-informer.kafka.properties.ssl.truststore.password=secret1")
                .run(context -> assertThat(context.getBean(KafkaProperties.class).toString()).contains("nowhere").doesNotContain("secret1"));
    }

    /** Of an application that does not use topics. */
    @Test
    void kafkaMayBeMissing() {
        application.withClassLoader(new FilteredClassLoader("io.reactiveinformer.kafka", "org.apache.kafka"))
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withPropertyValues("reactive-informer.url=" + SERVER.url(), "reactive-informer.informers.pods.type=V1Pod")
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean("declaredTopics");
                    assertThat(context.getBean(MeterRegistry.class).get("informer.objects").gauges()).hasSize(1);
                });
    }
}
