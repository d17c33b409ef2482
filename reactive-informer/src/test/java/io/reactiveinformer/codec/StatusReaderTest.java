package io.reactiveinformer.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.resource.ConflictException;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceVersionTooLargeException;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class StatusReaderTest {

    private static final ObjectCodec CODEC = ObjectCodec.create();
    private static final ResourceType<JsonNode> THINGS = ResourceType.dynamic("", "v1", "things");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            application/json | {"kind":"Status","code":403,"reason":"Forbidden","message":"no \\u0022x\\u0022"} | Forbidden | no "x"
            application/json | {"message":"a\\u2028b\\u0085c\\u001bd"}                                             | ''        | a b c d
            application/json | {"message":"half","reason":"Expi                                              | ''        | half
            application/json | {"message":"ha                                                                | ''        | (the body is no complete JSON)
            application/json | {"message":{"a":1},"reason":null,"code":"x","details":[1]}                    | ''        | ''
            application/json | []                                                                            | ''        | []
            text/plain       | '  404 page not found '                                                       | ''        | 404 page not found
                             | Too many requests, please try again later.                                    | ''        | Too many requests, please try again later.
            text/html        | <html><head><TITLE> Bad Gateway </TITLE>                                      | ''        | Bad Gateway
            text/html        | <html><body>x                                                                 | ''        | (a page of HTML)
            application/vnd.kubernetes.protobuf | k8s.x                                                      | ''        | ''
            application/json | ''                                                                            | ''        | ''
            """)
    void takesWhatThereIs(String contentType, String body, String reason, String message) {
        assertThat(CODEC.status(Bodies.of(body), 403, contentType, null).block()).isEqualTo(Status.of(403, reason, message));
    }

    /** A page that is made to take long: 60,000 blanks where a title might end. */
    @ParameterizedTest
    @ValueSource(strings = {"<title>", "<title", "<title><title"})
    @Timeout(20)
    void noPageTakesLong(String opening) {
        String page = "<html>" + opening + " ".repeat(60_000) + "<p>";
        assertThat(CODEC.status(Bodies.of(page), 502, "text/html", null).block().message()).isEqualTo("(a page of HTML)");
    }

    @Test
    void anAbsentBodyIsAStatusWithoutWords() {
        assertThat(CODEC.status(Flux.empty(), 503, null, Duration.ofSeconds(5)).block())
                .isEqualTo(new Status(503, "", "", List.of(), Duration.ofSeconds(5)));
    }

    @Test
    void aRefusalWithoutAnEndIsNotReadToItsEnd() {
        Flux<ByteBuf> endless = Flux.generate(sink -> sink.next(Unpooled.wrappedBuffer(new byte[1 << 10])));
        assertThat(CODEC.status(endless, 503, "text/plain", null).block().code()).isEqualTo(503);
    }

    @Test
    void causesAndTheTimeToWaitAreRead() {
        String body = "{\"kind\":\"Status\",\"details\":{\"causes\":[{\"reason\":\"ResourceVersionTooLarge\",\"message\":\"Too large\"},"
                + "{\"reason\":\"FieldValueInvalid\",\"field\":\"spec.x\"}],\"retryAfterSeconds\":7,\"name\":\"x\"},\"code\":504,\"reason\":\"Timeout\"}";
        Status status = CODEC.status(Bodies.of(body), 504, "application/json", null).block();
        assertThat(status.retryAfter()).isEqualTo(Duration.ofSeconds(7));
        assertThat(status.causes()).containsExactly(
                new Status.Cause("ResourceVersionTooLarge", "Too large", ""), new Status.Cause("FieldValueInvalid", "", "spec.x"));
        assertThat(StatusException.of(status, "list things")).isInstanceOf(ResourceVersionTooLargeException.class);
        assertThat(CODEC.status(Bodies.of(body), 504, null, Duration.ofSeconds(9)).block().retryAfter()).isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    void messagesAreBounded() {
        String endless = "x".repeat(1 << 20);
        assertThat(CODEC.status(Bodies.of(endless, endless), 500, "text/plain", null).block().message()).hasSize(2048).endsWith("x…");
        assertThat(CODEC.status(Bodies.of("{\"reason\":\"R\",\"message\":\"" + endless + "\"}"), 500, null, null).block().reason()).isEqualTo("R");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"object":{"code":409,"reason":"Conflict","message":"m"},"type":"ERROR"}  | 409 Conflict: cannot watch things: m
            {"type":"ERROR","object":{"kind":"Pod","metadata":{}}}                    | 500: cannot watch things: the watch ended with an error event about a Pod
            {"type":"ERROR","object":"boom"}                                          | 500: cannot watch things: boom
            {"type":"ERROR","object":null}                                            | 500: cannot watch things: the watch ended with an error event that says no more
            {"type":"ERROR"}                                                          | 500: cannot watch things: the watch ended with an error event that says no more
            """)
    void anErrorEventFailsTheWatch(String event, String message) {
        StepVerifier.create(CODEC.watch(Bodies.of(event), THINGS, key -> null, "watch things"))
                .verifyErrorSatisfies(failure -> assertThat(failure).isInstanceOf(StatusException.class).hasMessage(message));
    }

    @Test
    void anErrorEventFailsAsItsType() {
        StepVerifier.create(CODEC.watch(Bodies.of("{\"type\":\"ERROR\",\"object\":{\"code\":409}}"), THINGS, key -> null, "watch things"))
                .verifyError(ConflictException.class);
    }
}
