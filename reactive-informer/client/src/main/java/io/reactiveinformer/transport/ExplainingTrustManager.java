package io.reactiveinformer.transport;

import io.reactiveinformer.config.Cluster.Endpoint;
import io.reactiveinformer.config.Cluster.Trust;
import io.reactiveinformer.internal.Causes;
import java.net.Socket;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Verifies as another trust manager does; its failures name the refused certificate, the trusted authorities, and the remedy. */
final class ExplainingTrustManager extends X509ExtendedTrustManager {

    private final X509ExtendedTrustManager judge;
    private final Endpoint endpoint;
    private final String whose;

    /** @param whose certificate is verified, for messages: "the server's" */
    ExplainingTrustManager(X509ExtendedTrustManager judge, Endpoint endpoint, String whose) {
        this.judge = judge;
        this.endpoint = endpoint;
        this.whose = whose;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) throws CertificateException {
        try {
            judge.checkServerTrusted(chain, authType, engine);
        } catch (CertificateException refused) {
            throw new CertificateException(explain(chain[0], refused, engine), refused);
        }
    }

    private String explain(X509Certificate certificate, CertificateException refused, SSLEngine engine) {
        String shown = whose + " certificate (" + certificate.getSubjectX500Principal() + ", issued by "
                + certificate.getIssuerX500Principal() + ") ";
        try {
            certificate.checkValidity();
        } catch (CertificateExpiredException expired) {
            return shown + "expired on " + certificate.getNotAfter().toInstant() + "; it must be renewed, or a clock is wrong";
        } catch (CertificateNotYetValidException early) {
            return shown + "is valid only from " + certificate.getNotBefore().toInstant() + "; a clock is wrong";
        }
        if (!isAboutThePath(refused)) {
            return shown + "is for " + names(certificate) + ", not for " + engine.getPeerHost()
                    + "; use one of its names, or set tls-server-name to one";
        }
        return shown + "is not signed by an authority of " + trusted()
                + "; is it the right server, and the right authority?";
    }

    private String trusted() {
        Trust trust = endpoint.trust();
        return trust.kind() == Trust.Kind.SYSTEM
                ? trust.origin()
                : trust.origin() + " ("
                        + String.join("; ", trust.authorities().stream().map(ca -> ca.getSubjectX500Principal().toString()).toList()) + ")";
    }

    /** Whether the path was refused, not the name: for the latter the Java runtime's exception has no such cause. */
    private static boolean isAboutThePath(CertificateException failure) {
        return Causes.find(failure, CertPathBuilderException.class) != null
                || Causes.find(failure, CertPathValidatorException.class) != null;
    }

    private static String names(X509Certificate certificate) {
        try {
            var alternatives = certificate.getSubjectAlternativeNames();
            return alternatives == null ? "no name" : alternatives.stream().map(name -> String.valueOf(name.get(1))).toList().toString();
        } catch (CertificateParsingException unreadable) {
            return "names that cannot be read";
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        judge.checkServerTrusted(chain, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) throws CertificateException {
        judge.checkServerTrusted(chain, authType, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        judge.checkClientTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) throws CertificateException {
        judge.checkClientTrusted(chain, authType, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) throws CertificateException {
        judge.checkClientTrusted(chain, authType, engine);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return judge.getAcceptedIssuers();
    }
}
