package io.reactiveinformer.internal.codec;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Scope;
import io.reactiveinformer.resource.UnreadableObjectException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The reader for usual objects can be switched off, and its bugs do not stay unnoticed. */
class ShapesSwitchTest {

    private static final String OBJECT = "{\"metadata\":{\"name\":\"a\"},\"number\":7}";

    private final Logger log = (Logger) LoggerFactory.getLogger(ObjectCodec.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    record Thing(V1ObjectMeta metadata, int number) {}

    private static final class Broken extends TreeShape {
        @Override
        char opening() {
            return '{';
        }

        @Override
        Object bind(ShapeReader in, @Nullable Object before) {
            throw new IllegalStateException("a bug");
        }
    }

    @BeforeEach
    void listen() {
        lines.start();
        log.addAppender(lines);
    }

    @AfterEach
    void listenNoMore() {
        log.detachAppender(lines);
        System.clearProperty(Readers.SHAPES_PROPERTY);
    }

    private Thing bindWithABug(String object) {
        var strings = new SharedStrings();
        ResourceType<Thing> things = ResourceType.of("example.com", "v1", "things", Scope.NAMESPACED, Thing.class);
        var reader = new Readers.Reader(new Once<>(Mappers::own), Thing.class, new Broken());
        byte[] bytes = object.getBytes(StandardCharsets.UTF_8);
        return new Binding<>(things, new Skim(strings), reader, strings, null).bind(null, bytes, 0, bytes.length, null);
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

    @Test
    void canBeSwitchedOff() {
        var strings = new SharedStrings();
        ResourceType<V1Pod> pods = ResourceType.of(V1Pod.class);
        assertThat(new Readers(strings).shared(pods).shape()).isNotNull();
        System.setProperty(Readers.SHAPES_PROPERTY, "false");
        assertThat(new Readers(strings).shared(pods).shape()).isNull();
        byte[] bytes = OBJECT.getBytes(StandardCharsets.UTF_8);
        V1Pod pod = new Binding<>(pods, new Skim(strings), new Readers(strings).shared(pods), strings, null)
                .bind(null, bytes, 0, bytes.length, null);
        assertThat(pod.getMetadata().getName()).isEqualTo("a");
    }
}
