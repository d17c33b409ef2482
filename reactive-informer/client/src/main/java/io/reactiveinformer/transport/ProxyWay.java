package io.reactiveinformer.transport;

import io.netty.resolver.NoopAddressResolverGroup;
import io.reactiveinformer.config.Cluster.Endpoint;
import io.reactiveinformer.config.Cluster.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;
import reactor.netty.transport.ProxyProvider;

/** Connections through a proxy: a tunnel, in which all is as in a direct connection. The proxy resolves the names of servers. */
final class ProxyWay {

    /** How long a resolved address of the proxy is used before its name is looked up again. */
    private static final Duration AGE = Duration.ofSeconds(30);

    private ProxyWay() {}

    /** False for a proxy over TLS: of two nested handshakes, Reactor Netty takes the protocol that the outer one has negotiated. */
    static boolean allowsHttp2(Endpoint endpoint) {
        return endpoint.proxy() == null || endpoint.proxy().kind() != Proxy.Kind.HTTPS;
    }

    static HttpClient of(HttpClient direct, Endpoint endpoint, TransportOptions options) {
        Proxy proxy = endpoint.proxy();
        if (proxy == null) {
            return direct;
        }
        Mono<InetSocketAddress> address = Mono.fromCallable(() -> new InetSocketAddress(InetAddress.getByName(proxy.host()), proxy.port()))
                .subscribeOn(Schedulers.boundedElastic())
                .cacheInvalidateWhen(resolved -> Mono.delay(AGE, options.timer()).then());
        HttpClient tunnel = direct.resolver(NoopAddressResolverGroup.INSTANCE).proxyWhen((config, spec) -> address.map(resolved -> {
            ProxyProvider.Builder builder = spec
                    .type(proxy.kind() == Proxy.Kind.SOCKS5 ? ProxyProvider.Proxy.SOCKS5 : ProxyProvider.Proxy.HTTP)
                    .socketAddress(resolved)
                    .connectTimeoutMillis(options.connectTimeout().toMillis());
            String user = proxy.user();
            String password = proxy.password();
            return user == null || password == null ? builder : builder.username(user).password(anyone -> password);
        }));
        return proxy.kind() == Proxy.Kind.HTTPS ? encrypted(tunnel, proxy, endpoint, options) : tunnel;
    }

    /**
     * As in client-go, the proxy's certificate is verified by the server's authorities; the client certificate is not presented to the
     * proxy.
     */
    private static HttpClient encrypted(HttpClient tunnel, Proxy proxy, Endpoint endpoint, TransportOptions options) {
        var tls = Tls.toProxy(endpoint);
        return tunnel.doOnChannelInit((observer, channel, remote) -> {
            var handler = tls.newHandler(channel.alloc(), proxy.host(), proxy.port());
            handler.setHandshakeTimeoutMillis(options.connectTimeout().toMillis());
            channel.pipeline().addFirst("reactive-informer.proxy-tls", handler);
        });
    }
}
