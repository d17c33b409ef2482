package io.reactiveinformer.internal.codec;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.resource.ConflictException;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceVersionExpiredException;
import io.reactiveinformer.resource.ResourceVersionTooLargeException;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import java.nio.charset.StandardCharsets;
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

    /** In place of an event it may be as large as an object. */
    @Test
    void ofManyCausesTheFirstHundredAreKept() {
        String cause = "{\"reason\":\"r\",\"message\":\"m\",\"field\":\"f\"}";
        byte[] json = ("{\"kind\":\"Status\",\"status\":\"Failure\",\"details\":{\"causes\":[" + (cause + ",").repeat(100_000) + cause
                + "],\"retryAfterSeconds\":7},\"message\":\"" + "x".repeat(1 << 20) + "\",\"code\":422}").getBytes(StandardCharsets.UTF_8);
        Status status = StatusReader.insteadOfValue(json, 0, json.length);
        assertThat(status.causes()).hasSize(100).containsOnly(new Status.Cause("r", "m", "f"));
        assertThat(status.retryAfter()).isEqualTo(Duration.ofSeconds(7));
        assertThat(status.message()).hasSize(2048);
        assertThat(status.code()).isEqualTo(422);
    }

    @Test
    void anAbsentBodyIsAStatusWithoutWords() {
        assertThat(CODEC.status(Flux.empty(), 503, null, Duration.ofSeconds(5)).block())
                .isEqualTo(new Status(503, "", "", List.of(), Duration.ofSeconds(5)));
    }

    /** What a load balancer says that has no living server. The API server's own answers are Statuses, or say when to come again. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            502 | text/html        | <html><head><title>502 Bad Gateway</title>                          | true
            502 |                  | ''                                                                  | true
            503 | text/plain       | no healthy upstream                                                 | true
            503 | application/json | {"message":"failure to get a peer from the ring-balancer"}          | true
            504 | text/html        | <html><h1>504 Gateway Time-out</h1>                                 | true
            503 | application/json | {"kind":"Status","code":503,"reason":"ServiceUnavailable"}          | false
            500 | text/plain       | boom                                                                | false
            429 |                  | Too many requests, please try again later.                          | false
            """)
    void aGatewaysOwnAnswerIsKnown(int code, String contentType, String body, boolean gateway) {
        Status status = CODEC.status(Bodies.of(body), code, contentType, null).block();
        assertThat(status.hasCause(Status.NOT_FROM_A_SERVER)).isEqualTo(gateway);
    }

    @Test
    void aRefusalWithoutAnEndIsNotReadToItsEnd() {
        Flux<ByteBuf> endless = Flux.generate(sink -> sink.next(Unpooled.wrappedBuffer(new byte[1 << 10])));
        assertThat(CODEC.status(endless, 503, "text/plain", null).block().code()).isEqualTo(503);
    }

    @Test
    void causesAndTheTimeToWaitAreRead() {
        String body = "{\"kind\":\"Status\",\"details\":{\"causes\":[{\"reason\":\"ResourceVersionTooLarge\",\"message\":\"Too large\"},"
                + "{\"reason\":\"FieldValueInvalid\",\"field\":\"spec.x\"}],\"retryAfterSeconds\":7,\"name\":\"x\"},\"code\":504,"
                + "\"reason\":\"Timeout\"}";
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
        assertThat(CODEC.status(Bodies.of("{\"reason\":\"R\",\"message\":\"" + endless + "\"}"), 500, null, null).block().reason())
                .isEqualTo("R");
        String causes = "{\"kind\":\"Status\",\"details\":{\"causes\":[{\"message\":\"" + "x".repeat(10_000) + "\"}]},\"code\":422}";
        assertThat(CODEC.status(Bodies.of(causes), 422, null, null).block().causes()).singleElement()
                .extracting(Status.Cause::message).asString().hasSize(2048).endsWith("x…");
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
        StepVerifier.create(CODEC.watch(Bodies.of(event), THINGS, Reading.anew(), "watch things"))
                .verifyErrorSatisfies(failure -> assertThat(failure).isInstanceOf(StatusException.class).hasMessage(message));
    }

    @Test
    void anErrorEventFailsAsItsType() {
        StepVerifier.create(CODEC.watch(Bodies.of("{\"type\":\"ERROR\",\"object\":{\"code\":409}}"), THINGS, Reading.anew(),
                "watch things"))
                .verifyError(ConflictException.class);
    }

    private static final String GONE = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
            + "\"message\":\"too old\",\"reason\":\"Expired\",\"code\":410}";

    private static final String SORTED = "{\"apiVersion\":\"v1\",\"code\":410,\"details\":{},\"kind\":\"Status\","
            + "\"message\":\"too old\",\"reason\":\"Expired\"}";

    /** Old servers, and what stands before a server, leave out the event around it. */
    @ParameterizedTest
    @ValueSource(strings = {
        "%s",
        "{\"object\":%s}",
        "{\"type\":\"ADDED\",\"object\":%s}",
        "{\"type\":\"DELETED\",\"object\":%s}",
        "{\"type\":\"BOOKMARK\",\"object\":%s}",
        "{\"type\":\"error\",\"object\":%s}",
        "{\"object\":%s,\"type\":\"STATUS\"}"
    })
    void aRefusalInPlaceOfAnEventFailsTheWatchAsItself(String event) {
        String pretty = GONE.replace(",", ",\n  ").replace("{", "{\n ");
        for (String status : List.of(GONE, SORTED, pretty)) {
            String good = "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"7\"}}}\n";
            byte[] body = (good + event.formatted(status) + "\n").getBytes(StandardCharsets.UTF_8);
            for (int cut = 1; cut < body.length; cut += 7) {
                StepVerifier.create(CODEC.watch(Bodies.splitAt(body, cut), THINGS, Reading.anew(), "watch things"))
                        .expectNextCount(1)
                        .verifyErrorSatisfies(failure -> assertThat(failure)
                                .isInstanceOf(ResourceVersionExpiredException.class)
                                .hasMessage("410 Expired: cannot watch things: too old"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "{\"kind\":\"Status\"}",
        "{\"kind\":\"Status\",\"status\":\"Failure\",\"code\":200}",
        "{\"apiVersion\":\"v1\",\"kind\":\"Status\",\"code\":0}"
    })
    void aRefusalWithoutACodeIsTheServersOwnFailure(String status) {
        StepVerifier.create(CODEC.watch(Bodies.of(status), THINGS, Reading.anew(), "watch things"))
                .verifyErrorSatisfies(failure -> assertThat(((StatusException) failure).code()).isEqualTo(500));
    }

    /** A Status that says that all went well, or an object of a custom type of that name, is no refusal. */
    @ParameterizedTest
    @ValueSource(strings = {
        "{\"kind\":\"Status\",\"status\":\"Success\"}",
        "{\"kind\":\"Status\",\"code\":200}",
        "{\"kind\":\"Status\",\"apiVersion\":\"example.com/v1\",\"code\":410}"
    })
    void whatIsNoRefusalIsNone(String body) {
        StepVerifier.create(CODEC.watch(Bodies.of(body), THINGS, Reading.anew(), "watch things"))
                .verifyError(UnexpectedAnswerException.class);
        StepVerifier.create(CODEC.list(Bodies.of(body), THINGS, Reading.anew())).verifyError(UnexpectedAnswerException.class);
    }

    @Test
    void aCustomObjectThatIsNamedStatusIsAnObject() {
        String event = "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":410,"
                + "\"metadata\":{\"name\":\"a\"}}}";
        StepVerifier.create(CODEC.watch(Bodies.of(event), THINGS, Reading.anew(), "watch things"))
                .expectNextMatches(ObjectEvent.Applied.class::isInstance).verifyComplete();
    }

    @Test
    void aRefusalInPlaceOfAListOrOfAnItemFailsTheListAsItself() {
        for (String body : List.of(GONE, SORTED, GONE.replace(",", ",\n\t"), GONE.substring(0, GONE.length() - 1) + "\n",
                "{\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[" + GONE + "]}")) {
            for (int cut = 1; cut < body.length(); cut += 7) {
                StepVerifier.create(CODEC.list(Bodies.splitAt(body.getBytes(StandardCharsets.UTF_8), cut), THINGS, Reading.anew()))
                        .verifyErrorSatisfies(failure -> assertThat(failure)
                                .isInstanceOf(ResourceVersionExpiredException.class)
                                .hasMessage("410 Expired: cannot list things.v1: too old"));
            }
        }
    }

    @Test
    void aRefusalInPlaceOfAnObjectOrADocumentIsThatRefusal() {
        StepVerifier.create(CODEC.object(Bodies.of(GONE), ResourceType.of(V1ConfigMap.class)))
                .verifyError(ResourceVersionExpiredException.class);
        StepVerifier.create(CODEC.object(Bodies.of(GONE), THINGS)).verifyError(ResourceVersionExpiredException.class);
        StepVerifier.create(CODEC.tree(Bodies.of(GONE))).verifyError(ResourceVersionExpiredException.class);
        StepVerifier.create(CODEC.tree(Bodies.of("{\"kind\":\"Status\",\"status\":\"Success\"}"))).expectNextCount(1).verifyComplete();
    }
}
