package io.reactiveinformer.test;

import io.reactiveinformer.transport.HttpRequest.Headers;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A request that cannot be read, or asks for something that does not exist, is answered as the client's mistake, not as the server's. */
class UnreadableRequestsTest {

    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final Headers YAML = Headers.of("Content-Type", "application/yaml");
    private static final Headers APPLY = Headers.of("Content-Type", "application/apply-patch+yaml");

    private final FakeApiServer server = FakeApiServer.create();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: m}, data: {a: b, a: c}}",
        "{apiVersion: v1, kind: ConfigMap",
        "a: b: c"
    })
    void yamlThatCannotBeReadIsRefused(String body) {
        assertThat(requests.send("POST", MAPS, YAML, body).status()).isEqualTo(400);
        assertThat(requests.send("PATCH", MAPS + "/m?fieldManager=me", APPLY, body).status()).isEqualTo(400);
    }

    @Test
    @Timeout(60)
    void yamlThatIsLargerThanItsTextIsRefused() {
        String aliases = "a: &l0 {k: v, m: v}\n" + IntStream.range(1, 25).mapToObj(level -> "l" + level + ": &l" + level + " [*l"
                + (level - 1) + ", *l" + (level - 1) + "]\n").collect(Collectors.joining());
        for (String body : List.of(aliases, "a: &a [*a]", "a: " + "[".repeat(200_000), "{a: ".repeat(200_000))) {
            Requests.Answered answer = requests.send("POST", MAPS, YAML, body);
            assertThat(answer.status()).as(body.substring(0, 10)).isEqualTo(400);
        }
        assertThat(requests.send("POST", MAPS, YAML, aliases).json().path("message").asString()).contains("excessive aliasing");
    }

    @ParameterizedTest
    @CsvSource({"POST, '', application/json, CreateOptions", "PUT, /m, application/json, UpdateOptions",
            "PATCH, /m, application/merge-patch+json, PatchOptions"})
    void aLevelOfValidationThatThereIsNotIsRefused(String method, String path, String media, String options) {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: m}}");
        Requests.Answered answer = requests.send(method, MAPS + path + "?fieldValidation=Sometimes", Headers.of("Content-Type", media),
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"m\"}}");
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.json().path("message").asString()).isEqualTo(options + ".meta.k8s.io \"\" is invalid: fieldValidation: "
                + "Unsupported value: \"Sometimes\": supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"");
    }
}
