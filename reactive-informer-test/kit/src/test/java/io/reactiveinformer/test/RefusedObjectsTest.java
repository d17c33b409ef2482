package io.reactiveinformer.test;

import io.reactiveinformer.transport.HttpRequest.Headers;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Kubernetes' own code is the judge of what is refused: each case of {@code refused-objects.txt} is to get the same answer. */
class RefusedObjectsTest {

    /** Raised with the server, never lowered. */
    private static final int SAME_DECISION = 580;

    private static final int SAME_MESSAGE = 551;

    private final Map<String, Valid> valid = new HashMap<>();

    private record Valid(String path, ObjectNode object) {}

    private record Case(String words, int code, String message) {}

    private record Answer(int code, String message) {}

    @Test
    void answersAsKubernetesDoes() throws IOException {
        lines("valid-objects.txt").forEach(line -> {
            String[] words = line.split(" ", 3);
            valid.put(words[0], new Valid(words[1], (ObjectNode) JsonMapper.shared().readTree(words[2])));
        });
        int decided = 0;
        int said = 0;
        List<String> differences = new ArrayList<>();
        List<Case> cases = cases();
        for (Case each : cases) {
            Answer answer = answer(each.words());
            boolean same = answer.code() == each.code();
            decided += same ? 1 : 0;
            said += same && answer.message().equals(each.message()) ? 1 : 0;
            if (!same || !answer.message().equals(each.message())) {
                differences.add(each.words() + "\n  real " + each.code() + " " + each.message() + "\n  ours " + answer.code() + " "
                        + answer.message());
            }
        }
        Path report = Files.createDirectories(Path.of("target")).resolve("refused-objects.txt");
        Files.write(report, differences);
        assertThat(cases).hasSize(587);
        assertThat(decided).as("the same code, of %d; see %s", cases.size(), report.toAbsolutePath()).isGreaterThanOrEqualTo(SAME_DECISION);
        assertThat(said).as("the same message, too; see %s", report.toAbsolutePath()).isGreaterThanOrEqualTo(SAME_MESSAGE);
    }

    private Answer answer(String words) {
        String[] parts = words.split(" ", 4);
        Valid object = Objects.requireNonNull(valid.get(parts[1]), parts[1]);
        try (FakeApiServer server = FakeApiServer.create()) {
            var requests = new Requests(server.transport());
            ObjectNode sent = object.object().deepCopy();
            Requests.Answered answer;
            if (parts[0].equals("update")) {
                Requests.Answered created = requests.post(object.path(), sent.toString());
                assertThat(created.status()).as(created.body()).isEqualTo(201);
                sent = (ObjectNode) created.json();
                change(sent, parts[2].split("\\.", -1), parts[3]);
                answer = requests.send("PUT", object.path() + "/" + sent.at("/metadata/name").asString(),
                        Headers.of("Content-Type", "application/json"), sent.toString());
            } else {
                change(sent, parts[2].split("\\.", -1), parts[3]);
                answer = requests.post(object.path(), sent.toString());
            }
            return new Answer(answer.status(), answer.status() < 300 ? "" : answer.json().path("message").asString().split("\n", 2)[0]);
        }
    }

    private static void change(JsonNode tree, String[] path, String json) {
        JsonNode at = tree;
        for (int i = 0; i < path.length - 1; i++) {
            at = at instanceof ObjectNode object ? object.has(path[i]) ? object.path(path[i]) : object.putObject(path[i])
                    : at.path(Integer.parseInt(path[i]));
        }
        String last = path[path.length - 1];
        if (at instanceof ObjectNode object) {
            if (json.equals("-")) {
                object.remove(last);
            } else {
                object.set(last, JsonMapper.shared().readTree(json));
            }
        } else if (at instanceof ArrayNode list) {
            int index = Integer.parseInt(last);
            if (index == list.size()) {
                list.add(JsonMapper.shared().readTree(json));
            } else {
                list.set(index, JsonMapper.shared().readTree(json));
            }
        }
    }

    private static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        String words = "";
        for (String line : lines("refused-objects.txt")) {
            if (line.startsWith(" ")) {
                String[] answer = line.trim().split(" ", 2);
                cases.add(new Case(words, Integer.parseInt(answer[0]),
                        answer.length == 1 ? "" : JsonMapper.shared().readTree(answer[1]).asString()));
            }
            words = line;
        }
        return cases;
    }

    private static List<String> lines(String resource) {
        try (InputStream stream = RefusedObjectsTest.class.getResourceAsStream(resource)) {
            return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8).lines()
                    .filter(line -> !line.isEmpty() && !line.startsWith("#")).toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
