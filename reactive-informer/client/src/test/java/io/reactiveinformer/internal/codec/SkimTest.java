package io.reactiveinformer.internal.codec;

import io.reactiveinformer.resource.ObjectKey;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class SkimTest {

    private final Skim skim = new Skim(new SharedStrings());

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"7"}}                                    | n/a
            {"spec":{"metadata":{"name":"x","uid":"no"}},"metadata":{"uid":"u","resourceVersion":"7","name":"a"}}        | a
            {"a":[{"metadata":{"name":"x"}}],"metadata":{"labels":{"name":"x"},"name":"a","uid":"u","resourceVersion":"7"}}| a
            { "metadata" : { "ownerReferences" : [{"uid":"x","name":"x"}] , "name" : "a" , "uid" : "u", "resourceVersion" : "7" } } | a
            {"m\\u0065tadata":{"n\\u0061me":"\\u0061\\u00e9\\"\\\\😀","uid":"u","resourceVersion":"7"}}                    | aé"\\😀
            {"metadata":{"name":"a","namespace":"","uid":"u","resourceVersion":"7"}}                                     | a
            {"metadata":{"name":"a","namespace":null,"uid":"u","resourceVersion":"7"}}                                   | a
            """)
    void readsKeyUidAndVersion(String object, String key) {
        byte[] bytes = object.getBytes(StandardCharsets.UTF_8);
        skim.object(bytes, 0, bytes.length);
        assertThat(skim.key()).isEqualTo(ObjectKey.parse(key));
        assertThat(skim.uid).isEqualTo("u");
        assertThat(skim.resourceVersion).isEqualTo("7");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}
            {"metadata":null}
            {"metadata":[{"name":"a"}]}
            {"metadata":{"name":5}}
            {"metadata":{"name":""}}
            {"metadata":{"labels":{"name":"a"}}}
            {"spec":{"metadata":{"name":"a"}}}
            "metadata"
            null
            """)
    void knowsWhatItDoesNotKnow(String object) {
        byte[] bytes = object.getBytes(StandardCharsets.UTF_8);
        skim.object(bytes, 0, bytes.length);
        assertThat(skim.key()).isNull();
    }

    @Test
    void remembersNothingOfTheObjectBefore() {
        byte[] bytes = "{\"kind\":\"X\",\"metadata\":{\"name\":\"a\",\"uid\":\"u\",\"resourceVersion\":\"7\"}}"
                .getBytes(StandardCharsets.UTF_8);
        skim.object(bytes, 0, bytes.length);
        skim.object(new byte[] {'{', '}'}, 0, 2);
        assertThat(skim.key()).isNull();
        assertThat(skim.uid).isNull();
        assertThat(skim.resourceVersion).isNull();
        assertThat(skim.hasKind).isFalse();
    }

    /** The first bytes of an object that is too large to be kept. */
    @Test
    void readsTheBeginningOfAnObject() {
        String object =
                "{\"metadata\":{\"name\":\"a\",\"namespace\":\"n\",\"uid\":\"u\",\"resourceVersion\":\"7\\\"8\"},\"data\":{\"x\":\"y\"}}";
        byte[] bytes = object.getBytes(StandardCharsets.UTF_8);
        int known = object.indexOf("},\"data");
        for (int length = 0; length < bytes.length; length++) {
            skim.object(bytes, 0, length);
            if (length >= known) {
                assertThat(skim.key()).isEqualTo(ObjectKey.of("n", "a"));
            }
            assertThat(skim.resourceVersion).isIn(null, "7\"8");
        }
    }
}
