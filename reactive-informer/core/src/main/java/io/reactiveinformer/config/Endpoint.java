package io.reactiveinformer.config;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Where to connect, and how both sides authenticate. Connections are shared between equal endpoints only.
 *
 * @param server scheme, host, port, and the path before {@code /api} if there is one; without a slash at its end
 * @param trust how the server's certificate is verified
 * @param identity the client certificate; null for none
 * @param proxy null for a direct connection
 * @param compression whether answers may be compressed
 */
public record Endpoint(URI server, Trust trust, @Nullable ClientIdentity identity, @Nullable Proxy proxy, boolean compression) {

    /** An endpoint with the Java runtime's trust, no client certificate, no proxy, and compression allowed. */
    public static Endpoint of(URI server) {
        return new Endpoint(server, Trust.system(), null, null, true);
    }
}
