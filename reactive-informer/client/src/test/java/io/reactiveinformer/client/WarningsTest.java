package io.reactiveinformer.client;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** 233: TestDefaultWarningHandler. */
class WarningsTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String OBJECT = "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"1\"}}";

    private final Logger log = (Logger) LoggerFactory.getLogger(KubernetesClient.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    private final ScriptedTransport server = new ScriptedTransport();
    private final ResourceClient<JsonNode> widgets =
            KubernetesClient.over(server).resources(ResourceType.dynamic("example.com", "v1", "widgets"));

    @BeforeEach
    void listen() {
        lines.start();
        log.addAppender(lines);
        log.setAdditive(false);
    }

    @AfterEach
    void stopListening() {
        log.detachAppender(lines);
        log.setAdditive(true);
    }

    private void get(String... warnings) {
        var headers = new String[warnings.length * 2];
        for (int i = 0; i < warnings.length; i++) {
            headers[2 * i] = "Warning";
            headers[2 * i + 1] = warnings[i];
        }
        server.reset();
        server.then(200, OBJECT, headers);
        widgets.get(ObjectKey.of(null, "a")).block(LIMIT);
    }

    @Test
    void eachIsLoggedOnce() {
        get("299 - \"widgets will go\"", "299 - \"so will gadgets\"");
        get("299 - \"widgets will go\"");
        assertThat(lines.list).extracting(ILoggingEvent::getLevel).containsOnly(Level.WARN);
        assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage).containsExactly(
                "the server sent a warning about the request to get widgets.v1.example.com a: widgets will go",
                "the server sent a warning about the request to get widgets.v1.example.com a: so will gadgets");
    }

    @Test
    void eachIsLoggedOnceForCopiesOfAClient() {
        server.then(200, OBJECT, "Warning", "299 - \"widgets will go\"");
        KubernetesClient client = KubernetesClient.over(server);
        for (KubernetesClient one : List.of(client, client.withManagedFields(), client.withManagedFields())) {
            one.resources(ResourceType.dynamic("example.com", "v1", "widgets")).get(ObjectKey.of(null, "a")).block(LIMIT);
        }
        assertThat(lines.list).hasSize(1);
    }

    @Test
    void memoryForWarningsIsBounded() {
        for (int i = 0; i < 501; i++) {
            get("299 - \"warning " + i + "\"");
        }
        lines.list.clear();
        get("299 - \"warning 500\"");
        assertThat(lines.list).as("known").isEmpty();
        get("299 - \"warning 0\"");
        assertThat(lines.list).as("forgotten").hasSize(1);
    }

    /** Each of these begins a new line, or turns the line around, in some log or terminal. */
    @Test
    void aWarningIsOneLine() {
        assertThat(Warnings.parse("299 - \"one\u0085two\u2028three\u2029four\u009b31m\u202efive\""))
                .containsExactly("one two three four 31m five");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
        "299 - \"policy/v1beta1 is deprecated\" | policy/v1beta1 is deprecated",
        "299 kube \"one\", 299 - \"two, and \\\"more\\\"\" \"Sat, 21 Nov 2026 07:00:00 GMT\",299 - \"a\\\\b\" | one;two, and \"more\";a\\b",
        "199 - \"not for people\", 299 - \"for people\" | for people",
        "299 - \"one\", 299 two | one",
        "299 - \"\" | ~~",
        "299 - \"never ends | ~~",
        "gibberish | ~~",
    })
    void aFieldIsReadAsItIsWritten(String field, String texts) {
        assertThat(String.join(";", Warnings.parse(field))).isEqualTo(texts);
    }
}
