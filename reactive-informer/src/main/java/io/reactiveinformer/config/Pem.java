package io.reactiveinformer.config;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates and private keys in their usual text form. Failures name where the text came from, and never quote it. */
final class Pem {

    private static final Pattern BLOCK = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

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
        var certificates = new ArrayList<X509Certificate>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Block block : blocks(text, origin)) {
                if (block.type.equals("CERTIFICATE")) {
                    certificates.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block.content())));
                }
            }
        } catch (CertificateException broken) {
            throw new ConfigException(origin + ": certificate " + (certificates.size() + 1) + " cannot be read", broken);
        }
        if (certificates.isEmpty()) {
            throw new ConfigException(origin + ": expected a PEM certificate (-----BEGIN CERTIFICATE-----), found none");
        }
        return certificates;
    }

    /** RSA, EC or Ed25519, as PKCS#8, PKCS#1 or SEC1. */
    static PrivateKey privateKey(byte[] text, String origin) {
        List<Block> blocks = blocks(text, origin);
        for (Block block : blocks) {
            switch (block.type) {
                case "PRIVATE KEY" -> {
                    return fromPkcs8(block.content(), origin);
                }
                case "RSA PRIVATE KEY" -> {
                    return fromPkcs8(Der.pkcs8FromPkcs1(block.content()), origin);
                }
                case "EC PRIVATE KEY" -> {
                    return fromPkcs8(sec1(block.content(), blocks, origin), origin);
                }
                case "ENCRYPTED PRIVATE KEY" -> throw encrypted(origin);
                default -> { } // certificates, EC PARAMETERS
            }
        }
        throw new ConfigException(origin + ": expected a PEM private key (PRIVATE KEY, RSA PRIVATE KEY or EC PRIVATE KEY), found none");
    }

    private static byte[] sec1(byte[] key, List<Block> blocks, String origin) {
        byte[] parameters = blocks.stream().filter(block -> block.type.equals("EC PARAMETERS")).map(Block::content).findFirst().orElse(null);
        try {
            return Der.pkcs8FromSec1(key, parameters);
        } catch (IllegalArgumentException | IndexOutOfBoundsException malformed) {
            throw new ConfigException(origin + ": the EC private key is malformed or names no curve");
        }
    }

    private static PrivateKey fromPkcs8(byte[] encoded, String origin) {
        var spec = new PKCS8EncodedKeySpec(encoded);
        InvalidKeySpecException refused = null;
        for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException anotherAlgorithm) { // the encoding names its algorithm, and each factory refuses the others'
                refused = anotherAlgorithm;
            } catch (NoSuchAlgorithmException absent) {
                throw new ConfigException(origin + ": this Java runtime has no " + algorithm + " keys", absent);
            }
        }
        throw new ConfigException(origin + ": the private key is malformed, or neither RSA, EC nor Ed25519", refused);
    }

    private static List<Block> blocks(byte[] text, String origin) {
        var blocks = new ArrayList<Block>();
        Matcher matcher = BLOCK.matcher(new String(text, StandardCharsets.ISO_8859_1));
        while (matcher.find()) {
            if (matcher.group(2).contains("Proc-Type: 4,ENCRYPTED")) {
                throw encrypted(origin);
            }
            blocks.add(new Block(matcher.group(1), matcher.group(2), origin));
        }
        return blocks;
    }

    private static ConfigException encrypted(String origin) {
        return new ConfigException(origin + ": the private key is encrypted; expected one without a passphrase (openssl pkey removes it)");
    }
}
