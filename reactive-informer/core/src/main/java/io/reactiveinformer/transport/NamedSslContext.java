package io.reactiveinformer.transport;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

/**
 * Another context, for servers that go by one name wherever they are. The Java runtime checks a certificate against the peer's name, which is
 * the address that is connected to unless something else is said here; the name that is asked for in the handshake would be an alternative
 * to it, not a replacement.
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
    @SuppressWarnings("deprecation") // the base class asks for it
    public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
        return context.applicationProtocolNegotiator();
    }

    @Override
    public SSLSessionContext sessionContext() {
        return context.sessionContext();
    }
}
