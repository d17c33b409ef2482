package io.reactiveinformer.transport;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

/**
 * Delegates to another context, with a fixed name of the server. The Java runtime checks a certificate against the peer's name, which is
 * the connected address unless it is set here; the name sent in the handshake (SNI) would be an alternative to it, not a replacement.
 */
final class NamedSslContext extends SslContext {

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
