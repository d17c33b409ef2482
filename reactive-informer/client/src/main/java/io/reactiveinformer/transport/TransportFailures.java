package io.reactiveinformer.transport;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.proxy.ProxyConnectException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.reactiveinformer.config.Cluster.Endpoint;
import io.reactiveinformer.config.Credential;
import io.reactiveinformer.internal.Causes;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.TransportException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.client.PrematureCloseException;

/** Describes failures of exchanges with one endpoint. Requests are named by method and path only: queries are long, headers secret. */
record TransportFailures(Endpoint endpoint, TransportOptions options) {

    KubernetesException explain(Throwable failure, HttpRequest request, RequestProgress progress) {
        if (failure instanceof KubernetesException explained) {
            return explained;
        }
        String closed = progress.whyWeClosed(options.pingTimeout());
        if (progress.isAnswered()) {
            return new TransportException("the answer of " + endpoint.server() + " to " + named(request) + " broke off: "
                    + (closed == null ? breach(failure) : closed), failure);
        }
        String server = "cannot reach " + endpoint.server() + ": ";
        if (progress.isRefused(failure)) {
            return TransportException.lostBeforeAnswer(
                    server + "each connection ends before the server looks at the request (GOAWAY, REFUSED_STREAM)", failure);
        }
        if (progress.isBegun()) {
            String message = server + (closed == null ? reason(failure, true) : closed);
            return wasLost(failure) ? TransportException.lostBeforeAnswer(message, failure) : new TransportException(message, failure);
        }
        return new TransportException(server + reason(failure, false), needsAPerson(failure) ? failure : refused(failure));
    }

    private static boolean wasLost(Throwable failure) {
        return Causes.find(failure, PrematureCloseException.class) != null || Causes.find(failure, ClosedChannelException.class) != null
                || AbortedException.isConnectionReset(failure) || wasReset(failure);
    }

    /** Java, Netty and its TLS each have words of their own for the same. */
    private static boolean wasReset(Throwable failure) {
        IOException broken = Causes.find(failure, IOException.class);
        String text = broken == null ? "" : String.valueOf(broken.getMessage());
        return text.contains("Connection reset") || text.contains("Broken pipe") || text.contains("writing TLS control frames");
    }

    /** Whether one side does not trust the certificate of the other one. */
    private static boolean needsAPerson(Throwable failure) {
        SSLException tls = Causes.find(failure, SSLException.class);
        return Causes.find(failure, CertificateException.class) != null
                || tls != null && isAboutOurCertificate(String.valueOf(tls.getMessage()));
    }

    /**
     * Whatever ended the attempt to connect, nobody served this client. A load balancer without a living server accepts a connection and
     * closes it, in one way or another, where a server alone would have refused it.
     */
    private static Throwable refused(Throwable failure) {
        if (Causes.find(failure, ConnectException.class) != null) {
            return failure;
        }
        var refused = new ConnectException("no connection was established");
        refused.initCause(failure);
        return refused;
    }

    static String text(Duration time) {
        return time.toSeconds() > 0 && time.toMillisPart() == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    TransportException silent(HttpRequest request, Duration limit, boolean answered) {
        return new TransportException(
                (answered ? "the answer of " : "no answer from ") + endpoint.server() + " to " + named(request)
                        + (answered ? " stopped: silence for " : " within ") + limit.toSeconds() + " s",
                null);
    }

    private static String named(HttpRequest request) {
        int query = request.uri().indexOf('?');
        return request.method() + " " + (query < 0 ? request.uri() : request.uri().substring(0, query));
    }

    private String reason(Throwable failure, boolean connected) {
        CertificateException refused = Causes.find(failure, CertificateException.class);
        if (refused != null) {
            return String.valueOf(refused.getMessage());
        }
        if (Causes.find(failure, UnknownHostException.class) != null && endpoint.proxy() != null) { // which resolves the names of servers
            return "the DNS does not know the proxy " + endpoint.proxy() + "; check its address and the DNS";
        }
        if (Causes.find(failure, UnknownHostException.class) != null) {
            return "there is no host " + endpoint.server().getHost() + "; check the address and the DNS";
        }
        if (Causes.find(failure, ConnectTimeoutException.class) != null) {
            return "no connection within the time limit; is there a firewall in between?";
        }
        if (Causes.find(failure, NoRouteToHostException.class) != null) {
            return "no route to the host";
        }
        ProxyConnectException atTheProxy = Causes.find(failure, ProxyConnectException.class);
        if (atTheProxy != null) {
            return "the proxy " + endpoint.proxy() + " did not connect to the server: " + atTheProxy.getMessage();
        }
        if (Causes.find(failure, ConnectException.class) != null && endpoint.proxy() != null) {
            return "the proxy " + endpoint.proxy() + " refused the connection; is it running, and is this its port?";
        }
        if (Causes.find(failure, ConnectException.class) != null) {
            return "connection refused; is the server running, and is this its port?";
        }
        if (Causes.find(failure, SslHandshakeTimeoutException.class) != null) {
            return "no TLS handshake within the time limit; does this port speak TLS?";
        }
        if (Causes.find(failure, NotSslRecordException.class) != null) {
            return "the server's answer is not TLS; is it http:// ?";
        }
        if (!connected && wasLost(failure) && "https".equals(endpoint.server().getScheme())) {
            return "the connection was closed during the TLS handshake; is there a load balancer without a living server in between?";
        }
        SSLException tls = Causes.find(failure, SSLException.class);
        if (tls != null) {
            return handshake(tls);
        }
        return breach(failure);
    }

    private String handshake(SSLException failure) {
        String text = String.valueOf(failure.getMessage());
        if (!isAboutOurCertificate(text)) {
            return "TLS failed: " + text;
        }
        Credential.Identity identity = endpoint.identity();
        if (identity == null) {
            return "the server requires a client certificate, and none is configured (" + text + ")";
        }
        return "the server refused our client certificate " + identity.chain().get(0).getSubjectX500Principal() + " (" + text + ")"
                + identity.invalidAt(Instant.ofEpochMilli(options.timer().now(TimeUnit.MILLISECONDS))).map(why -> "; " + why).orElse("");
    }

    private static boolean isAboutOurCertificate(String text) {
        return text.contains("certificate_required") || text.contains("bad_certificate") || text.contains("certificate_unknown")
                || text.contains("unknown_ca") || text.contains("certificate_expired");
    }

    private static String breach(Throwable failure) {
        SSLException tls = Causes.find(failure, SSLException.class);
        if (tls != null) {
            return "TLS failed: " + tls.getMessage();
        }
        if (Causes.find(failure, PrematureCloseException.class) != null || Causes.find(failure, ClosedChannelException.class) != null) {
            return "the connection was closed before the end";
        }
        if (Causes.find(failure, AbortedException.class) != null) {
            return "the connection was lost";
        }
        if (Causes.find(failure, DecoderException.class) != null) {
            return "the answer is not valid HTTP: " + failure.getMessage();
        }
        String text = failure.getMessage();
        return text == null ? failure.getClass().getSimpleName() : text;
    }
}
