package io.reactiveinformer.apiserver.internal.server;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import reactor.netty.http.server.HttpServerRequest;

/** The user of a connection's client certificate, passed on in the headers that an authenticating proxy uses. */
public final class CertifiedUser {

    public static final String USER = "X-Remote-User";
    public static final String GROUP = "X-Remote-Group";

    private CertifiedUser() {}

    /** The request's headers with the user of the certificate, without headers of that name that the client sent itself. */
    static Headers headers(HttpServerRequest request) {
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        request.requestHeaders().forEach(header -> {
            if (!header.getKey().toLowerCase(Locale.ROOT).startsWith("x-remote-")) {
                headers.add(header);
            }
        });
        request.withConnection(connection -> headers.addAll(certified(connection.channel())));
        return Headers.copyOf(headers);
    }

    private static List<Map.Entry<String, String>> certified(Channel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls == null && channel.parent() != null) {
            tls = channel.parent().pipeline().get(SslHandler.class);
        }
        if (tls == null) {
            return List.of();
        }
        List<Map.Entry<String, String>> names = new ArrayList<>();
        try {
            X509Certificate certificate = (X509Certificate) tls.engine().getSession().getPeerCertificates()[0];
            for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
                switch (part.getType()) {
                    case "CN" -> names.add(Map.entry(USER, part.getValue().toString()));
                    case "O" -> names.add(Map.entry(GROUP, part.getValue().toString()));
                    default -> { }
                }
            }
            return names;
        } catch (SSLPeerUnverifiedException noneWasShown) {
            return List.of();
        } catch (InvalidNameException impossible) {
            throw new IllegalStateException("a certificate's subject is no name", impossible);
        }
    }
}
