package io.reactiveinformer.test;

import io.reactiveinformer.transport.HttpRequest.Headers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which tokens are accepted, and in which namespaces a rule applies. */
class AccessControlTest {

    private final FakeApiServer server = FakeApiServer.create();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    private int get(String token, String path) {
        Headers headers = Headers.of("Accept", "application/json");
        return requests.send("GET", path, token.isEmpty() ? headers : headers.with("Authorization", "Bearer " + token), null).status();
    }

    @Test
    void theLastTokenThatIsRevokedLetsNobodyIn() {
        server.access().admin("a", "alice");
        assertThat(get("a", "/api/v1/pods")).isEqualTo(200);
        server.access().revoke("a");
        assertThat(get("a", "/api/v1/pods")).isEqualTo(401);
        assertThat(get("b", "/api/v1/pods")).isEqualTo(401);
        assertThat(get("a", "/api")).as("a path that needs no rule").isEqualTo(401);
        assertThat(get("", "/api/v1/pods")).as("without a token").isEqualTo(403);
        server.access().user("a", "alice");
        assertThat(get("a", "/api/v1/pods")).as("given back, with its rules").isEqualTo(200);
        server.access().revoke("a").clear();
        assertThat(get("a", "/api/v1/pods")).isEqualTo(200);
    }

    @Test
    void aTokenThatNobodyHadIsRevokedWithoutEffect() {
        server.access().revoke("a");
        assertThat(get("a", "/api/v1/pods")).as("there are no users").isEqualTo(200);
    }

    @Test
    void aRevokedUserHasNoTokenInAKubeconfig() {
        server.access().admin("a", "alice").revoke("a");
        assertThat(server.access().token("alice")).isEmpty();
    }

    @Test
    void aStarIsEachNamespace() {
        server.access().user("a", "alice").allow("alice", "list", "pods", "*");
        assertThat(get("a", "/api/v1/namespaces/default/pods")).isEqualTo(200);
        assertThat(get("a", "/api/v1/namespaces/kube-system/pods")).isEqualTo(200);
        assertThat(get("a", "/api/v1/pods")).isEqualTo(200);
        assertThat(get("a", "/api/v1/namespaces/default/secrets")).isEqualTo(403);
        server.access().deny("alice", "*", "*", "*");
        assertThat(get("a", "/api/v1/namespaces/default/pods")).isEqualTo(403);
        server.access().allow("alice", "*", "pods", "default");
        assertThat(get("a", "/api/v1/namespaces/default/pods")).isEqualTo(200);
        assertThat(get("a", "/api/v1/pods")).isEqualTo(403);
    }
}
