package io.reactiveinformer.config;

import io.reactiveinformer.config.Cluster.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The proxies that {@code HTTPS_PROXY}, {@code HTTP_PROXY} and {@code NO_PROXY} name, by the rules of Go, which are kubectl's. Servers on
 * this machine are never reached through them.
 *
 * @see <a href="https://pkg.go.dev/golang.org/x/net/http/httpproxy#Config">Go: httpproxy.Config</a>
 */
final class Proxies {

    static final Set<String> SCHEMES = Set.of("http", "https", "socks5", "socks5h");

    private final Environment environment;

    private Proxies(Environment environment) {
        this.environment = environment;
    }

    static Proxies of(Environment environment) {
        return new Proxies(environment);
    }

    /** The proxy for {@code server}; null for a direct connection. */
    @Nullable Proxy to(URI server) {
        String name = server.getScheme().equals("https") ? "HTTPS_PROXY" : "HTTP_PROXY";
        Setting configured = setting(name);
        if (configured == null || isExempt(server)) {
            return null;
        }
        return Proxy.of(address(configured));
    }

    private @Nullable Setting setting(String name) {
        for (String either : List.of(name, name.toLowerCase(Locale.ROOT))) {
            String value = environment.variable(either);
            if (value != null) {
                return new Setting(value, either);
            }
        }
        return null;
    }

    private static URI address(Setting setting) {
        URI address = parse(setting.value().contains("://") ? setting.value() : "http://" + setting.value());
        if (address == null) {
            throw new ConfigException(setting + ": expected the address of a proxy, such as http://proxy:3128");
        }
        return Ports.checked(address, setting.origin());
    }

    private static @Nullable URI parse(String text) {
        try {
            URI address = new URI(text);
            return address.getHost() != null && address.getScheme() != null
                    && SCHEMES.contains(address.getScheme().toLowerCase(Locale.ROOT))
                    ? address : null;
        } catch (URISyntaxException malformed) {
            return null;
        }
    }

    private boolean isExempt(URI server) {
        String host = server.getHost().toLowerCase(Locale.ROOT).replaceAll("^\\[|]$", "");
        byte[] address = IpAddresses.parse(host);
        if (host.equals("localhost") || address != null && IpAddresses.isLoopback(address)) {
            return true;
        }
        Setting exempt = setting("NO_PROXY");
        return exempt != null && Stream.of(exempt.value().split(",", -1))
                .map(entry -> entry.strip().toLowerCase(Locale.ROOT))
                .filter(entry -> !entry.isEmpty())
                .anyMatch(entry -> matches(entry, host, address, server.getPort()));
    }

    /** An entry is *, an address, a block of addresses, or a name; the latter with or without a port. */
    private static boolean matches(String entry, String host, byte @Nullable [] address, int port) {
        if (entry.equals("*")) {
            return true;
        }
        int slash = entry.indexOf('/');
        if (slash >= 0) {
            return address != null && IpAddresses.inBlock(address, entry.substring(0, slash), entry.substring(slash + 1));
        }
        int colon = entry.startsWith("[") ? entry.indexOf("]:") + 1 : entry.indexOf(':') == entry.lastIndexOf(':') ? entry.indexOf(':') : 0;
        if (colon > 0) {
            return entry.substring(colon + 1).equals(Integer.toString(port)) && matches(entry.substring(0, colon), host, address, port);
        }
        byte[] exact = IpAddresses.parse(entry.replaceAll("^\\[|]$", ""));
        if (exact != null) {
            return address != null && IpAddresses.areEqual(exact, address);
        }
        if (entry.startsWith("*.") || entry.startsWith(".")) {
            return host.endsWith(entry.substring(entry.indexOf('.')));
        }
        return host.equals(entry) || host.endsWith("." + entry);
    }
}
