package io.reactiveinformer.internal;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class ObserverCallsTest {

    private final Logger log = (Logger) LoggerFactory.getLogger(ObserverCallsTest.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @AfterEach
    void stopListening() {
        log.detachAppender(lines);
        log.setAdditive(true);
    }

    @Test
    void whatAnObserverThrowsGoesNoFurtherAndIsLoggedTheFirstTime() {
        lines.start();
        log.addAppender(lines);
        log.setAdditive(false);
        var calls = new ObserverCalls(log, "a queue");
        calls.contain(() -> {
            throw new NoClassDefFoundError("first");
        });
        calls.contain(() -> {
            throw new IllegalStateException("second");
        });
        calls.threw(new IllegalStateException("third"));
        assertThat(lines.list).singleElement().satisfies(line -> {
            assertThat(line.getFormattedMessage()).startsWith("the observer of a queue threw");
            assertThat(line.getThrowableProxy().getMessage()).isEqualTo("first");
        });
    }
}
