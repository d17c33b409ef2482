package io.reactiveinformer.config;

import io.netty.util.NetUtil;
import io.reactiveinformer.config.Cluster.Proxy;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
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
record Proxies(Environment environment) {

    static final Set<String> SCHEMES = Set.of("http", "https", "socks5", "socks5h");

    /** The proxy for {@code server}; null for a direct connection. */
    @Nullable Proxy to(URI server) {
        String name = server.getScheme().equals("https") ? "HTTPS_PROXY" : "HTTP_PROXY";
        ConfigValue configured = setting(name);
        if (configured == null || isExempt(server)) {
            return null;
        }
        return Proxy.of(address(configured));
    }

    private @Nullable ConfigValue setting(String name) {
        for (String either : List.of(name, name.toLowerCase(Locale.ROOT))) {
            String value = environment.variable(either);
            if (value != null) {
                return new ConfigValue(value, either);
            }
        }
        return null;
    }

    private static URI address(ConfigValue setting) {
        String text = setting.value().contains("://") ? setting.value() : "http://" + setting.value();
        URI address = new ConfigValue(text, setting.origin()).address(SCHEMES);
        if (address == null) {
            throw new ConfigException(setting + ": expected the address of a proxy, such as http://proxy:3128");
        }
        return address;
    }

    private boolean isExempt(URI server) {
        String host = server.getHost().toLowerCase(Locale.ROOT).replaceAll("^\\[|]$", "");
        InetAddress address = literal(host);
        if (host.equals("localhost") || address != null && address.isLoopbackAddress()) {
            return true;
        }
        ConfigValue exempt = setting("NO_PROXY");
        return exempt != null && Stream.of(exempt.value().split(",", -1))
                .map(entry -> entry.strip().toLowerCase(Locale.ROOT))
                .filter(entry -> !entry.isEmpty())
                .anyMatch(entry -> matches(entry, host, address, server.getPort()));
    }

    /** An entry is *, an address, a block of addresses, or a name; the latter with or without a port. */
    private static boolean matches(String entry, String host, @Nullable InetAddress address, int port) {
        if (entry.equals("*")) {
            return true;
        }
        int slash = entry.indexOf('/');
        if (slash >= 0) {
            return address != null && isInBlock(address, entry.substring(0, slash), entry.substring(slash + 1));
        }
        int colon = entry.startsWith("[") ? entry.indexOf("]:") + 1 : entry.indexOf(':') == entry.lastIndexOf(':') ? entry.indexOf(':') : 0;
        if (colon > 0) {
            return entry.substring(colon + 1).equals(Integer.toString(port)) && matches(entry.substring(0, colon), host, address, port);
        }
        InetAddress exact = literal(entry.replaceAll("^\\[|]$", ""));
        if (exact != null) {
            return exact.equals(address);
        }
        if (entry.startsWith("*.") || entry.startsWith(".")) {
            return host.endsWith(entry.substring(entry.indexOf('.')));
        }
        return host.equals(entry) || host.endsWith("." + entry);
    }

    /** Null if {@code text} is no literal address. An IPv4 address written as an IPv6 one ({@code ::ffff:10.0.0.1}) is the IPv4 address. */
    private static @Nullable InetAddress literal(String text) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(text);
        try {
            return bytes == null ? null : InetAddress.getByAddress(bytes);
        } catch (UnknownHostException neitherOf4NorOf16Bytes) {
            return null;
        }
    }

    /** Whether {@code address} begins with the first {@code length} bits of {@code block}; false if these are malformed. */
    private static boolean isInBlock(InetAddress address, String block, String length) {
        InetAddress start = literal(block);
        if (start == null || start.getClass() != address.getClass() || !length.matches("[0-9]{1,3}")) {
            return false;
        }
        byte[] bytes = address.getAddress();
        int differing = new BigInteger(1, bytes).xor(new BigInteger(1, start.getAddress())).bitLength();
        return Integer.parseInt(length) <= bytes.length * Byte.SIZE - differing;
    }
}
