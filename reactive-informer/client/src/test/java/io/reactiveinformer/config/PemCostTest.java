package io.reactiveinformer.config;

import io.reactiveinformer.Cost;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Law 25: beginnings without an end are not looked for to the end of the file, each anew. */
class PemCostTest {

    private static final Cost LIMIT = new Cost(300_000_000, 200 << 20);

    @Test
    void aMegabyteOfBeginningsIsReadOnce() {
        byte[] text = "-----BEGIN CERTIFICATE-----\n".repeat(40_000).getBytes(StandardCharsets.US_ASCII);
        Cost cost = Cost.within(LIMIT, () -> assertThatThrownBy(() -> Pem.certificates(text, "ca.crt"))
                .isInstanceOf(ConfigException.class)
                .hasMessage("ca.crt: expected a PEM certificate (-----BEGIN CERTIFICATE-----), found none"));
        assertThat(cost.exceeds(LIMIT)).as("%s", cost).isFalse();
    }
}
