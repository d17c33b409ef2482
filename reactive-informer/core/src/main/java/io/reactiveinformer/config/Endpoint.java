package io.reactiveinformer.config;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Where to connect, and how both sides prove who they are. Connections may be shared between equal endpoints, and only between those.
 *
 * @param server scheme, host, port, and the path before {@code /api} where there is one; without a slash at its end
 * @param identity ours; null for none
 * @param proxy through which; null for the direct way
 * @param compression whether answers may be compressed
 */
public record Endpoint(URI server, Trust trust, @Nullable ClientIdentity identity, @Nullable Proxy proxy, boolean compression) {

    public static Endpoint of(URI server) {
        return new Endpoint(server, Trust.system(), null, null, true);
    }
}
