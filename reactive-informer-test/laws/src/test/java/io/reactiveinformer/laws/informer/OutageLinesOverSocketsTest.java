package io.reactiveinformer.laws.informer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.faults.Fault;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.atIndex;

/** As {@link OutageLinesTest}, over real sockets and with production's threads and clocks. */
@Timeout(60)
class OutageLinesOverSocketsTest {

    private static final ResourceType<V1ConfigMap> NOTES = ResourceType.of(V1ConfigMap.class);

    private final Logger log = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Semaphore arrived = new Semaphore(0);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>() {
        @Override
        protected void append(ILoggingEvent line) {
            super.append(line);
            arrived.release();
        }
    };

    @BeforeEach
    void readTheLog() {
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        log.addAppender(lines);
        ((Logger) LoggerFactory.getLogger("io.reactiveinformer")).setLevel(Level.INFO);
    }

    @AfterEach
    void leaveTheLog() {
        ((Logger) LoggerFactory.getLogger("io.reactiveinformer")).setLevel(null);
        log.detachAppender(lines);
    }

    private void awaitLine(String text) throws InterruptedException {
        while (lines.list.stream().noneMatch(line -> line.getFormattedMessage().contains(text))) {
            assertThat(arrived.tryAcquire(20, TimeUnit.SECONDS)).as("%s in %s", text, lines.list).isTrue();
        }
    }

    private List<String> logged() {
        List<String> all = lines.list.stream().map(line -> line.getLevel() + " " + line.getFormattedMessage()).toList();
        assertThat(lines.list).as("no stack trace, and no line of another library").allMatch(line ->
                line.getThrowableProxy() == null && line.getLoggerName().startsWith("io.reactiveinformer"));
        lines.list.clear();
        return all;
    }

    @Test
    void aRevokedTokenAndAServerThatIsGone() throws Exception {
        String url;
        KubernetesClient client;
        try (FakeApiServer server = FakeApiServer.create().start()) {
            url = server.url();
            client = KubernetesClient.create(ClusterConfig.of(url));
            InformerFactory informers = InformerFactory.create(client);
            informers.of(NOTES);
            informers.start();
            awaitLine("live with");
            assertThat(logged()).singleElement().asString()
                    .matches("INFO configmaps.v1 in all namespaces: live with 0 objects of " + url + " after \\d+ ms");

            Fault refusal = server.faults().onAny().always().status(401, "Unauthorized", "Unauthorized");
            server.restartKeeping(100);
            awaitLine("401 Unauthorized"); // a port may have these digits
            refusal.disarm();
            awaitLine("live again");
            assertThat(logged()).hasSize(3)
                    .satisfies(line -> assertThat(line)
                            .startsWith("WARN configmaps.v1 in all namespaces: the answer of " + url + " to GET /api/v1/configmaps broke ")
                            .contains("; resuming "), atIndex(0))
                    .satisfies(line -> assertThat(line).startsWith("WARN 401 Unauthorized: cannot list configmaps.v1 in all namespaces")
                            .contains("; out since 20", " tries; resuming in "), atIndex(1))
                    .satisfies(line -> assertThat(line).matches("INFO configmaps.v1 in all namespaces: live again after "
                            + "\\d+ m?s, by resuming from version \\d+"), atIndex(2));
        }
        awaitLine("connection refused");
        assertThat(logged()).as("soon after the one before, and yet a line of its own").hasSize(2)
                .satisfies(line -> assertThat(line).contains("broke off"), atIndex(0));
        try (FakeApiServer next = FakeApiServer.create().start(URI.create(url).getPort())) {
            assertThat(next.url()).isEqualTo(url);
            awaitLine("live again");
            assertThat(logged()).last().asString().matches("INFO configmaps.v1 in all namespaces: live again after .*, by .*");
            client.dispose().block();
        }
    }
}
