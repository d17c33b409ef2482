package io.reactiveinformer.config;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Keys that openssl wrote: those that are checked in, and those that the openssl of this machine, where there is one, writes anew. */
@Timeout(60)
class OpensslKeysTest {

    private static final Path CHECKED_IN = Path.of("src/test/resources/keys");

    @TempDir
    static Path directory;

    private static boolean anew;

    @BeforeAll
    static void writeKeys() throws IOException, InterruptedException {
        Path log = directory.resolve("log");
        try {
            Process openssl = new ProcessBuilder("sh", CHECKED_IN.resolve("make.sh").toString(), directory.toString())
                    .redirectErrorStream(true).redirectOutput(log.toFile()).start();
            anew = openssl.waitFor(30, TimeUnit.SECONDS) && openssl.exitValue() == 0;
        } catch (IOException noShell) {
            anew = false;
        }
        boolean installed = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(path -> Files.isExecutable(Path.of(path, "openssl")));
        assertThat(anew || !installed).as(() -> read(log)).isTrue();
    }

    private static Stream<Path> places() {
        return anew ? Stream.of(CHECKED_IN, directory) : Stream.of(CHECKED_IN);
    }

    private static Stream<Arguments> in(String keys, List<String> forms, String... rest) {
        return places().flatMap(place -> forms.stream().map(form -> {
            var arguments = Stream.concat(Stream.<Object>of(place.resolve(keys), form), Stream.of((Object[]) rest)).toArray();
            return Arguments.of(arguments);
        }));
    }

    static Stream<Arguments> readable() {
        List<String> elliptic = List.of("sec1", "parameters-and-sec1", "sec1-without-public", "pkcs8");
        return Stream.of(
                        in("P-256", elliptic, "EC", "SHA256withECDSA"),
                        in("P-384", elliptic, "EC", "SHA384withECDSA"),
                        in("P-521", elliptic, "EC", "SHA512withECDSA"),
                        in("RSA", List.of("pkcs1", "pkcs8"), "RSA", "SHA256withRSA"),
                        in("Ed25519", List.of("pkcs8"), "EdDSA", "EdDSA"))
                .flatMap(cases -> cases);
    }

    @ParameterizedTest
    @MethodSource("readable")
    void whatIsReadSignsForThePublicKeyBesideIt(Path keys, String form, String algorithm, String signing)
            throws IOException, GeneralSecurityException {
        assertThat(signsFor(publicKey(keys, algorithm), key(keys, form), signing)).isTrue();
    }

    /** Labels are wrong at times; Go does not trust them either. */
    @ParameterizedTest
    @MethodSource("readable")
    void theLabelOfAKeyDoesNotCount(Path keys, String form, String algorithm, String signing) throws IOException, GeneralSecurityException {
        for (String label : List.of("PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY")) {
            String text = Files.readString(keys.resolve(form + ".pem")).replaceAll("(BEGIN|END) [A-Z ]*PRIVATE KEY", "$1 " + label);
            assertThat(signsFor(publicKey(keys, algorithm), Pem.privateKey(text.getBytes(StandardCharsets.US_ASCII), "key"), signing))
                    .isTrue();
        }
    }

    static Stream<Arguments> refused() {
        List<String> elliptic = List.of("sec1", "parameters-and-sec1", "sec1-without-public", "pkcs8");
        List<String> explicit = List.of("explicit-sec1", "explicit-pkcs8");
        String numbers =
                "the EC private key gives the numbers of its curve; expected the curve's name (openssl ec -param_enc named_curve writes "
                + "it)";
        return Stream.of(
                        in("secp256k1", elliptic,
                                "the EC private key has the curve secp256k1, which TLS does not have; expected P-256, P-384, P-521"),
                        Stream.of("P-256", "P-384", "P-521", "secp256k1").flatMap(curve -> in(curve, explicit, numbers)),
                        in("encrypted", List.of("sec1", "pkcs8", "pkcs1"),
                                "the private key is encrypted; expected one without a passphrase (openssl pkey removes it)"),
                        in("other", List.of("x25519", "rsa-pss"), "the private key is malformed, or neither RSA, EC nor Ed25519"),
                        in("RSA", List.of("public"),
                                "expected a PEM private key (PRIVATE KEY, RSA PRIVATE KEY, EC PRIVATE KEY), found only PUBLIC KEY"))
                .flatMap(cases -> cases);
    }

    @ParameterizedTest
    @MethodSource("refused")
    void whatCannotBeUsedIsRefusedWithItsReason(Path keys, String form, String reason) {
        assertThatThrownBy(() -> key(keys, form)).isInstanceOf(ConfigException.class).hasMessage("key: " + reason);
    }

    /** No input may end in another failure than the one for files that are wrong. */
    @ParameterizedTest
    @MethodSource("readable")
    void aKeyThatWasCutOrChangedIsReadOrRefused(Path keys, String form, String algorithm, String signing) throws IOException {
        String[] lines = Files.readString(keys.resolve(form + ".pem")).replaceAll("(?s).*-----BEGIN (?!EC PARAMETERS)", "-----BEGIN ")
                .split("\n", 2);
        byte[] content = Base64.getMimeDecoder().decode(lines[1].replaceAll("-----END.*", "").strip());
        for (int at = 0; at < Math.min(content.length, 200); at++) {
            readOrRefused(lines[0], Arrays.copyOf(content, at));
            for (int other : new int[] {0, 1, 0x30, 0x7F, 0x80, 0x81, 0x84, 0xFF}) {
                byte[] changed = content.clone();
                changed[at] = (byte) other;
                readOrRefused(lines[0], changed);
            }
        }
    }

    private static void readOrRefused(String begin, byte[] content) {
        String pem = begin + "\n" + Base64.getMimeEncoder().encodeToString(content) + "\n" + begin.replace("BEGIN", "END") + "\n";
        try {
            assertThat(Pem.privateKey(pem.getBytes(StandardCharsets.US_ASCII), "key")).isNotNull();
        } catch (ConfigException refused) {
            assertThat(refused).hasMessageStartingWith("key: ");
        }
    }

    private static PrivateKey key(Path keys, String form) throws IOException {
        return Pem.privateKey(Files.readAllBytes(keys.resolve(form + ".pem")), "key");
    }

    private static PublicKey publicKey(Path keys, String algorithm) throws IOException, GeneralSecurityException {
        String text = Files.readString(keys.resolve("public.pem")).replaceAll("-----.*-----", "").strip();
        return KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(Base64.getMimeDecoder().decode(text)));
    }

    private static boolean signsFor(PublicKey owner, PrivateKey key, String algorithm) throws GeneralSecurityException {
        byte[] sample = {1, 2, 3};
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(sample);
        byte[] signed = signature.sign();
        signature.initVerify(owner);
        signature.update(sample);
        return signature.verify(signed);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
