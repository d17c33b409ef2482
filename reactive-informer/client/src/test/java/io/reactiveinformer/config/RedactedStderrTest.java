package io.reactiveinformer.config;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class RedactedStderrTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', value = {
        "please log in: run aws sso login | please log in: run aws sso login",
        "no such profile /home/me/.aws/config in eu-central-1 (ip-10-0-0-1.eu-central-1.compute.internal) | no such profile "
                + "/home/me/.aws/config in eu-central-1 (ip-10-0-0-1.eu-central-1.compute.internal)",
        "token=s3cret&x=y | token=[…]&x=y",
        "got {'id_token': 's3cret'} | got {'id_token': '[…]'}",
        "Authorization: Bearer s3cret | Authorization: […]",
        "sent Bearer s3cret to it | sent Bearer […] to it",
        "AWS_SECRET_ACCESS_KEY=wJalr/bPx+x | AWS_SECRET_ACCESS_KEY=[…]",
        "password 'x' wrong; passwd: s3cret | password 'x' wrong; passwd: […]",
        "bad eyJhbGciOiJSUzI1NiJ9.e30.c2ln here | bad […] here",
        "bad k8s-aws-v1.aHR0cHM6Ly9zdHMuZXU here | bad […] here",
        "bad 0123456789abcdef01234567 here | bad […] here",
        "Get https://me:hunter3@proxy:3128/x failed | Get https://[…]@proxy:3128/x failed",
        "Get https://me:hun@ter3@proxy failed for me@example.com | Get https://[…]@proxy failed for me@example.com",
        "got {\"password\": \"correct horse; battery, \\\"staple\\\"\", \"x\": 1} | got {\"password\": \"[…]\", \"x\": 1}",
        "got {'password': 'correct horse', 'x': 1} | got {'password': '[…]', 'x': 1}",
        "err=\"got {\\\"token\\\":\\\"my secret\\\",\\\"x\\\":1}\" | err=\"got {\\\"token\\\":\\\"[…]\\\",\\\"x\\\":1}\"",
        "token 4f9d1c refused; password for bob: hunter3 refused | token […] refused; password for bob: […] refused",
        "pwd=x; GET /callback?code=x&state=y with AKIAIOSFODNN7EXAMPLE failed | pwd=[…]; GET /callback?code=[…]&state=y with […] failed",
        "the token has expired, exit code: 3 | the token has expired, exit code: 3",
        "the region eu is not hunter2's | the region eu is not […]'s",
    })
    void leavesOutWhatMayBeASecret(String said, String shown) {
        assertThat(RedactedStderr.of(said, List.of("eu", "hunter2"))).isEqualTo(shown);
    }

    @Test
    void isOneLineOfBoundedLength() {
        assertThat(RedactedStderr.of("one\r\ntwo\u0085three\u2028four\u001b[31m\u202efive ", List.of()))
                .isEqualTo("one two three four [31m five");
        assertThat(RedactedStderr.of("word ".repeat(1000), List.of())).hasSize(500).endsWith("…");
    }

    @Test
    void aLongValueIsLeftOutBeforeAPartOfIt() {
        assertThat(RedactedStderr.of("is secret-and-more", List.of("secret", "secret-and-more"))).isEqualTo("is […]");
    }

    /** A plugin's output is no reason to compute for long. */
    @Test
    void isQuick() {
        assertThat(RedactedStderr.of("aA1/".repeat(1000) + "é" + "a".repeat(2000), List.of())).contains("[…]");
    }
}
