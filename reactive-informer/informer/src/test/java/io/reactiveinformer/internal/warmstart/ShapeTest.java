package io.reactiveinformer.internal.warmstart;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.reactiveinformer.resource.FieldPath;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Each pair is one class in two versions of a program; what was saved by the one must not be taken for complete by the other. */
class ShapeTest {

    private interface Before {

        record Path(@FieldPath("spec.nodeName") String host) {}

        enum Phase {
            RUNNING
        }

        interface Setter {

            @JsonProperty("name")
            void setName(String value);
        }

        record Same(@FieldPath("spec.nodeName") String host, int count) {}
    }

    private interface After {

        record Path(@FieldPath("status.hostIP") String host) {}

        enum Phase {
            RUNNING, PENDING
        }

        interface Setter {

            @JsonProperty("title")
            void setName(String value);
        }

        record Same(@FieldPath("spec.nodeName") String host, int count) {}
    }

    private static String shape(Class<?> type) {
        return Shape.of(type).replace("Before", "After");
    }

    @Test
    void aPathOfAProjectionBelongsToIt() {
        assertThat(shape(Before.Path.class)).isNotEqualTo(shape(After.Path.class));
    }

    @Test
    void soDoTheConstantsOfAnEnum() {
        assertThat(shape(Before.Phase.class)).isNotEqualTo(shape(After.Phase.class));
    }

    @Test
    void soDoAnnotationsOfSetters() {
        assertThat(shape(Before.Setter.class)).isNotEqualTo(shape(After.Setter.class));
    }

    @Test
    void whatIsTheSameIsTheSame() {
        assertThat(shape(Before.Same.class)).isEqualTo(shape(After.Same.class));
    }
}
