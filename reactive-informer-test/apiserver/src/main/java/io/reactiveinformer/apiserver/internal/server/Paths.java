package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.Types;
import io.reactiveinformer.apiserver.internal.schema.Resources;
import java.util.List;
import java.util.function.Predicate;
import tools.jackson.databind.node.ObjectNode;

/** Answers paths that name no resource: discovery, versions, health. */
record Paths(Cluster cluster) {

    private static final Predicate<String> HEALTH = Health.paths();
    private static final byte[] VERSION = Json.utf8(Resources.text(Paths.class, "version.json"));

    static Answer notFound() {
        return Answer.text(404, "404 page not found\n");
    }

    Answer answer(ApiRequest request) {
        Types types = cluster.types();
        String path = request.path().length() > 1 && request.path().endsWith("/")
                ? request.path().substring(0, request.path().length() - 1)
                : request.path();
        if (path.equals("/api") || path.equals("/apis")) {
            boolean core = path.equals("/api");
            if (Discovery.wantsAggregated(request.http().headers().first("Accept").orElse(""))) {
                return Discovery.aggregated(types, core, request.http().headers().first("If-None-Match").orElse(""));
            }
            return Answer.json(200, core ? versions(request) : Discovery.groups(types));
        }
        if (path.equals("/version")) {
            return Answer.json(200, VERSION);
        }
        if (HEALTH.test(path)) {
            return Health.of(request);
        }
        if (path.startsWith("/openapi")) {
            return openApi(types, path);
        }
        List<String> steps = List.of(path.substring(1).split("/", -1));
        String group = steps.size() > 1 && steps.get(0).equals("apis") ? steps.get(1) : "";
        boolean core = steps.size() == 2 && steps.get(0).equals("api");
        if (core && types.versions("").contains(steps.get(1))) {
            return Answer.json(200, Discovery.resources(types, "", steps.get(1)));
        }
        if (!group.isEmpty() && types.groups().contains(group)) {
            if (steps.size() == 2) {
                return Answer.json(200, Discovery.group(types, group));
            }
            if (types.versions(group).contains(steps.get(2))) {
                return Answer.json(200, Discovery.resources(types, group, steps.get(2)));
            }
        }
        return notFound();
    }

    private static Answer openApi(Types types, String path) {
        if (path.equals("/openapi/v2")) {
            // An empty protocol buffer: a document without definitions.
            return Answer.bytes(200, "application/com.github.proto-openapi.spec.v2.v1.0+protobuf", new byte[0]);
        }
        if (path.equals("/openapi/v3")) {
            return Answer.bytes(200, "text/plain; charset=utf-8", Json.write(OpenApi.index(types)));
        }
        List<String> steps = List.of(path.substring(1).split("/", -1));
        String version = steps.get(steps.size() - 1);
        String group = steps.size() == 5 && steps.get(2).equals("apis") ? steps.get(3) : "";
        boolean known = (!group.isEmpty() || steps.size() == 4 && steps.get(2).equals("api")) && types.versions(group).contains(version);
        return known ? Answer.json(200, OpenApi.document(types, group, version))
                : OpenApi.index(types).path("paths").has(path.replaceFirst("^/openapi/v3/", "")) ? Answer.json(200, OpenApi.document())
                : notFound();
    }

    private static ObjectNode versions(ApiRequest request) {
        ObjectNode versions = Json.object().put("kind", "APIVersions");
        versions.putArray("versions").add("v1");
        versions.putArray("serverAddressByClientCIDRs").addObject().put("clientCIDR", "0.0.0.0/0")
                .put("serverAddress", request.http().headers().first("Host").orElse("127.0.0.1"));
        return versions;
    }
}
