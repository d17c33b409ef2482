package io.reactiveinformer.kafka;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.reactiveinformer.resource.TransportException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class KafkaClientsTest {

    private static final int TRIES = 12;

    private final CountDownLatch tried = new CountDownLatch(TRIES);
    private final AtomicInteger lines = new AtomicInteger();

    /** An admin client of Kafka 4.2 that may recover its metadata logs a thousand lines a second while no broker is there, and spins. */
    @Test
    void anAdminClientRestsBetweenItsTriesWhileNoBrokerIsThere() throws Exception {
        var ofClients = (Logger) LoggerFactory.getLogger("org.apache.kafka.clients");
        Level before = ofClients.getLevel();
        var appender = new AppenderBase<ILoggingEvent>() {
            @Override
            protected void append(ILoggingEvent line) {
                lines.incrementAndGet();
                if (line.getFormattedMessage().contains("could not be established")) {
                    tried.countDown();
                }
            }
        };
        appender.start();
        ofClients.addAppender(appender);
        ofClients.setLevel(Level.INFO);
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread asking = new Thread(() -> {
            try {
                new KafkaClients(KafkaTopic.of("localhost:" + unusedPort(), "t").withProperty("reconnect.backoff.max.ms", 200))
                        .requireTopic();
            } catch (Throwable failure) {
                end.complete(failure);
            }
        });
        try {
            asking.start();
            assertThat(tried.await(40, TimeUnit.SECONDS)).isTrue();
            assertThat(lines.get()).isLessThan(20 * TRIES);
            asking.interrupt();
            assertThat(end.get(40, TimeUnit.SECONDS)).isInstanceOf(TransportException.class);
        } finally {
            ofClients.detachAppender(appender);
            ofClients.setLevel(before);
        }
    }

    private static int unusedPort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
