package io.reactiveinformer.internal.codec;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Scope;
import io.reactiveinformer.resource.UnreadableObjectException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Bugs of a reader for usual objects do not stay unnoticed. */
class BindingTest {

    private static final String OBJECT = "{\"metadata\":{\"name\":\"a\"},\"number\":7}";

    private final Logger log = (Logger) LoggerFactory.getLogger(ObjectCodec.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    record Thing(V1ObjectMeta metadata, int number) {}

    @BeforeEach
    void listen() {
        lines.start();
        log.addAppender(lines);
    }

    @AfterEach
    void listenNoMore() {
        log.detachAppender(lines);
    }

    private Thing bindWithABug(String object) {
        var strings = new SharedStrings();
        ResourceType<Thing> things = ResourceType.of("example.com", "v1", "things", Scope.NAMESPACED, Thing.class);
        var reader = new Readers.Reader(new Lazy<>(Mappers::own), Thing.class,
                (skim, shares) -> (bytes, from, to, apiVersion, kind, before) -> {
                    throw new IllegalStateException("a bug");
                });
        byte[] bytes = object.getBytes(StandardCharsets.UTF_8);
        return new Binding<>(things, new Skim(strings), reader, false).bind(null, bytes, 0, bytes.length, null);
    }

    @Test
    void aBugIsReportedMoreAndMoreRarely() {
        assertThat(bindWithABug(OBJECT).number()).isEqualTo(7);
        assertThat(bindWithABug(OBJECT).number()).isEqualTo(7);
        assertThat(bindWithABug(OBJECT).number()).isEqualTo(7);
        assertThat(lines.list).hasSize(2).first().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.WARN);
            assertThat(line.getFormattedMessage())
                    .contains("1 objects of", "Thing were read by Jackson", "This is a bug", "-Dio.reactiveinformer.shapes=false");
            assertThat(line.getThrowableProxy().getMessage()).isEqualTo("a bug");
        });
    }

    @Test
    void whatJacksonCannotReadEitherIsNoBug() {
        assertThatThrownBy(() -> bindWithABug("{\"number\":[]}")).isInstanceOf(UnreadableObjectException.class);
        assertThat(lines.list).isEmpty();
    }
}
