package io.reactiveinformer.spring;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.MeterNotFoundException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.ControllerManager;
import io.reactiveinformer.controller.Reconciler;
import io.reactiveinformer.controller.Route;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.leader.LeaderElector;
import io.reactiveinformer.metrics.InformerMetrics;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/** Controllers, managers and elections that are beans start, work, are shown and end with the application. */
@Timeout(120)
class OperatorBeansTest {

    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final FakeApiServer server = FakeApiServer.create().start();
    private ApplicationContextRunner application = new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(
            ReactiveInformerAutoConfiguration.class, InformersHealthAutoConfiguration.class, InformerMetricsAutoConfiguration.class));

    @BeforeEach
    void use() {
        application = application.withPropertyValues("reactive-informer.url=" + server.url())
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new);
        server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}");
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: shop}}");
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** What the reconciler of the test does, and has done. */
    static final class Work {
        private final List<String> done = new CopyOnWriteArrayList<>();
        private volatile Mono<Void> each = Mono.empty();
    }

    @Configuration(proxyBeanMethods = false)
    static class WithController {

        @Bean
        Work work() {
            return new Work();
        }

        @Bean
        Reconciler<ObjectKey> reconciler(Work work) {
            return request -> Mono.defer(() -> {
                work.done.add("begun " + request.key().name());
                return work.each;
            }).doOnSuccess(end -> work.done.add("ended " + request.key().name())).thenReturn(Result.done());
        }

        @Bean
        Controller<ObjectKey> notes(InformerFactory informers, Reconciler<ObjectKey> reconciler) {
            Informer<V1ConfigMap> notes = informers.of(ResourceType.of(V1ConfigMap.class), Namespaces.of("shop"));
            return Controller.named("notes").watches(notes, Route.self()).reconcile(reconciler);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithElection extends WithController {

        @Bean
        LeaderElector election(KubernetesClient client) {
            return LeaderElector.of(client, ObjectKey.of("shop", "notes"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithTwoElections extends WithElection {

        @Bean
        LeaderElector another(KubernetesClient client) {
            return LeaderElector.of(client, ObjectKey.of("shop", "another"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithMeteredManager {

        @Bean
        Work work() {
            return new Work();
        }

        @Bean
        ControllerManager manager(InformerFactory informers, Work work, InformerMetrics metrics) {
            var beans = new WithController();
            return ControllerManager.create(informers).register("notes", () -> {
                Controller<ObjectKey> notes = beans.notes(informers, beans.reconciler(work));
                metrics.operators().bind(notes);
                return notes;
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithManager {

        @Bean
        Work work() {
            return new Work();
        }

        @Bean
        ControllerManager manager(InformerFactory informers, Work work) {
            var beans = new WithController();
            return ControllerManager.create(informers).register("notes", () -> beans.notes(informers, beans.reconciler(work)));
        }
    }

    static void await(BooleanSupplier condition) {
        Flux.interval(Duration.ZERO, Duration.ofMillis(20), Schedulers.boundedElastic()).onBackpressureDrop()
                .filter(tick -> isMet(condition)).blockFirst(PATIENCE);
    }

    /** A meter begins with the first thing that it counts. */
    private static boolean isMet(BooleanSupplier condition) {
        try {
            return condition.getAsBoolean();
        } catch (MeterNotFoundException notYet) {
            return false;
        }
    }

    static Health health(ApplicationContext context) {
        return Objects.requireNonNull(
                context.getBean("controllersHealthIndicator", ReactiveHealthIndicator.class).health().block(PATIENCE));
    }

    @Test
    void aControllerStartsAfterTheInformersAndIsShown() {
        application.withUserConfiguration(WithController.class).run(context -> {
            await(() -> context.getBean(Work.class).done.contains("ended a"));
            Health health = health(context);
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails().get("notes").toString()).contains("WORKING");
            await(() -> context.getBean(MeterRegistry.class).getMeters().stream()
                    .map(Meter::getId)
                    .anyMatch(id -> id.getName().startsWith("controller.") && "notes".equals(id.getTag("controller"))));
        });
    }

    @Test
    void aControllerOfAManagerStartsAndIsShown() {
        application.withUserConfiguration(WithManager.class).run(context -> {
            await(() -> context.getBean(Work.class).done.contains("ended a"));
            assertThat(health(context).getDetails()).containsKey("notes");
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            await(() -> meters.get("controller.reconciles").tag("controller", "notes").timer().count() == 1);
            await(() -> meters.get("controller.work").tag("controller", "notes").timer().count() == 1);
        });
    }

    @Test
    void whatTheApplicationMetersItselfIsCountedOnce() {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: b, namespace: shop}}");
        application.withUserConfiguration(WithMeteredManager.class).run(context -> {
            await(() -> context.getBean(Work.class).done.containsAll(List.of("ended a", "ended b")));
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            context.close();
            await(() -> meters.find("controller.held").gauges().isEmpty()); // all results are counted
            assertThat(meters.get("controller.reconciles").timer().count()).isEqualTo(2);
        });
    }

    @Test
    void withoutOperatorsThereIsNoHealthOfThem() {
        application.run(context -> assertThat(context).doesNotHaveBean("controllersHealthIndicator"));
    }

    @Test
    void withAnElectionOnlyTheLeaderWorksAndGivesTheLeaseBack() {
        application.withUserConfiguration(WithElection.class).run(leader -> {
            await(() -> leader.getBean(Work.class).done.contains("ended a"));
            application.withUserConfiguration(WithElection.class).run(follower -> {
                await(() -> health(follower).getDetails().get("notes").toString().contains("STANDBY"));
                assertThat(follower.getBean(Work.class).done).isEmpty();
                await(() -> electionOf(follower).containsKey("leader"));
                assertThat(electionOf(follower)).containsEntry("leading", false).containsKey("leader").doesNotContainKey("token");
                assertThat(electionOf(leader)).containsEntry("leading", true).containsKey("token").doesNotContainKey("leader");
                var endpoint = new InformersEndpoint(InformerFactories.of(leader), new OperatorBeans(leader).described());
                assertThat(endpoint.informers().block(PATIENCE).elections().get("election"))
                        .matches(InformersEndpoint.OfElection::leading).extracting(InformersEndpoint.OfElection::token).isNotNull();
                leader.close();
                await(() -> follower.getBean(Work.class).done.contains("ended a"));
                assertThat(follower.getBean(MeterRegistry.class).find("leader.leading").tag("lease", "election").meters()).isNotEmpty();
            });
        });
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> electionOf(ApplicationContext context) {
        return (Map<String, Object>) health(context).getDetails().get("election election");
    }

    @ParameterizedTest
    @ValueSource(classes = {WithController.class, WithElection.class, WithManager.class})
    void workInProgressEndsBeforeTheApplicationDoes(Class<?> operator) {
        var shown = new AtomicReference<Work>();
        application.withUserConfiguration(operator).run(context -> {
            Work work = context.getBean(Work.class);
            shown.set(work);
            Sinks.Empty<Void> end = Sinks.empty();
            work.each = end.asMono();
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: slow, namespace: shop}}");
            await(() -> work.done.contains("begun slow"));
            Schedulers.boundedElastic().schedule(end::tryEmitEmpty, 500, TimeUnit.MILLISECONDS);
        });
        assertThat(shown.get().done).contains("ended slow");
    }

    @Test
    void workThatDoesNotEndIsCancelledBeforeSpringGivesUp() {
        var cancelled = new CountDownLatch(1);
        long begin = System.nanoTime();
        application.withUserConfiguration(WithController.class).withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=3s")
                .run(context -> {
                    Work work = context.getBean(Work.class);
                    await(() -> work.done.contains("ended a"));
                    work.each = Mono.<Void>never().doOnCancel(cancelled::countDown);
                    server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: stuck, namespace: shop}}");
                    await(() -> work.done.contains("begun stuck"));
                });
        assertThat(cancelled.getCount()).isZero();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(PATIENCE);
    }

    /** As of an application that makes its informers itself. */
    @Test
    void healthAndEndpointNeedNoneOfTheOtherBeans() {
        application.withConfiguration(AutoConfigurations.of(InformersEndpointAutoConfiguration.class))
                .withUserConfiguration(WithController.class)
                .withBean(InformerFactory.class, () -> InformerFactory.create(KubernetesClient.over(server.transport())))
                .withPropertyValues("reactive-informer.enabled=false", "management.endpoints.web.exposure.include=informers")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(health(context).getDetails()).containsKey("notes");
                    assertThat(context.getBean(InformersEndpoint.class).informers().block(PATIENCE).controllers()).containsKey("notes");
                });
    }

    @Test
    void severalElectionsNeedAPrimaryOne() {
        application.withUserConfiguration(WithTwoElections.class).run(context -> assertThat(context).hasFailed()
                .getFailure().rootCause().hasMessageContaining("there are 2 LeaderElector beans"));
    }

    @Test
    void nothingStartsByItselfIfInformersDoNot() {
        application.withUserConfiguration(WithController.class).withPropertyValues("reactive-informer.auto-startup=false")
                .run(context -> assertThat(health(context).getDetails().get("notes").toString()).contains("IDLE"));
    }
}
