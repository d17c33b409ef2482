package io.reactiveinformer.test;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class ListsTest {

    private final FakeApiServer server = FakeApiServer.create();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void pagesShowTheStateOfTheFirstOne() {
        configMaps("c0", "c1", "c2", "c3", "c4");
        JsonNode first = requests.get("/api/v1/namespaces/t/configmaps?limit=2").json();
        assertThat(first.path("metadata").path("remainingItemCount").asInt()).isEqualTo(3);
        configMaps("c9");
        List<String> names = new ArrayList<>(names(first));
        JsonNode page = first;
        while (page.path("metadata").has("continue")) {
            page = requests.get("/api/v1/namespaces/t/configmaps?limit=2&continue=" + page.path("metadata").path("continue").asString())
                    .json();
            assertThat(page.path("metadata").path("resourceVersion")).isEqualTo(first.path("metadata").path("resourceVersion"));
            names.addAll(names(page));
        }
        assertThat(names).containsExactly("c0", "c1", "c2", "c3", "c4");
    }

    @Test
    void undoesDeletionsAndChangesForAnOldVersion() {
        configMaps("a", "b");
        String then = server.resourceVersion();
        server.objects().delete("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t}}");
        server.objects().update("{apiVersion: v1, kind: ConfigMap, metadata: {name: b, namespace: t}, data: {k: changed}}");
        configMaps("c");
        JsonNode old = requests.get("/api/v1/configmaps?resourceVersionMatch=Exact&resourceVersion=" + then).json();
        assertThat(names(old)).containsExactly("a", "b");
        assertThat(old.path("items").path(1).path("data").path("k").asString()).isEqualTo("v");
    }

    @Test
    void expiresTokensAndOldVersionsOnceHistoryIsCompacted() {
        configMaps("c0", "c1", "c2");
        String token = requests.get("/api/v1/configmaps?limit=1").json().path("metadata").path("continue").asString();
        String then = server.resourceVersion();
        configMaps("c3");
        server.compact();
        var expired = requests.get("/api/v1/configmaps?limit=1&continue=" + token);
        assertThat(expired.status()).isEqualTo(410);
        String inconsistent = expired.json().path("metadata").path("continue").asString();
        JsonNode rest = requests.get("/api/v1/configmaps?continue=" + inconsistent).json();
        assertThat(names(rest)).containsExactly("c1", "c2", "c3");
        assertThat(requests.get("/api/v1/configmaps?limit=1&resourceVersion=" + then).json().path("reason").asString())
                .isEqualTo("Expired");
    }

    private void configMaps(String... names) {
        for (String name : names) {
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: t}, data: {k: v}}");
        }
    }

    private static List<String> names(JsonNode list) {
        List<String> names = new ArrayList<>();
        list.path("items").forEach(item -> names.add(item.path("metadata").path("name").asString()));
        return names;
    }
}
