package io.reactiveinformer.client;

import io.reactiveinformer.config.Cluster;
import io.reactiveinformer.config.Cluster.Trust;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * The name of a server: its address and a fingerprint of its authorities, since a cluster that is recreated at the same address has other
 * authorities. Saved files contain the name, so its texts must not change.
 */
final class ServerName {

    private ServerName() {}

    static Mono<String> of(Cluster cluster) {
        return cluster.trust().map(trust -> address(cluster.server()) + " " + judge(trust));
    }

    /** The address without user information. */
    private static String address(URI server) {
        return server.getScheme() + "://" + server.getHost() + (server.getPort() < 0 ? "" : ":" + server.getPort()) + server.getRawPath();
    }

    private static String judge(Trust trust) {
        return switch (trust.kind()) {
            case SYSTEM -> "believed by the system's authorities";
            case INSECURE -> "believed unseen";
            case AUTHORITIES -> "believed by sha256:" + fingerprint(trust.authorities());
        };
    }

    /** Does not depend on the order of the certificates. */
    private static String fingerprint(List<X509Certificate> authorities) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            List<byte[]> encoded = new ArrayList<>();
            for (X509Certificate authority : authorities) {
                encoded.add(MessageDigest.getInstance("SHA-256").digest(authority.getEncoded()));
            }
            encoded.stream().sorted(Comparator.comparing(HexFormat.of()::formatHex)).forEach(digest::update);
            return HexFormat.of().formatHex(digest.digest());
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("an authority's certificate cannot be encoded", impossible);
        }
    }
}
