package io.reactiveinformer.transport;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** Fails a test in which Netty or Reactor Netty logs a warning on a transport's threads: each request that fails says why. */
final class NoLinesOfNetty implements BeforeEachCallback, AfterEachCallback {

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @Override
    public void beforeEach(ExtensionContext test) {
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        root.addAppender(lines);
    }

    @Override
    public void afterEach(ExtensionContext test) {
        root.detachAppender(lines);
        assertThat(lines.list).filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN)
                && line.getThreadName().startsWith("reactive-informer")
                && !line.getLoggerName().startsWith("io.reactiveinformer")).isEmpty();
    }
}
