package io.reactiveinformer.config;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads certificates and private keys in PEM. Failures name where the text came from, and never quote it. */
final class Pem {

    private static final Pattern MARK = Pattern.compile("-----(BEGIN|END) ([A-Z0-9 ]+)-----");
    private static final List<String> KEYS = List.of("PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY");
    /** TLS 1.3 has no others, nor has the Java runtime since 16: it parses keys of other curves, but fails to sign with them. */
    private static final Map<String, String> CURVES = Map.of("2a8648ce3d030107", "P-256", "2b81040022", "P-384", "2b81040023", "P-521");
    private static final String SECP256K1 = "2b8104000a";

    private Pem() {}

    private record Block(String type, String base64, String origin) {

        byte[] content() {
            try {
                return Base64.getMimeDecoder().decode(base64.strip());
            } catch (IllegalArgumentException notBase64) {
                throw new ConfigException(origin + ": the content of " + type + " is not base64");
            }
        }
    }

    /** @param origin file or key, for messages */
    static List<X509Certificate> certificates(byte[] text, String origin) {
        List<Block> blocks = blocks(text, origin);
        var certificates = new ArrayList<X509Certificate>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Block block : blocks) {
                if (block.type.equals("CERTIFICATE")) {
                    certificates.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block.content())));
                }
            }
        } catch (CertificateException broken) {
            throw new ConfigException(origin + ": certificate " + (certificates.size() + 1) + " cannot be read: " + broken.getMessage(),
                    broken);
        }
        if (certificates.isEmpty()) {
            throw new ConfigException(origin + ": expected a PEM certificate (-----BEGIN CERTIFICATE-----), " + found(blocks));
        }
        return certificates;
    }

    /** RSA, EC or Ed25519, as PKCS#8, PKCS#1 or SEC1. Reads the first key; other blocks may surround it. */
    static PrivateKey privateKey(byte[] text, String origin) {
        List<Block> blocks = blocks(text, origin);
        for (Block block : blocks) {
            if (block.type.equals("ENCRYPTED PRIVATE KEY") || block.base64.contains("Proc-Type: 4,ENCRYPTED")) {
                throw new ConfigException(origin
                        + ": the private key is encrypted; expected one without a passphrase (openssl pkey removes it)");
            }
            if (KEYS.contains(block.type)) {
                return read(block.content(), parameters(blocks), origin);
            }
        }
        throw new ConfigException(origin + ": expected a PEM private key (" + String.join(", ", KEYS) + "), " + found(blocks));
    }

    /** A certificate with its chain, and its key; both in PEM. */
    static Credential.Identity identity(byte[] certificate, String certificateOrigin, byte[] key, String keyOrigin) {
        List<X509Certificate> chain = certificates(certificate, certificateOrigin);
        PrivateKey privateKey = privateKey(key, keyOrigin);
        if (!belongTogether(chain.get(0), privateKey)) {
            throw new ConfigException(certificateOrigin + ": the key is not this certificate's; it comes from " + keyOrigin);
        }
        return new Credential.Identity(chain, privateKey);
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

    /** The block that {@code openssl ecparam -genkey} writes before the key; null if there is none. */
    private static byte @Nullable [] parameters(List<Block> blocks) {
        return blocks.stream().filter(block -> block.type.equals("EC PARAMETERS")).map(Block::content).findFirst().orElse(null);
    }

    private static PrivateKey read(byte[] key, byte @Nullable [] parameters, String origin) {
        try {
            byte[] pkcs8 = Der.pkcs8(key, parameters);
            String curve = Der.curve(pkcs8);
            if (curve == null) {
                return read(pkcs8, List.of("RSA", "EdDSA"), origin + ": the private key is malformed, or neither RSA, EC nor Ed25519");
            }
            if (curve.isEmpty()) {
                throw new ConfigException(origin + ": the EC private key gives the numbers of its curve; expected the curve's name"
                        + " (openssl ec -param_enc named_curve writes it)");
            }
            if (!CURVES.containsKey(curve)) {
                String name = curve.equals(SECP256K1) ? "secp256k1" : "with the identifier " + curve;
                throw new ConfigException(origin + ": the EC private key has the curve " + name + ", which TLS does not have; expected "
                        + String.join(", ", new TreeSet<>(CURVES.values())));
            }
            return read(pkcs8, List.of("EC"), origin + ": the EC private key is malformed");
        } catch (IllegalArgumentException malformed) {
            throw new ConfigException(origin + ": the private key is malformed, or names no curve");
        }
    }

    private static PrivateKey read(byte[] pkcs8, List<String> algorithms, String otherwise) {
        var spec = new PKCS8EncodedKeySpec(pkcs8);
        InvalidKeySpecException refused = null; // the encoding names its algorithm, and each factory refuses the others'
        for (String algorithm : algorithms) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException refusal) {
                refused = refusal;
            } catch (NoSuchAlgorithmException absent) {
                throw new ConfigException(otherwise + "; this Java runtime has no " + algorithm + " keys", absent);
            }
        }
        throw refused == null ? new ConfigException(otherwise) : new ConfigException(otherwise, refused);
    }

    /** From each BEGIN to the next END of the same name, unless another block begins before. A block without an END is ignored. */
    private static List<Block> blocks(byte[] text, String origin) {
        var blocks = new ArrayList<Block>();
        String all = new String(text, StandardCharsets.ISO_8859_1);
        Matcher mark = MARK.matcher(all);
        String begun = ""; // no block has this name
        int from = 0;
        while (mark.find()) {
            if (mark.group(1).equals("BEGIN")) {
                begun = mark.group(2);
                from = mark.end();
            } else if (mark.group(2).equals(begun)) {
                blocks.add(new Block(begun, all.substring(from, mark.start()), origin));
                begun = "";
            }
        }
        return blocks;
    }

    private static String found(List<Block> blocks) {
        return blocks.isEmpty() ? "found none" : "found only " + String.join(", ", blocks.stream().map(Block::type).distinct().toList());
    }
}
