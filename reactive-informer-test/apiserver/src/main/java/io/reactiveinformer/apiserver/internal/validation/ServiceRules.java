package io.reactiveinformer.apiserver.internal.validation;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.StringNode;

/** The rules of Services, Endpoints, Ingresses and NetworkPolicies. */
final class ServiceRules {

    private static final Pattern CIDR =
            Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}/(\\d|[12]\\d|3[0-2])|[0-9a-fA-F.]*:[0-9a-fA-F:.]*/\\d{1,3}");

    private static final List<String> FAMILIES = List.of("IPv4", "IPv6");

    private ServiceRules() {}

    static void service(Value spec) {
        boolean headless = spec.at("clusterIP").has("None");
        String type = spec.at("type").text();
        List<Value> ports = spec.at("ports").items();
        spec.at("ports").requiredIf(ports.isEmpty() && !headless && !type.equals("ExternalName"), "");
        spec.at("clusterIPs").key("0").with(spec.at("clusterIP").node()).invalidIf(headless && (type.equals("LoadBalancer")
                || type.equals("NodePort")), "may not be set to 'None' for " + type + " services");
        spec.at("externalName").invalidIf(type.equals("ExternalName") && spec.at("externalName").require(),
                Names.subdomain(spec.at("externalName").text().replaceFirst("\\.$", "")));
        Set<String> numbers = new HashSet<>();
        for (Value port : ports) {
            port.at("name").requiredIf(ports.size() > 1 && port.at("name").isEmpty(), "");
            port.at("port").with(IntNode.valueOf((int) port.at("port").number())).invalid(Names.port(port.at("port").number()));
            if (port.at("targetPort").isSet() || port.at("port").number() == 0) {
                PodRules.portOrName(port.at("targetPort"));
            }
            port.at("nodePort").forbiddenIf((type.equals("ClusterIP") || type.isEmpty()) && port.at("nodePort").number() != 0,
                    "may not be used when `type` is 'ClusterIP'");
        }
        spec.at("ports").unique("name");
        for (Value port : ports) {
            if (!numbers.add(port.at("protocol").text() + port.at("port").number())) {
                port.with(JsonNodeFactory.instance.objectNode().put("Name", "").put("Protocol", port.at("protocol").text())
                        .putNull("AppProtocol").put("Port", port.at("port").number()).put("TargetPort", 0).put("NodePort", 0)).duplicate();
            }
        }
        Stream.of("allocateLoadBalancerNodePorts", "loadBalancerClass").map(spec::at).forEach(value ->
                value.forbiddenIf(value.isSet() && !type.equals("LoadBalancer"), "may only be used when `type` is 'LoadBalancer'"));
        Value ranges = spec.at("loadBalancerSourceRanges");
        Value shown = spec.at("LoadBalancerSourceRanges").with(ranges.node());
        shown.forbiddenIf(ranges.isSet() && !type.equals("LoadBalancer"), "may only be used when `type` is 'LoadBalancer'");
        shown.items().stream().filter(range -> type.equals("LoadBalancer")).forEach(range -> range(range, range.text().trim()));
        spec.at("externalIPs").items().forEach(address -> address.invalid(Names.address(address.text())));
        Value policy = spec.at("externalTrafficPolicy");
        policy.invalidIf(!policy.isEmpty() && !type.equals("NodePort") && !type.equals("LoadBalancer") && spec.at("externalIPs").isEmpty(),
                "may only be set for externally-accessible services");
    }

    /** What is wrong with the addresses that a Service asks for, which the server reports before, and instead of, anything else. */
    static void addresses(Value spec) {
        Value given = spec.at("clusterIPs").isSet() ? spec.at("clusterIPs")
                : spec.at("clusterIPs").with(JsonNodeFactory.instance.arrayNode().add(spec.at("clusterIP").text()));
        if (spec.at("type").has("ExternalName")) {
            Stream.of(given, spec.at("ipFamilies"), spec.at("ipFamilyPolicy"))
                    .filter(value -> value.node().isArray() ? value.items().stream().anyMatch(item -> !item.isEmpty()) : !value.isEmpty())
                    .forEach(value -> value.forbidden("may not be set for ExternalName services"));
        } else {
            if (!spec.at("clusterIPs").isEmpty() && spec.at("clusterIP").isEmpty()) {
                spec.at("clusterIPs").invalid("must be empty when `clusterIP` is not specified");
            } else if (!spec.at("clusterIPs").isEmpty() && !spec.at("clusterIPs").items().get(0).has(spec.at("clusterIP").text())) {
                spec.at("clusterIPs").invalid("first value must match `clusterIP`");
            }
            given.items().stream().filter(address -> !address.isEmpty() && !address.has("None"))
                    .forEach(address -> address.invalid(address.text().contains(":") ? List.of("IPv6 is not configured on this cluster")
                            : Names.address(address.text())));
            spec.at("ipFamilies").items().stream().filter(family -> !FAMILIES.contains(family.text()))
                    .forEach(family -> family.unsupported(FAMILIES));
            spec.at("ipFamilies").items().stream().filter(family -> family.has("IPv6"))
                    .forEach(family -> family.invalid("not configured on this cluster"));
            spec.at("ipFamilyPolicy").invalidIf(spec.at("ipFamilyPolicy").has("RequireDualStack"),
                    "this cluster is not configured for dual-stack services");
        }
    }

    static void endpoints(Value object) {
        for (Value subset : object.at("subsets").items()) {
            subset.requiredIf(subset.at("addresses").isEmpty() && subset.at("notReadyAddresses").isEmpty(),
                    "must specify `addresses` or `notReadyAddresses`");
            boolean several = subset.at("ports").node().size() > 1;
            subset.at("ports").items().forEach(port -> port.at("name").requiredIf(several && port.at("name").isEmpty(), ""));
            Stream.of("addresses", "notReadyAddresses").flatMap(list -> subset.at(list).items().stream()).map(address -> address.at("ip"))
                    .filter(address -> !Names.address(address.text()).isEmpty()).forEach(address -> {
                        address.invalid(Names.address(address.text()));
                        address.invalid("must be a valid IP address");
                    });
        }
    }

    static void slice(Value object) {
        object.at("endpoints").items().stream().flatMap(endpoint -> endpoint.at("addresses").items().stream())
                .filter(address -> object.at("addressType").text().startsWith("IP"))
                .forEach(address -> address.invalid(Names.address(address.text())));
    }

    static void ingress(Value spec) {
        spec.with(spec.at("rules").isSet() ? spec.at("rules").node() : NullNode.instance).invalidIf(spec.at("rules").isEmpty()
                && !spec.at("defaultBackend").isSet(), "either `defaultBackend` or `rules` must be specified");
        if (spec.at("defaultBackend").isSet()) {
            backend(spec.at("defaultBackend"));
        }
        for (Value rule : spec.at("rules").items()) {
            Value host = rule.at("host");
            host.invalidIf(host.text().matches("\\d+(\\.\\d+){3}"), "must be a DNS name, not an IP address");
            host.invalidIf(!host.isEmpty(), Names.host(host.text()));
            if (rule.at("http").isSet() && rule.at("http", "paths").require()) {
                rule.at("http", "paths").items().forEach(ServiceRules::path);
            }
        }
        spec.at("tls").items().forEach(tls -> tls.at("hosts").items().forEach(host -> host.invalid(Names.host(host.text()))));
    }

    static void parameters(Value parameters) {
        Value namespace = parameters.at("namespace");
        namespace.requiredIf(parameters.at("scope").has("Namespace") && !namespace.isSet(), "");
        namespace.forbiddenIf(parameters.at("scope").has("Cluster") && namespace.isSet(), "`parameters.scope` is set to 'Cluster'");
    }

    private static void path(Value path) {
        String type = path.at("pathType").text();
        if (!path.at("pathType").require("pathType must be specified")) {
            return;
        }
        String text = path.at("path").text();
        if (type.equals("Exact") || type.equals("Prefix")) {
            path.at("path").invalidIf(!text.startsWith("/"), "must be an absolute path");
            Stream.of("//", "/./", "/../", "%2f", "%2F").filter(text::contains)
                    .forEach(wrong -> path.at("path").invalid("must not contain '" + wrong + "'"));
        } else if (!type.equals("ImplementationSpecific")) {
            path.at("pathType").unsupported(List.of("Exact", "ImplementationSpecific", "Prefix"));
        } else if (!text.isEmpty() && !text.startsWith("/")) {
            path.at("path").invalid("must be an absolute path");
        }
        backend(path.at("backend"));
    }

    private static void backend(Value backend) {
        Value service = backend.at("service");
        boolean isSet = backend.at("resource").isSet();
        if (isSet == service.isSet()) {
            backend.with(StringNode.valueOf("")).invalid(isSet ? "cannot set both resource and service backends"
                    : "resource or service backend is required");
        } else if (isSet) {
            TableRules.check("networking.k8s.io/v1.IngressClassParametersReference", MissingNode.getInstance(), backend.at("resource"));
        } else {
            TableRules.check("networking.k8s.io/v1.IngressServiceBackend", MissingNode.getInstance(), service);
            Value port = service.at("port");
            if (!port.at("name").isEmpty() && port.at("number").number() != 0) {
                backend.with(StringNode.valueOf("")).invalid("cannot set both port name & port number");
            } else if (port.at("name").isEmpty() && port.at("number").number() == 0) {
                backend.required("port name or number is required");
            }
        }
    }

    static void networkPolicy(Value spec) {
        spec.at("policyTypes").invalidIf(spec.at("policyTypes").node().size() > 2, "may not specify more than two policyTypes");
        for (String direction : List.of("ingress", "egress")) {
            for (Value rule : spec.at(direction).items()) {
                rule.at("ports").items().forEach(ServiceRules::policyPort);
                rule.at(direction.equals("ingress") ? "from" : "to").items().forEach(ServiceRules::peer);
            }
        }
    }

    private static void policyPort(Value port) {
        Value end = port.at("endPort");
        end.invalidIf(end.isSet() && port.at("port").node().isNumber(), Names.port(end.number()));
        if (end.isSet()) {
            if (!port.at("port").isSet()) {
                end.invalid("may not be specified when `port` is not specified");
            } else if (port.at("port").node().isString()) {
                end.invalid("may not be specified when `port` is non-numeric");
            } else if (end.number() < port.at("port").number()) {
                end.with(port.at("port").node()).invalid("must be greater than or equal to `port`");
            }
        }
    }

    private static void peer(Value peer) {
        long selectors = Stream.of("podSelector", "namespaceSelector").filter(name -> peer.at(name).isSet()).count();
        if (selectors == 0 && !peer.at("ipBlock").isSet()) {
            peer.required("must specify a peer");
        } else if (selectors > 0 && peer.at("ipBlock").isSet()) {
            peer.forbidden("may not specify both ipBlock and another peer");
        }
        peer.at("ipBlock", "except").items().forEach(range -> range(range, range.text()));
        Value range = peer.at("ipBlock", "cidr");
        if (peer.at("ipBlock").isSet() && range.require()) {
            range(range, range.text());
        }
    }

    private static void range(Value range, String text) {
        range.invalidIf(!CIDR.matcher(text).matches(), "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
    }
}
