package io.reactiveinformer.config;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;

/** An authority for tests, and what it signs. */
public final class Certificates {

    private static final AtomicLong SERIAL = new AtomicLong(1);

    private final Issued self;

    private Certificates(Issued self) {
        this.self = self;
    }

    /** A certificate and its key. */
    public record Issued(X509Certificate certificate, PrivateKey key) {

        public String certificatePem() {
            return pem(certificate);
        }

        /** The form of {@code openssl genpkey}. */
        public String pkcs8Pem() {
            try {
                return pem(new JcaPKCS8Generator(key, null).generate());
            } catch (IOException impossible) {
                throw new AssertionError(impossible);
            }
        }

        /** What is left of an EC key when its curve stands elsewhere. */
        public String sec1WithoutCurve() {
            return pem(key);
        }

        /** The older form: PKCS#1 for RSA, SEC1 for EC. */
        public String olderPem() {
            if (!(key instanceof ECPrivateKey elliptic)) {
                return pem(key);
            }
            var curve = SECObjectIdentifiers.secp256r1; // openssl names it in the key, as RFC 5915 demands
            try {
                return pem(new PemObject("EC PRIVATE KEY",
                        new org.bouncycastle.asn1.sec.ECPrivateKey(256, elliptic.getS(), curve).getEncoded()));
            } catch (IOException impossible) {
                throw new AssertionError(impossible);
            }
        }
    }

    public static Certificates authority(String name) {
        KeyPair keys = keys("EC");
        Instant now = Instant.now();
        return new Certificates(sign(name, keys, keys.getPrivate(), new X500Name("CN=" + name), now.minus(1, ChronoUnit.DAYS),
                now.plus(1, ChronoUnit.DAYS), true, List.of()));
    }

    public Issued self() {
        return self;
    }

    /** For today; {@code names} are DNS names and IP addresses. */
    public Issued issue(String subject, String... names) {
        return issueWith("EC", subject, names);
    }

    /** With a key of this kind: RSA, EC or Ed25519. */
    public Issued issueWith(String algorithm, String subject, String... names) {
        Instant now = Instant.now();
        return issueWith(algorithm, subject, now.minus(1, ChronoUnit.DAYS), now.plus(1, ChronoUnit.DAYS), names);
    }

    public Issued issueWith(String algorithm, String subject, Instant from, Instant until, String... names) {
        return sign(subject, keys(algorithm), self.key, new X500Name(self.certificate.getSubjectX500Principal().getName()),
                from, until, false,
                List.of(names));
    }

    private static Issued sign(
            String subject, KeyPair keys, PrivateKey signingKey, X500Name issuer, Instant from,
            Instant until, boolean authority, List<String> names) {
        try {
            var builder = new JcaX509v3CertificateBuilder(
                    issuer, BigInteger.valueOf(SERIAL.getAndIncrement()), Date.from(from), Date.from(until), new X500Name("CN=" + subject),
                    keys.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
            if (!names.isEmpty()) {
                builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names.stream()
                        .map(name -> new GeneralName(name.matches("[0-9.]+|.*:.*") ? GeneralName.iPAddress : GeneralName.dNSName, name))
                        .toArray(GeneralName[]::new)));
            }
            var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(signingKey);
            return new Issued(new JcaX509CertificateConverter().getCertificate(builder.build(signer)), keys.getPrivate());
        } catch (CertIOException | OperatorCreationException | GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static KeyPair keys(String algorithm) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            if (algorithm.equals("EC")) {
                generator.initialize(new ECGenParameterSpec("secp256r1"));
            }
            return generator.generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static String pem(Object what) {
        var text = new StringWriter();
        try (var writer = new JcaPEMWriter(text)) {
            writer.writeObject(what);
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
        return text.toString();
    }
}
