package io.reactiveinformer.apiserver.internal.server;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
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

/**
 * Signs the certificates of one server and of its users, which are valid for as long as a test may take. Its key exists in this process
 * only.
 */
public final class CertificateAuthority {

    private static final int DAYS = 30;

    private final AtomicLong serial = new AtomicLong(1);
    private final Issued self;

    /** A certificate and its private key. */
    public record Issued(X509Certificate certificate, PrivateKey key) {

        /** The certificate in PEM. */
        public String certificatePem() {
            return pem(certificate);
        }

        /** The private key in PEM. */
        public String keyPem() {
            try {
                return pem(new JcaPKCS8Generator(key, null).generate());
            } catch (IOException impossible) {
                throw new IllegalStateException("a key made here cannot be written", impossible);
            }
        }
    }

    /** An authority with a new key and certificate. */
    public CertificateAuthority() {
        KeyPair keys = elliptic();
        X500Name name = new X500Name("CN=fake-apiserver-ca");
        this.self = sign(name, name, keys, keys.getPrivate(), true, List.of());
    }

    /** The authority's own certificate. */
    public X509Certificate certificate() {
        return self.certificate();
    }

    /** The authority's own certificate in PEM. */
    public String certificatePem() {
        return self.certificatePem();
    }

    /**
     * Issues a server's certificate.
     *
     * @param names DNS names and IP addresses
     */
    public Issued server(List<String> names) {
        return issue(new X500Name("CN=fake-apiserver"), elliptic(), names);
    }

    /** Issues a user's certificate. Kubernetes reads the user from the common name, and the groups from the organisations. */
    public Issued user(String user, List<String> groups) {
        var subject = new X500NameBuilder(BCStyle.INSTANCE);
        groups.forEach(group -> subject.addRDN(BCStyle.O, group));
        KeyPair keys = keys("RSA", new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F4));
        return issue(subject.addRDN(BCStyle.CN, user).build(), keys, List.of());
    }

    private Issued issue(X500Name subject, KeyPair keys, List<String> names) {
        X500Name issuer = X500Name.getInstance(self.certificate().getSubjectX500Principal().getEncoded());
        return sign(subject, issuer, keys, self.key(), false, names);
    }

    private Issued sign(X500Name subject, X500Name issuer, KeyPair keys, PrivateKey signing, boolean authority, List<String> names) {
        Instant now = Instant.now();
        try {
            var builder = new JcaX509v3CertificateBuilder(
                    issuer,
                    BigInteger.valueOf(serial.getAndIncrement()),
                    Date.from(now.minus(1, ChronoUnit.DAYS)),
                    Date.from(now.plus(DAYS, ChronoUnit.DAYS)),
                    subject,
                    keys.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
            if (!names.isEmpty()) {
                builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names.stream()
                        .map(name -> new GeneralName(name.matches("[0-9.]+|.*:.*") ? GeneralName.iPAddress : GeneralName.dNSName, name))
                        .toArray(GeneralName[]::new)));
            }
            var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(signing);
            return new Issued(new JcaX509CertificateConverter().getCertificate(builder.build(signer)), keys.getPrivate());
        } catch (CertIOException | OperatorCreationException | GeneralSecurityException failure) {
            throw new IllegalStateException("cannot make a certificate for " + subject, failure);
        }
    }

    private static KeyPair elliptic() {
        return keys("EC", new ECGenParameterSpec("secp256r1"));
    }

    private static KeyPair keys(String kind, AlgorithmParameterSpec form) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(kind);
            generator.initialize(form);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException("this Java makes no " + kind + " keys", failure);
        }
    }

    private static String pem(Object what) {
        var text = new StringWriter();
        try (var writer = new JcaPEMWriter(text)) {
            writer.writeObject(what);
        } catch (IOException impossible) {
            throw new IllegalStateException("cannot write to a string", impossible);
        }
        return text.toString();
    }
}
