package io.reactiveinformer.resource;

import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ObjectKeyTest {

    private static final List<String> TEXTS = List.of("a", "b", "a/a", "a/b", "b/a", "b/b");

    @Test
    void isEqualByNamespaceAndNameAlone() {
        for (String one : TEXTS) {
            for (String other : TEXTS) {
                ObjectKey key = ObjectKey.parse(one);
                assertThat(key.equals(ObjectKey.parse(other))).as("%s and %s", one, other).isEqualTo(one.equals(other));
            }
            assertThat(ObjectKey.parse(one)).hasSameHashCodeAs(ObjectKey.parse(new String(one)));
            assertThat(ObjectKey.parse(one).equals((Object) one)).isFalse();
        }
    }
}
