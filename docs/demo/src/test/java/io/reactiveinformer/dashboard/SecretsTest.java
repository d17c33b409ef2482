package io.reactiveinformer.dashboard;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class SecretsTest {

    @ParameterizedTest
    @ValueSource(strings = {
            "{\"kind\":\"Secret\",\"metadata\":{}}",
            "{\"metadata\":{},\"data\":{\"password\":\"aA==\"},\"type\":\"Opaque\"}"})
    void treesOfSecretsAreRecognized(String tree) {
        assertThat(Secrets.isOne(JsonMapper.shared().readTree(tree))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "{\"kind\":\"Widget\",\"data\":{},\"type\":\"round\"}",
            "{\"metadata\":{},\"data\":{\"colour\":\"blue\"}}",
            "{\"metadata\":{},\"type\":\"round\"}"})
    void otherTreesAreNone(String tree) {
        assertThat(Secrets.isOne(JsonMapper.shared().readTree(tree))).isFalse();
    }

    @Test
    void theModelClassIsRecognized() {
        assertThat(Secrets.isOne(new V1Secret())).isTrue();
        assertThat(Secrets.isOne(new V1ConfigMap())).isFalse();
    }
}
