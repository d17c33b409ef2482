package io.reactiveinformer.config;

import io.reactiveinformer.config.Certificates.Issued;
import java.nio.charset.StandardCharsets;
import java.security.interfaces.ECPrivateKey;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PemTest {

    private static final String ORIGIN = "/etc/kube/config: users[name=me].user.client-key-data";

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "Ed25519"})
    void readsPkcs8(String algorithm) {
        Issued issued = Certificates.authority("ca").issueWith(algorithm, "me");
        assertThat(issued.pkcs8Pem()).startsWith("-----BEGIN PRIVATE KEY-----");
        assertThat(Pem.privateKey(bytes(issued.pkcs8Pem()), ORIGIN)).isEqualTo(issued.key());
    }

    @Test
    void readsPkcs1() {
        Issued issued = Certificates.authority("ca").issueWith("RSA", "me");
        assertThat(issued.olderPem()).startsWith("-----BEGIN RSA PRIVATE KEY-----");
        assertThat(Pem.privateKey(bytes(issued.olderPem()), ORIGIN)).isEqualTo(issued.key());
    }

    @Test
    void readsSec1() {
        Issued issued = Certificates.authority("ca").issueWith("EC", "me");
        assertThat(issued.olderPem()).startsWith("-----BEGIN EC PRIVATE KEY-----");
        assertThat(((ECPrivateKey) Pem.privateKey(bytes(issued.olderPem()), ORIGIN)).getS())
                .isEqualTo(((ECPrivateKey) issued.key()).getS());
    }

    /** As {@code openssl ecparam -genkey -noout} does not write it, but some tools do: the curve in a block of its own before the key. */
    @Test
    void readsSec1WhoseCurveStandsApart() {
        Issued issued = Certificates.authority("ca").issue("me");
        String pem = """
                -----BEGIN EC PARAMETERS-----
                BggqhkjOPQMBBw==
                -----END EC PARAMETERS-----
                """ + issued.sec1WithoutCurve();
        assertThat(Pem.privateKey(bytes(pem), ORIGIN)).isEqualTo(issued.key());
    }

    @Test
    void refusesSec1WithoutAnyCurve() {
        assertThatThrownBy(() -> Pem.privateKey(bytes(Certificates.authority("ca").issue("me").sec1WithoutCurve()), ORIGIN))
                .hasMessage(ORIGIN + ": the private key is malformed, or names no curve");
    }

    @Test
    void readsAKeyThatStandsAmongOtherThings() {
        Issued issued = Certificates.authority("ca").issueWith("EC", "me");
        String bundle = "# made yesterday\n" + issued.certificatePem() + "\r\n" + issued.pkcs8Pem().replace("\n", "\r\n");
        assertThat(Pem.privateKey(bytes(bundle), ORIGIN)).isEqualTo(issued.key());
    }

    @Test
    void readsAllCertificatesOfABundleInOrder() {
        var one = Certificates.authority("one").self();
        var two = Certificates.authority("two").self();
        assertThat(Pem.certificates(bytes(one.certificatePem() + two.certificatePem()), ORIGIN))
                .containsExactly(one.certificate(), two.certificate());
    }

    @Test
    void saysWhatWasExpectedInsteadOfNoKey() {
        assertThatThrownBy(() -> Pem.privateKey(bytes("s3cret"), ORIGIN))
                .isInstanceOf(ConfigException.class)
                .hasMessage(ORIGIN + ": expected a PEM private key (PRIVATE KEY, RSA PRIVATE KEY, EC PRIVATE KEY), found none");
    }

    @Test
    void saysHowToMendAnEncryptedKey() {
        for (String encrypted : new String[] {
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----",
            "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAAA\n-----END RSA PRIVATE KEY-----"
        }) {
            assertThatThrownBy(() -> Pem.privateKey(bytes(encrypted), ORIGIN))
                    .hasMessage(ORIGIN + ": the private key is encrypted; expected one without a passphrase (openssl pkey removes it)");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"})
    void neverQuotesAMalformedKey(String type) {
        byte[] garbage = bytes("s3cret s3cret");
        for (String content : new String[] {Base64.getEncoder().encodeToString(garbage), "s3cret!", ""}) {
            String pem = "-----BEGIN " + type + "-----\n" + content + "\n-----END " + type + "-----\n";
            assertThatThrownBy(() -> Pem.privateKey(bytes(pem), ORIGIN))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith(ORIGIN)
                    .satisfies(failure -> assertThat(failure.toString()).doesNotContain("s3cret").doesNotContain("czNjcmV0"));
        }
    }

    @Test
    void countsTheCertificateThatCannotBeRead() {
        String good = Certificates.authority("one").self().certificatePem();
        String bad = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        assertThatThrownBy(() -> Pem.certificates(bytes(good + bad), "/ca.crt"))
                .hasMessageStartingWith("/ca.crt: certificate 2 cannot be read: ");
        assertThatThrownBy(() -> Pem.certificates(bytes(""), "/ca.crt"))
                .hasMessage("/ca.crt: expected a PEM certificate (-----BEGIN CERTIFICATE-----), found none");
    }
}
