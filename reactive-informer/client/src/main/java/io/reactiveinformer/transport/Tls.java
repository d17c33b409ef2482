package io.reactiveinformer.transport;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.NetUtil;
import io.reactiveinformer.config.Cluster.Endpoint;
import io.reactiveinformer.config.Credential;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.Http11SslContextSpec;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.tcp.SslProvider;
import reactor.netty.tcp.SslProvider.GenericSslContextSpec;

/** TLS as an endpoint configures it, by the Java runtime's implementation. */
final class Tls {

    private Tls() {}

    static void configure(SslProvider.SslContextSpec spec, Endpoint endpoint, TransportOptions options, boolean http2) {
        GenericSslContextSpec<SslContextBuilder> context = http2
                ? Http2SslContextSpec.forClient().configure(built -> configure(built, endpoint, endpoint.identity(), "the server's"))
                : Http11SslContextSpec.forClient().configure(built -> configure(built, endpoint, endpoint.identity(), "the server's"));
        var builder = spec.sslContext(named(context, endpoint.trust().serverName())).handshakeTimeout(options.connectTimeout());
        String serverName = endpoint.trust().serverName();
        if (serverName != null && !NetUtil.isValidIpV4Address(serverName) && !NetUtil.isValidIpV6Address(serverName)) {
            builder.serverNames(new SNIHostName(serverName));
        }
    }

    /** TLS to the proxy of {@code endpoint}. */
    static SslContext toProxy(Endpoint endpoint) {
        try {
            return configure(SslContextBuilder.forClient(), endpoint, null, "the proxy's").build();
        } catch (SSLException impossible) {
            throw new IllegalStateException("this Java runtime cannot set up TLS", impossible);
        }
    }

    private static SslContext named(GenericSslContextSpec<SslContextBuilder> context, @Nullable String serverName) {
        try {
            return serverName == null ? context.sslContext() : new NamedSslContext(context.sslContext(), serverName);
        } catch (SSLException impossible) {
            throw new IllegalStateException("this Java runtime cannot set up TLS", impossible);
        }
    }

    /** @param whose certificate is verified, for messages */
    private static SslContextBuilder configure(SslContextBuilder context, Endpoint endpoint,
            Credential.@Nullable Identity identity, String whose) {
        context.sslProvider(io.netty.handler.ssl.SslProvider.JDK).protocols("TLSv1.3", "TLSv1.2");
        if (identity != null) {
            context.keyManager(identity.key(), identity.chain());
        }
        switch (endpoint.trust().kind()) {
            case SYSTEM -> context.trustManager(new ExplainingTrustManager(trustManager(null), endpoint, whose));
            case AUTHORITIES ->
                    context.trustManager(new ExplainingTrustManager(trustManager(endpoint.trust().authorities()), endpoint, whose));
            case INSECURE -> context.trustManager(InsecureTrustManagerFactory.INSTANCE);
        }
        return context;
    }

    /** @param authorities null for the Java runtime's authorities */
    private static X509ExtendedTrustManager trustManager(@Nullable List<X509Certificate> authorities) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(authorities == null ? null : keyStore(authorities));
            for (TrustManager manager : factory.getTrustManagers()) {
                if (manager instanceof X509ExtendedTrustManager extended) {
                    return extended;
                }
            }
            throw new IllegalStateException("this Java runtime cannot check certificates by a list of authorities");
        } catch (GeneralSecurityException | IOException impossible) {
            throw new IllegalStateException("this Java runtime cannot keep certificates in memory", impossible);
        }
    }

    private static KeyStore keyStore(List<X509Certificate> authorities) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (X509Certificate authority : authorities) {
            store.setCertificateEntry("authority-" + store.size(), authority);
        }
        return store;
    }

    /**
     * Delegates to another context, with a fixed name of the server. The Java runtime checks a certificate against the peer's name, which
     * is the connected address unless it is set here; the name sent in the handshake (SNI) would be an alternative to it, not a
     * replacement.
     */
    private static final class NamedSslContext extends SslContext {

        private final SslContext context;
        private final String name;

        NamedSslContext(SslContext context, String name) {
            this.context = context;
            this.name = name;
        }

        @Override
        public SSLEngine newEngine(ByteBufAllocator allocator, String peerHost, int peerPort) {
            return context.newEngine(allocator, name, peerPort);
        }

        @Override
        public SSLEngine newEngine(ByteBufAllocator allocator) {
            return context.newEngine(allocator);
        }

        @Override
        public boolean isClient() {
            return context.isClient();
        }

        @Override
        public List<String> cipherSuites() {
            return context.cipherSuites();
        }

        @Override
        @SuppressWarnings("deprecation") // required by the base class
        public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
            return context.applicationProtocolNegotiator();
        }

        @Override
        public SSLSessionContext sessionContext() {
            return context.sessionContext();
        }
    }
}
