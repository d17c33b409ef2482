package io.reactiveinformer.controller;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.WebsitesFixture.Website;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** A controller whose own writes wake it, in real time. Without a limit it wrote 13 to 50 times a second, and nothing was logged. */
@Timeout(60)
class WriteLoopsInRealTimeTest {

    private static final ResourceType<V1ConfigMap> PAGES = ResourceType.of(V1ConfigMap.class);

    @Test
    void aReconcilerThatNeverRestsIsNamedAndPaused() throws Exception {
        var line = new CompletableFuture<String>();
        var log = new AppenderBase<ILoggingEvent>() {
            @Override
            protected void append(ILoggingEvent event) {
                if (event.getFormattedMessage().contains("again and again")) {
                    line.complete(event.getFormattedMessage());
                }
            }
        };
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(Controller.class);
        logger.addAppender(log);
        var random = new AtomicInteger();
        try (FakeApiServer server = FakeApiServer.create(); KubernetesClient client = KubernetesClient.over(server.transport());
                InformerFactory informers = InformerFactory.create(client)) {
            server.objects().create(WebsitesFixture.DEFINITION);
            server.objects().create("{apiVersion: example.com/v1, kind: Website, metadata: {name: home, namespace: default}, "
                    + "spec: {parts: 1}}");
            Informer<Website> websites = informers.of(WebsitesFixture.WEBSITES);
            Informer<V1ConfigMap> pages = informers.of(PAGES);
            Dependents<Website> dependents = Dependents.of(client, WebsitesFixture.WEBSITES, site -> List.of(new V1ConfigMap()
                    .metadata(new V1ObjectMeta().name("home")).data(Map.of("at", "" + random.incrementAndGet())))).kind(PAGES, pages);
            Controller<ObjectKey> controller = Controller.named("websites").reconciles(WebsitesFixture.WEBSITES, websites).owns(pages)
                    .reconcile(request -> websites.lister().get(request.key())
                            .map(website -> dependents.reconcile(request, website).map(Dependents.Report::result)).orElse(Mono.empty()));
            CompletableFuture<?> paused = controller.results().skip(21).next().toFuture();
            informers.start();
            controller.start();
            assertThat(line.get(50, TimeUnit.SECONDS)).contains("controller websites, key default/home", "configmaps", "in data.at");
            assertThat(server.requests().writes()).hasSizeLessThan(30);
            assertThat(paused).as("a further request follows, after the pause").succeedsWithin(20, TimeUnit.SECONDS);
            controller.close();
        } finally {
            logger.detachAppender(log);
        }
    }
}
