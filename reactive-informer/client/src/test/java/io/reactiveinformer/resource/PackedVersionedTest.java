package io.reactiveinformer.resource;

import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class PackedVersionedTest {

    @Test
    void packedOrNotIsTheSame() {
        var random = new Random(1);
        for (int i = 0; i < 1_000; i++) {
            same(new UUID(random.nextLong(), random.nextLong()).toString(), Long.toString(random.nextLong() >>> random.nextInt(1, 64)));
        }
    }

    @ParameterizedTest
    @CsvSource(value = {
            "6ff0cb22-2f3a-4f23-9ba1-c1f7f7b5b6d8, 999999999999999999", "6ff0cb22-2f3a-4f23-9ba1-c1f7f7b5b6d8, 1000000000000000000",
            "6ff0cb22-2f3a-4f23-9ba1-c1f7f7b5b6d8, 007", "6ff0cb22-2f3a-4f23-9ba1-c1f7f7b5b6d8, 0",
            "6ff0cb22-2f3a-4f23-9ba1-c1f7f7b5b6d8, -1",
            "6ff0cb22-2f3a-4f23-9ba1-c1f7f7b5b6d8, ''", "6ff0cb22-2f3a-4f23-9ba1-c1f7f7b5b6d8, null",
            "6ff0cb22-2f3a-4f23-9ba1-c1f7f7b5b6d8, ٣",
            "6FF0CB22-2F3A-4F23-9BA1-C1F7F7B5B6D8, 1", "6ff0cb222-f3a-4f23-9ba1-c1f7f7b5b6d8, 1",
            "6ff0cb22-2f3a-4f23-9ba1-c1f7f7b5b6dg, 1", "uid, 1", "null, 1",
            "6ff0cb22-2f3a-4f23-9ba1-c1f7f7b5b6d, 1", "null, null"}, nullValues = "null")
    void whateverTheServerWritesComesOutAsItWentIn(@Nullable String uid, @Nullable String version) {
        same(uid, version);
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void statesAreDistinguished(boolean packed, boolean otherPacked) {
        Versioned<String> one = make(packed, "6ff0cb22-2f3a-4f23-9ba1-c1f7f7b5b6d8", "1");
        Versioned<String> later = make(otherPacked, "6ff0cb22-2f3a-4f23-9ba1-c1f7f7b5b6d8", "2");
        Versioned<String> recreated = make(otherPacked, "6ff0cb22-2f3a-4f23-9ba1-c1f7f7b5b6d9", "1");
        assertThat(one.sameVersion(later)).isFalse();
        assertThat(one.recreatedAs(later)).isFalse();
        assertThat(one).isNotEqualTo(later).isNotEqualTo(recreated);
        assertThat(one.sameVersion(recreated)).isFalse();
        assertThat(one.recreatedAs(recreated)).isTrue();
    }

    private static void same(@Nullable String uid, @Nullable String version) {
        Versioned<String> plain = make(false, uid, version);
        Versioned<String> packed = make(true, uid, version);
        assertThat(packed.uid()).isEqualTo(uid);
        assertThat(packed.resourceVersion()).isEqualTo(version);
        assertThat(packed).isEqualTo(plain).hasSameHashCodeAs(plain).hasToString(plain.toString());
        assertThat(plain).isEqualTo(packed);
        assertThat(packed.sameVersion(plain)).isEqualTo(version != null);
        assertThat(packed.recreatedAs(plain)).isFalse();
        assertThat(packed.with("other").uid()).isEqualTo(uid);
    }

    private static Versioned<String> make(boolean packed, @Nullable String uid, @Nullable String version) {
        return packed ? Versioned.packed(uid, version, "object") : new Versioned<>(uid, version, "object");
    }
}
