package io.reactiveinformer.apiserver;

import io.reactiveinformer.apiserver.internal.cluster.YamlText;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends requests to the fake server, or with {@code REAL_KUBECONFIG} to the real one, and compares the answers with those that a real 1.36
 * gave. The real server's answers are recorded anew with {@code -Djudge.record=DIR}.
 */
final class Judge implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final @Nullable ApiServer fake;
    private final KubernetesClient client;
    private final List<String> answers = new ArrayList<>();

    Judge() {
        this(System.getenv("REAL_KUBECONFIG"));
    }

    /** @param kubeconfig of the real server; null for the fake one */
    Judge(@Nullable String kubeconfig) {
        fake = kubeconfig == null ? ApiServer.builder().build().start(0) : null;
        client = KubernetesClient.create(fake == null ? ClusterConfig.kubeconfig(Path.of(kubeconfig)) : ClusterConfig.of(fake.url()),
                ClientOptions.defaults().withWriteLimit(0, 1));
    }

    boolean isReal() {
        return fake == null;
    }

    static List<JsonNode> table(String name) {
        return read(text("cel/" + name)).valueStream().toList();
    }

    static JsonNode read(String yaml) {
        return YamlText.read(yaml).get(0);
    }

    static String text(String name) {
        try (InputStream in = Judge.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * What a server answers.
     *
     * @param refusal null if it accepts the request
     * @param object as the server stores it; missing if it refuses
     */
    record Answer(@Nullable Status refusal, JsonNode object) {

        boolean accepted() {
            return refusal == null;
        }

        /** What a refusal says first: code, reason and field, or its whole message if it names no field; empty if there is none. */
        String first() {
            return refusal == null ? "" : refusal.code() + " " + refusal.reason() + " " + (refusal.causes().isEmpty() ? refusal.message()
                    : refusal.causes().get(0).field() + " " + refusal.causes().get(0).reason());
        }
    }

    /** Sends a request. */
    Answer ask(String method, String path, @Nullable JsonNode body) {
        try {
            return new Answer(null, client.raw().send(method, path, body).blockOptional(PATIENCE).orElse(MissingNode.getInstance()));
        } catch (StatusException refused) {
            return new Answer(refused.status(), MissingNode.getInstance());
        }
    }

    /** Sends a request. Returns what the server says: {@code ok}, or why it refuses. */
    String send(String method, String path, @Nullable JsonNode body) {
        Status refusal = ask(method, path, body).refusal();
        return refusal == null ? "ok" : refusal.code() + " " + refusal.message();
    }

    JsonNode get(String path) {
        return client.raw().json(path).block(PATIENCE);
    }

    void answered(String question, String answer) {
        answers.add(question + "\n    " + answer.replaceAll("selfType\\d+", "selfType").replace("\n", "\n    "));
    }

    /** Compares the answers with those of a file. */
    void areThoseOf(String name) {
        String all = String.join("\n", answers) + "\n";
        String record = System.getProperty("judge.record");
        if (record == null) {
            assertThat(all).isEqualTo(text("cel/" + name));
            return;
        }
        try {
            Files.writeString(Path.of(record, name), all);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        client.close();
        if (fake != null) {
            fake.close();
        }
    }
}
