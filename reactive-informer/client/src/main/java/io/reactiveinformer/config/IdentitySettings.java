package io.reactiveinformer.config;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * A client certificate and its key, each in a file or as data.
 *
 * @param certificateInFile whether {@code certificate} is the path of a file; else it is the content in base64
 * @param keyInFile whether {@code key} is the path of a file; else it is the content in base64
 */
record IdentitySettings(Setting certificate, boolean certificateInFile, Setting key, boolean keyInFile) {

    /** Null if neither is configured. */
    static @Nullable IdentitySettings of(Settings settings) {
        Setting certificate = settings.certificateData != null ? settings.certificateData : settings.certificate;
        Setting key = settings.keyData != null ? settings.keyData : settings.key;
        if (certificate == null && key == null) {
            return null;
        }
        if (certificate == null || key == null) {
            throw new ConfigException((certificate == null ? key : certificate)
                    + ": expected both a client certificate and its key, found only this one");
        }
        return new IdentitySettings(certificate, settings.certificateData == null, key, settings.keyData == null);
    }

    Renewable<Credential.Identity> identity(Scheduler clock) {
        List<Setting> files = Stream.of(certificateInFile ? certificate : null, keyInFile ? key : null).filter(Objects::nonNull).toList();
        return WatchedFile.of(
                files,
                contents -> read(
                        certificateInFile ? contents.get(0) : Resolution.base64(certificate),
                        keyInFile ? contents.get(contents.size() - 1) : Resolution.base64(key)),
                clock);
    }

    private Credential.Identity read(byte[] certificateText, byte[] keyText) {
        return read(certificateText, describe(certificate, certificateInFile), keyText, describe(key, keyInFile));
    }

    /** Reads the output of a credential plugin: both in PEM. */
    static Credential.Identity read(String certificatePem, String keyPem, String origin) {
        return read(
                certificatePem.getBytes(StandardCharsets.UTF_8), origin + " certificate", keyPem.getBytes(StandardCharsets.UTF_8),
                origin + " key");
    }

    private static Credential.Identity read(byte[] certificateText, String certificateOrigin, byte[] keyText, String keyOrigin) {
        List<X509Certificate> chain = Pem.certificates(certificateText, certificateOrigin);
        PrivateKey privateKey = Pem.privateKey(keyText, keyOrigin);
        if (!belongTogether(chain.get(0), privateKey)) {
            throw new ConfigException(certificateOrigin + ": the key is not this certificate's; it comes from " + keyOrigin);
        }
        return new Credential.Identity(chain, privateKey);
    }

    /** Where the certificate comes from, for messages. */
    String origin() {
        return describe(certificate, certificateInFile);
    }

    private static String describe(Setting setting, boolean file) {
        return file ? setting.origin() + " " + setting.value() : setting.origin();
    }

    /** False for a moment while certificate and key are rotated one after the other; meanwhile the old ones are used. */
    private static boolean belongTogether(X509Certificate owner, PrivateKey privateKey) {
        try {
            String algorithm = switch (privateKey.getAlgorithm()) {
                case "RSA" -> "SHA256withRSA";
                case "EC" -> "SHA256withECDSA";
                default -> privateKey.getAlgorithm();
            };
            byte[] sample = {1, 2, 3};
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(privateKey);
            signature.update(sample);
            byte[] signed = signature.sign();
            signature.initVerify(owner);
            signature.update(sample);
            return signature.verify(signed);
        } catch (GeneralSecurityException anotherKindOfKey) {
            return false;
        }
    }
}
