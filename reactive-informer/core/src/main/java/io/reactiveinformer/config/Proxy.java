package io.reactiveinformer.config;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A proxy through which a server is reached.
 *
 * @param user null if the proxy needs no authentication
 * @param password null if the proxy needs no authentication
 */
public record Proxy(Kind kind, String host, int port, @Nullable String user, @Nullable String password) {

    /** The protocol of the proxy. */
    public enum Kind {
        /** {@code CONNECT} over TCP. */
        HTTP(80),
        /** {@code CONNECT} over TLS. */
        HTTPS(443),
        /** RFC 1928; the proxy resolves names. */
        SOCKS5(1080);

        private final int port;

        Kind(int port) {
            this.port = port;
        }
    }

    /** @param address {@code http://}, {@code https://} or {@code socks5://}, with a host */
    static Proxy of(URI address) {
        Kind kind = switch (address.getScheme().toLowerCase(Locale.ROOT)) {
            case "https" -> Kind.HTTPS;
            case "socks5", "socks5h" -> Kind.SOCKS5;
            default -> Kind.HTTP;
        };
        String host = address.getHost().startsWith("[") ? address.getHost().substring(1, address.getHost().length() - 1) : address.getHost();
        int port = address.getPort() < 0 ? kind.port : address.getPort();
        if (address.getRawUserInfo() == null) {
            return new Proxy(kind, host, port, null, null);
        }
        String[] who = address.getRawUserInfo().split(":", 2);
        return new Proxy(kind, host, port, decode(who[0]), who.length == 1 ? "" : decode(who[1]));
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** As an address, without user and password. */
    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT) + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
