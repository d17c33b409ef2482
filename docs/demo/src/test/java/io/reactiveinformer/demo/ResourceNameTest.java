package io.reactiveinformer.demo;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ResourceNameTest {

    @ParameterizedTest
    @CsvSource(emptyValue = "", nullValues = "-", value = {
            "pods, pods, -, ''",
            "pods.v1, pods, v1, ''",
            "deployments.apps, deployments, -, apps",
            "deployments.v1.apps, deployments, v1, apps",
            "widgets.example.com, widgets, -, example.com",
            "widgets.v2beta1.example.com, widgets, v2beta1, example.com",
            "things.v1x.example.com, things, -, v1x.example.com"})
    void takesASecondSegmentThatLooksLikeOneForAVersion(String text, String plural, String version, String group) {
        assertThat(ResourceName.parse(text)).isEqualTo(new ResourceName(plural, version, group)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "pods/", "a b", "pods.", ".v1", "pods..v1", "../nodes"})
    void refusesWhatCannotBeAName(String text) {
        assertThatThrownBy(() -> ResourceName.parse(text)).isInstanceOf(UsageException.class).hasMessageContaining("deployments.apps");
    }
}
