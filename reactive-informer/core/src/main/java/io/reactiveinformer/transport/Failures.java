package io.reactiveinformer.transport;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.proxy.ProxyConnectException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.reactiveinformer.config.Cluster.Endpoint;
import io.reactiveinformer.config.Credential;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.TransportException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.client.PrematureCloseException;

/** Describes failures of exchanges with one endpoint. Requests are named by method and path only: queries are long, headers secret. */
final class Failures {

    private final Endpoint endpoint;
    private final Scheduler clock;

    Failures(Endpoint endpoint, Scheduler clock) {
        this.endpoint = endpoint;
        this.clock = clock;
    }

    KubernetesException explain(Throwable failure, HttpRequest request, boolean answered) {
        if (failure instanceof KubernetesException explained) {
            return explained;
        }
        if (answered) {
            return new TransportException("the answer of " + endpoint.server() + " to " + named(request) + " broke off: " + breach(failure),
                    failure);
        }
        String message = "cannot reach " + endpoint.server() + ": " + reason(failure);
        return wasConnected(failure) ? TransportException.lostBeforeAnswer(message, failure) : new TransportException(message, failure);
    }

    private static boolean wasConnected(Throwable failure) {
        return find(failure, PrematureCloseException.class) != null || find(failure, SSLException.class) == null
                && AbortedException.isConnectionReset(failure);
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

    private String reason(Throwable failure) {
        CertificateException refused = find(failure, CertificateException.class);
        if (refused != null) {
            return String.valueOf(refused.getMessage());
        }
        if (find(failure, ProxyWay.UnknownProxyException.class) != null) {
            return "the DNS does not know the proxy " + endpoint.proxy() + "; check its address and the DNS";
        }
        if (find(failure, UnknownHostException.class) != null) {
            return "there is no host " + endpoint.server().getHost() + "; check the address and the DNS";
        }
        if (find(failure, ConnectTimeoutException.class) != null) {
            return "no connection within the time limit; is there a firewall in between?";
        }
        if (find(failure, NoRouteToHostException.class) != null) {
            return "no route to the host";
        }
        ProxyConnectException atTheProxy = find(failure, ProxyConnectException.class);
        if (atTheProxy != null) {
            return "the proxy " + endpoint.proxy() + " did not connect to the server: " + atTheProxy.getMessage();
        }
        if (find(failure, ConnectException.class) != null && endpoint.proxy() != null) {
            return "the proxy " + endpoint.proxy() + " refused the connection; is it running, and is this its port?";
        }
        if (find(failure, ConnectException.class) != null) {
            return "connection refused; is the server running, and is this its port?";
        }
        if (find(failure, SslHandshakeTimeoutException.class) != null) {
            return "no TLS handshake within the time limit; does this port speak TLS?";
        }
        if (find(failure, NotSslRecordException.class) != null) {
            return "the server's answer is not TLS; is it http:// ?";
        }
        SSLException tls = find(failure, SSLException.class);
        if (tls != null) {
            return handshake(tls);
        }
        return breach(failure);
    }

    private String handshake(SSLException failure) {
        String text = String.valueOf(failure.getMessage());
        boolean aboutUs = text.contains("certificate_required") || text.contains("bad_certificate") || text.contains("certificate_unknown")
                || text.contains("unknown_ca") || text.contains("certificate_expired");
        if (!aboutUs) {
            return "TLS failed: " + text;
        }
        Credential.Identity identity = endpoint.identity();
        if (identity == null) {
            return "the server requires a client certificate, and none is configured (" + text + ")";
        }
        return "the server refused our client certificate " + identity.chain().get(0).getSubjectX500Principal() + " (" + text + ")"
                + identity.invalidAt(Instant.ofEpochMilli(clock.now(TimeUnit.MILLISECONDS))).map(why -> "; " + why).orElse("");
    }

    private static String breach(Throwable failure) {
        SSLException tls = find(failure, SSLException.class);
        if (tls != null) {
            return "TLS failed: " + tls.getMessage();
        }
        if (find(failure, PrematureCloseException.class) != null) {
            return "the connection was closed before the end";
        }
        if (find(failure, AbortedException.class) != null) {
            return "the connection was lost";
        }
        if (find(failure, DecoderException.class) != null) {
            return "the answer is not valid HTTP: " + failure.getMessage();
        }
        String text = failure.getMessage();
        return text == null ? failure.getClass().getSimpleName() : text;
    }

    private static <T extends Throwable> @Nullable T find(Throwable failure, Class<T> kind) {
        int depth = 0;
        for (Throwable at = failure; at != null && depth < 20; at = at.getCause(), depth++) {
            if (kind.isInstance(at)) {
                return kind.cast(at);
            }
        }
        return null;
    }
}
