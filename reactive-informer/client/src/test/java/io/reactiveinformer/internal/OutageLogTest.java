package io.reactiveinformer.internal;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

class OutageLogTest {

    private final Exception lost = new TransportException("the answer of https://c:6443 to GET /a broke off: it was closed", null);
    private final Exception refused = new TransportException("cannot reach https://c:6443: connection refused", null);

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final Logger log = (Logger) LoggerFactory.getLogger(OutageLogTest.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final OutageLog outages = new OutageLog(log, "pods", clock);

    @BeforeEach
    void readTheLog() {
        log.setLevel(Level.INFO);
        lines.start();
        log.addAppender(lines);
    }

    @AfterEach
    void leaveTheLog() {
        log.detachAppender(lines);
        log.setLevel(null);
    }

    private static Exception status(int code, String reason) {
        return StatusException.of(Status.of(code, reason, ""), "list pods");
    }

    private void fail(Exception cause, Duration then) {
        outages.failed(cause, "resuming", Duration.ofSeconds(70));
        clock.advanceTimeBy(then);
    }

    private void end() {
        outages.ended("live again", ", by a list of 3 objects");
    }

    private List<String> logged() {
        List<String> all = lines.list.stream().map(line -> "[" + line.getLevel() + "] " + line.getFormattedMessage()).toList();
        lines.list.clear();
        return all;
    }

    @Test
    void logsTheBeginningEachNewKindOfCauseEachFiveMinutesAndTheEnd() {
        clock.advanceTimeBy(Duration.ofMinutes(10));
        fail(lost, Duration.ofSeconds(1));
        fail(refused, Duration.ofSeconds(19));
        for (int i = 0; i < 20; i++) {
            fail(status(401, "Unauthorized"), Duration.ofSeconds(30));
        }
        end();
        assertThat(logged()).containsExactly(
                "[WARN] pods: " + lost.getMessage() + "; resuming in 1 min 10 s",
                "[WARN] pods: " + refused.getMessage() + "; out since 1970-01-01T00:10:00Z (1000 ms), 2 tries; resuming in 1 min 10 s",
                "[WARN] 401 Unauthorized: cannot list pods; out since 1970-01-01T00:10:00Z (20 s), 3 tries; resuming in 1 min 10 s",
                "[WARN] 401 Unauthorized: cannot list pods; out since 1970-01-01T00:10:00Z (5 min 20 s), 13 tries; resuming in 1 min 10 s",
                "[INFO] pods: live again after 10 min 20 s, by a list of 3 objects");
    }

    @Test
    void theNextOutageHasItsOwnLinesHoweverSoonItComes() {
        for (int i = 0; i < 2; i++) {
            fail(lost, Duration.ofSeconds(2));
            end();
            end();
        }
        assertThat(logged()).hasSize(4).filteredOn(line -> line.startsWith("[INFO]"))
                .containsOnly("[INFO] pods: live again after 2000 ms, by a list of 3 objects");
    }

    /** As a server that closes each watch at once. */
    @Test
    void shortOutagesInARowAreLoggedThreeTimes() {
        for (int i = 0; i < 60; i++) {
            fail(lost, Duration.ofSeconds(2));
            end();
            clock.advanceTimeBy(Duration.ofSeconds(8));
        }
        assertThat(logged()).hasSize(8).element(6).asString()
                .contains("; 32 outages shortly before; ");
        clock.advanceTimeBy(Duration.ofMinutes(6));
        fail(lost, Duration.ofSeconds(1));
        end();
        assertThat(logged()).as("after a calm time").hasSize(2);
    }

    @Test
    void oneThatLastsIsLoggedWhateverCameBefore() {
        for (int i = 0; i < 4; i++) {
            fail(lost, Duration.ofSeconds(2));
            end();
        }
        logged();
        for (int i = 0; i < 5; i++) {
            fail(lost, Duration.ofSeconds(20));
        }
        assertThat(logged()).singleElement().asString().contains("(1 min)", "4 tries", "; 4 outages shortly before; ");
        end();
        assertThat(logged()).singleElement().asString().contains("live again after 1 min 40 s");
    }

    /** As a load balancer with a server that starts behind it, or two servers. */
    @Test
    void causesThatAlternateAreLoggedOnceAMinute() {
        for (int i = 0; i < 60; i++) {
            fail(i % 2 == 0 ? lost : refused, Duration.ofSeconds(2));
        }
        assertThat(logged()).hasSize(4);
    }

    /** The last line of the log is about the present cause, within a minute. */
    @Test
    void aCauseThatComesBackForGoodIsLogged() {
        fail(lost, Duration.ofSeconds(2));
        fail(refused, Duration.ofSeconds(2));
        for (int i = 0; i < 20; i++) {
            fail(lost, Duration.ofSeconds(5));
        }
        assertThat(logged()).hasSize(3).last().asString().contains(lost.getMessage());
    }

    @Test
    void refusalsOfABusyServerAreOneKind() {
        fail(status(503, "ServiceUnavailable"), Duration.ofSeconds(2));
        fail(status(429, "TooManyRequests"), Duration.ofSeconds(2));
        fail(new TransportException("cannot reach https://c:1: no route", null), Duration.ofSeconds(2));
        fail(new TransportException("cannot reach https://d:2: connection refused", null), Duration.ofSeconds(2));
        assertThat(logged()).hasSize(2);
    }

    /** A server that comes back with another certificate, or whose name is gone, waits for a person. */
    @Test
    void aCauseThatWaitsForAPersonIsAKindOfItsOwn() {
        fail(refused, Duration.ofSeconds(2));
        fail(new TransportException("cannot reach https://c:6443: there is no host", new UnknownHostException("c")),
                Duration.ofSeconds(2));
        fail(new TransportException("cannot reach https://c:6443: not trusted", new SSLException(new CertificateException("not trusted"))),
                Duration.ofSeconds(2));
        assertThat(logged()).hasSize(3).last().asString().contains("not trusted");
    }

    @ParameterizedTest
    @CsvSource({"PT0.027S, 'at once, and again until it succeeds'", "PT2S, 'in 2000 ms, and again until it succeeds'", "PT40S, in 40 s"})
    void aShortPauseIsNotTheLastWord(Duration pause, String words) {
        outages.failed(lost, "resuming", pause);
        assertThat(logged()).singleElement().asString().endsWith("; resuming " + words);
    }

    @ParameterizedTest
    @CsvSource({"PT0.954S, 954 ms", "PT9.5S, 9500 ms", "PT12.9S, 12 s", "PT1M, 1 min",
        "PT3M20S, 3 min 20 s", "PT1H, 1 h", "PT26H5M9S, 26 h 5 min"})
    void timesAreForPersons(Duration time, String spoken) {
        assertThat(OutageLog.spoken(time)).isEqualTo(spoken);
    }
}
