package io.reactiveinformer.cloud;

import io.reactiveinformer.cloud.ServiceSlice.Conditions;
import io.reactiveinformer.cloud.ServiceSlice.Endpoint;
import io.reactiveinformer.cloud.ServiceSlice.Port;
import io.reactiveinformer.cloud.ServiceSlice.TargetRef;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.cloud.client.ServiceInstance;

import static org.assertj.core.api.Assertions.assertThat;

/** Which endpoints are instances, and at which port. */
class InstanceRulesTest {

    private static final InstanceRules RULES = new InstanceRules(null, false, AddressType.IPV4);
    private static final Port HTTP = new Port("http", 80, "TCP", null);

    private static ServiceSlice slice(String type, List<Port> ports, Endpoint... endpoints) {
        return new ServiceSlice("shop", Map.of(ServiceSlice.SERVICE_NAME, "web"), type, List.of(endpoints), ports);
    }

    private static ServiceSlice slice(Endpoint... endpoints) {
        return slice("IPv4", List.of(HTTP), endpoints);
    }

    private static Endpoint endpoint(String address, @Nullable Conditions conditions) {
        return new Endpoint(List.of(address), conditions, new TargetRef("uid-of-" + address), null);
    }

    private static List<String> hosts(InstanceRules rules, ServiceSlice... slices) {
        return rules.instances("web", List.of(slices)).stream().map(ServiceInstance::getHost).toList();
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            true,  true,  false, true,  true
            -,     -,     -,     true,  true
            false, true,  false, false, false
            false, true,  true,  false, true
            false, -,     true,  false, false
            false, false, true,  false, false
            true,  true,  true,  true,  true
            """)
    void conditionsDecide(@Nullable Boolean ready, @Nullable Boolean serving, @Nullable Boolean terminating, boolean used, boolean last) {
        ServiceSlice slice = slice(endpoint("10.0.0.1", new Conditions(ready, serving, terminating)));
        assertThat(hosts(RULES, slice)).hasSize(used ? 1 : 0);
        assertThat(hosts(new InstanceRules(null, true, AddressType.IPV4), slice)).hasSize(last ? 1 : 0);
    }

    @Test
    void withoutConditionsAnEndpointIsReady() {
        assertThat(hosts(RULES, slice(endpoint("10.0.0.1", null)))).containsExactly("10.0.0.1");
    }

    @Test
    void terminatingOnesAreUsedOnlyWhileNoneIsReady() {
        Endpoint terminating = endpoint("10.0.0.1", new Conditions(false, true, true));
        Endpoint ready = endpoint("10.0.0.2", new Conditions(true, true, false));
        InstanceRules rules = new InstanceRules(null, true, AddressType.IPV4);
        assertThat(hosts(rules, slice(terminating, ready))).containsExactly("10.0.0.2");
        assertThat(hosts(rules, slice(terminating))).containsExactly("10.0.0.1");
    }

    @Test
    void anEndpointInTwoSlicesIsOneInstance() {
        assertThat(hosts(RULES, slice(endpoint("10.0.0.1", null)), slice(endpoint("10.0.0.1", null), endpoint("10.0.0.2", null))))
                .containsExactly("10.0.0.1", "10.0.0.2");
    }

    @Test
    void ofTwoAddressTypesOneIsUsed() {
        ServiceSlice four = slice(endpoint("10.0.0.1", null));
        ServiceSlice six = slice("IPv6", List.of(HTTP), endpoint("fd00::1", null));
        ServiceSlice name = slice("FQDN", List.of(HTTP), endpoint("db.example.com", null));
        assertThat(hosts(RULES, six, four)).containsExactly("10.0.0.1");
        assertThat(hosts(new InstanceRules(null, false, AddressType.IPV6), four, six)).containsExactly("[fd00::1]");
        assertThat(hosts(RULES, name, six)).containsExactly("[fd00::1]");
        assertThat(hosts(RULES, name)).containsExactly("db.example.com");
        assertThat(RULES.instances("web", List.of(six)).get(0).getUri()).hasToString("http://[fd00::1]:80");
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            metrics:9090                  , -     , -       , 9090
            metrics:9090 admin:81         , -     , -       , 9090
            metrics:9090 http:80          , -     , -       , 80
            http:80 https:443             , -     , -       , 443
            http:80 https:443 admin:81    , admin , -       , 81
            http:80 https:443 admin:81    , -     , admin   , 81
            http:80 metrics:9090 admin:81 , admin , metrics , 9090
            http:80 admin:81              , none  , none    , 80
            """)
    void namesDecideWhichPort(String ports, @Nullable String property, @Nullable String label, int expected) {
        List<Port> all = List.of(ports.split(" ")).stream().map(port -> port.split(":"))
                .map(port -> new Port(port[0], Integer.parseInt(port[1]), null, null)).toList();
        Map<String, String> labels = label == null ? Map.of() : Map.of("primary-port-name", label);
        var slice = new ServiceSlice("shop", labels, "IPv4", List.of(endpoint("10.0.0.1", null)), all);
        assertThat(new InstanceRules(property, false, AddressType.IPV4).instances("web", List.of(slice)).get(0).getPort())
                .isEqualTo(expected);
    }

    @Test
    void otherProtocolsArePassedOver() {
        List<Port> ports = List.of(new Port("dns", 53, "UDP", null), new Port("dns-tcp", 54, "TCP", null));
        assertThat(RULES.instances("web", List.of(slice("IPv4", ports, endpoint("10.0.0.1", null)))).get(0).getPort()).isEqualTo(54);
    }

    @Test
    void withoutAPortTheSchemeDecides() {
        ServiceInstance instance = RULES.instances("web", List.of(slice("IPv4", List.of(), endpoint("10.0.0.1", null)))).get(0);
        assertThat(instance.getPort()).as("for which the load balancer takes that of the scheme").isEqualTo(-1);
        assertThat(instance.getUri()).hasToString("http://10.0.0.1:80");
    }

    @Test
    void httpsIsSaidByNameOrProtocol() {
        for (Port port : List.of(new Port("https", 8443, "TCP", null), new Port("web", 8443, "TCP", "https"))) {
            ServiceInstance instance = RULES.instances("web", List.of(slice("IPv4", List.of(port), endpoint("10.0.0.1", null)))).get(0);
            assertThat(instance.isSecure()).isTrue();
            assertThat(instance.getUri()).hasToString("https://10.0.0.1:8443");
        }
        assertThat(RULES.instances("web", List.of(slice(endpoint("10.0.0.1", null)))).get(0).isSecure()).isFalse();
    }

    @Test
    void metadataHasLabelsPortsNamespaceAndZone() {
        Map<String, String> labels = Map.of(ServiceSlice.SERVICE_NAME, "web", "endpointslice.kubernetes.io/managed-by", "controller",
                "version", "2", "zone", "of the label");
        var slice = new ServiceSlice("shop", labels, "IPv4", List.of(
                new Endpoint(List.of("10.0.0.1"), null, new TargetRef("uid-1"), "a"),
                new Endpoint(List.of("10.0.0.2"), null, null, null)), List.of(HTTP));
        List<ServiceInstance> instances = RULES.instances("web", List.of(slice));
        assertThat(instances.get(0).getMetadata())
                .isEqualTo(Map.of("version", "2", "port.http", "80", "k8s_namespace", "shop", "zone", "a"));
        assertThat(instances.get(1).getMetadata()).containsEntry("zone", "of the label");
        assertThat(instances).extracting(ServiceInstance::getInstanceId).containsExactly("uid-1", "10.0.0.2:80");
        assertThat(instances).extracting(ServiceInstance::getServiceId).containsOnly("web");
    }

    @Test
    void namespacesDoNotShareRules() {
        var other = new ServiceSlice("bank", Map.of(ServiceSlice.SERVICE_NAME, "web"), "IPv6", List.of(endpoint("fd00::1", null)),
                List.of(HTTP));
        assertThat(hosts(RULES, slice(endpoint("10.0.0.1", null)), other)).containsExactly("[fd00::1]", "10.0.0.1");
    }
}
