package io.reactiveinformer.config;

import io.reactiveinformer.config.Cluster.Proxy;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Cases of Go's {@code golang.org/x/net/http/httpproxy}. */
class ProxiesTest {

    private final Map<String, String> variables = new HashMap<>();

    private @Nullable Proxy to(String server) {
        return new Proxies(new Environment(variables, Path.of("/"), Path.of("/"))).to(URI.create(server));
    }

    @Test
    void eachSchemeHasItsVariableInUpperOrLowerCase() {
        assertThat(to("https://host:443")).isNull();
        variables.put("HTTPS_PROXY", "http://one:3128");
        variables.put("https_proxy", "http://two:3128");
        variables.put("http_proxy", "three");
        assertThat(to("https://host:443")).hasToString("http://one:3128");
        assertThat(to("http://host:80")).hasToString("http://three:80");
    }

    @ParameterizedTest
    @CsvSource({
        "proxy:3128, http://proxy:3128",
        "10.1.2.3:3128, http://10.1.2.3:3128",
        "https://proxy, https://proxy:443",
        "socks5://proxy, socks5://proxy:1080",
        "socks5h://[fd00::1]:9050, socks5://[fd00::1]:9050",
        "HTTP://me:s3cret@proxy:1, http://proxy:1",
    })
    void anAddressMayBeWrittenInManyWays(String written, String meant) {
        variables.put("HTTPS_PROXY", written);
        assertThat(to("https://host:443")).hasToString(meant);
    }

    @Test
    void userAndPasswordAreReadUnescaped() {
        variables.put("HTTPS_PROXY", "http://us%40er:p%3Aw+d@proxy:1");
        assertThat(to("https://host:443")).isEqualTo(new Proxy(Proxy.Kind.HTTP, "proxy", 1, "us@er", "p:w+d"));
    }

    @Test
    void aWrongAddressIsRefusedWithoutQuotingIt() {
        variables.put("HTTPS_PROXY", "gopher://me:s3cret@proxy");
        assertThatThrownBy(() -> to("https://host:443"))
                .isInstanceOf(ConfigException.class)
                .hasMessage("HTTPS_PROXY: expected the address of a proxy, such as http://proxy:3128");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 65_536, 99_999})
    void aPortThatCannotBeIsRefused(int port) {
        variables.put("HTTPS_PROXY", "http://me:s3cret@proxy:" + port);
        assertThatThrownBy(() -> to("https://host:443"))
                .isInstanceOf(ConfigException.class).hasMessage("HTTPS_PROXY: expected a port from 1 to 65535, found " + port);
    }

    @ParameterizedTest
    @CsvSource({"https://localhost:6443", "https://127.0.0.1:6443", "https://127.9.9.9:6443",
            "https://[::1]:6443", "https://[::ffff:127.0.0.1]:6443"})
    void whatRunsHereIsReachedDirectly(String server) {
        variables.put("HTTPS_PROXY", "http://proxy:3128");
        assertThat(to(server)).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "*                          | https://host:443              | true",
        "example.com                | https://example.com:443       | true",
        "example.com                | https://api.Example.com:443   | true",
        "example.com                | https://myexample.com:443     | false",
        ".example.com               | https://api.example.com:443   | true",
        ".example.com               | https://example.com:443       | false",
        "*.example.com              | https://api.example.com:443   | true",
        "*.example.com              | https://example.com:443       | false",
        "example.com:443            | https://example.com:443       | true",
        "example.com:8443           | https://example.com:443       | false",
        "10.0.0.1                   | https://10.0.0.1:443          | true",
        "10.0.0.1                   | https://10.0.0.11:443         | false",
        "10.0.0.1:6443              | https://10.0.0.1:443          | false",
        "10.0.0.0/8                 | https://10.200.0.1:443        | true",
        "10.0.0.0/8                 | https://11.0.0.1:443          | false",
        "10.96.0.0/12               | https://10.111.255.255:443    | true",
        "10.96.0.0/12               | https://10.112.0.0:443        | false",
        "10.0.0.0/99                | https://10.0.0.1:443          | false",
        "fd00::/8                   | https://[fd12::1]:443         | true",
        "fd00::1                    | https://[fd00:0:0::1]:443     | true",
        "[fd00::1]:443              | https://[fd00::1]:443         | true",
        "[fd00::1]:444              | https://[fd00::1]:443         | false",
        "fd00::/8                   | https://10.0.0.1:443          | false",
        "' , a.b , c.d,'            | https://x.c.d:443             | true",
        "a.b                        | https://10.0.0.1:443          | false",
    })
    void someServersAreExempt(String noProxy, String server, boolean direct) {
        variables.put("HTTPS_PROXY", "http://proxy:3128");
        variables.put("no_proxy", noProxy);
        assertThat(to(server) == null).isEqualTo(direct);
    }
}
