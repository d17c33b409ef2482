package io.reactiveinformer.recordings;

import io.netty.buffer.Unpooled;
import io.reactiveinformer.client.DeleteOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.client.WriteOptions;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The call of the client that sends the request of an exchange. Each result is what was received: objects as {@link JsonNode}, or
 * bytes.
 */
final class RecordedCall {

    /** Keeps numbers as they are written. */
    static final JsonMapper JSON = JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES).build();

    private final KubernetesClient client;
    private final Recording.Exchange exchange;
    private final String method;
    private final List<String> path;
    private final Map<String, String> query;
    private final String body;

    RecordedCall(KubernetesClient client, Recording.Exchange exchange) {
        this.client = client;
        this.exchange = exchange;
        this.method = exchange.requestLine().substring(0, exchange.requestLine().indexOf(' '));
        this.path = segments(exchange.uri());
        this.query = query(exchange.uri());
        this.body = body(exchange.requestText());
    }

    static Map<String, String> query(String uri) {
        String[] parts = uri.split("[?]", 2);
        return parts.length == 1 ? Map.of() : Stream.of(parts[1].split("&", -1)).map(parameter -> parameter.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair.length == 1
                        ? "" : URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
    }

    static String header(String request, String name) {
        return request.lines().takeWhile(line -> !line.isEmpty())
                .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                .map(line -> line.substring(name.length() + 1).strip()).findFirst().orElse("");
    }

    /** @param request whole, its bytes as characters of ISO 8859-1 */
    static String body(String request) {
        return new String(request.substring(request.indexOf("\r\n\r\n") + 4).getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /** After the version, without namespace: plural, then name and subresource where there are. */
    private List<String> segments(String uri) {
        List<String> all = Arrays.asList(uri.substring(1).split("[?]", 2)[0].split("/", -1));
        int skip = all.get(0).equals("api") ? 2 : 3;
        return all.size() <= skip ? List.of() : all.subList(skip, all.size());
    }

    private @Nullable String namespace() {
        return path.size() > 2 && path.get(0).equals("namespaces") ? path.get(1) : null;
    }

    private List<String> rest() {
        return namespace() == null ? path : path.subList(2, path.size());
    }

    Flux<?> send() {
        return isRaw() ? asItIs() : typed(header(exchange.requestText(), "Accept").contains("PartialObjectMetadata"));
    }

    /** Whether it is something that is said as it is: no object of a resource is asked for, or not in a form that the client asks for. */
    boolean isRaw() {
        String accept = header(exchange.requestText(), "Accept");
        boolean ours = (exchange.uri().startsWith("/api/") || exchange.uri().startsWith("/apis/"))
                && !rest().isEmpty() && !rest().get(0).equals("watch")
                && (accept.equals("application/json") || accept.contains("as=PartialObjectMetadata;") || isMetadataList(accept))
                && isJson(body) && !query.containsKey("pretty") && !query.containsKey("gracePeriodSeconds")
                && exchange.status() != 415 && !(method.equals("PUT") && rest().size() == 1);
        return !ours;
    }

    private boolean isMetadataList(String accept) {
        return accept.contains("as=PartialObjectMetadataList") && !query.containsKey("watch");
    }

    private static boolean isJson(String text) {
        try {
            return text.isEmpty() || JSON.readTree(text).isContainer();
        } catch (RuntimeException malformed) {
            return false;
        }
    }

    private Flux<?> asItIs() {
        Headers headers = Headers.empty();
        for (String name : List.of("Accept", "Content-Type", "If-None-Match")) {
            String value = header(exchange.requestText(), name);
            headers = value.isEmpty() ? headers : headers.with(name, value);
        }
        byte[] bytes = body.isEmpty() ? null : body.getBytes(StandardCharsets.UTF_8);
        return client.raw().exchange(new HttpRequest(method, exchange.uri(), headers, bytes));
    }

    private Flux<?> typed(boolean metadata) {
        List<String> whole = Arrays.asList(exchange.uri().substring(1).split("/", -1));
        String group = whole.get(0).equals("api") ? "" : whole.get(1);
        String version = whole.get(whole.get(0).equals("api") ? 1 : 2);
        return metadata
                ? reading(client.resources(ResourceType.metadata(group, version, rest().get(0))))
                : calling(client.resources(ResourceType.dynamic(group, version, rest().get(0))));
    }

    private Namespaces namespaces() {
        return namespace() == null ? Namespaces.all() : Namespaces.of(namespace());
    }

    private <T> Flux<?> reading(ResourceClient<T> resources) {
        if (rest().size() > 1) {
            return resources.get(ObjectKey.of(namespace(), rest().get(1))).flux();
        }
        Selector selector = query.containsKey("fieldSelector") ? Selector.fields(query.get("fieldSelector"))
                : query.containsKey("labelSelector") ? Selector.labels(query.get("labelSelector")) : Selector.any();
        if (!query.containsKey("watch")) {
            ListOptions options = ListOptions.defaults().withSelector(selector)
                    .withLimit(Integer.parseInt(query.getOrDefault("limit", "0")));
            return resources.list(namespaces(), options, Reading.anew())
                    .mapNotNull(event -> event instanceof ObjectEvent.Applied<T> item ? item.entry().object() : null);
        }
        var options = new WatchOptions(
                selector, query.get("resourceVersion"), Duration.ofSeconds(Long.parseLong(query.getOrDefault("timeoutSeconds", "60"))),
                query.containsKey("allowWatchBookmarks"), query.containsKey("sendInitialEvents"));
        return resources.watch(namespaces(), options, Reading.anew()).mapNotNull(RecordedCall::object);
    }

    private static @Nullable Object object(ObjectEvent<?> event) {
        return event instanceof ObjectEvent.Bookmark<?> bookmark ? bookmark.resourceVersion()
                : event.entry() != null ? event.entry().object()
                : null;
    }

    private Flux<?> calling(ResourceClient<JsonNode> resources) {
        if (method.equals("GET")) {
            return reading(resources);
        }
        JsonNode content = body.isEmpty() ? JSON.nullNode() : JSON.readTree(body);
        WriteOptions options = new WriteOptions(
                query.containsKey("dryRun"), query.get("fieldManager"), query.containsKey("force"),
                query.containsKey("fieldValidation") ? WriteOptions.FieldValidation.STRICT : null);
        if (rest().size() == 1) {
            return method.equals("POST") ? resources.create(namespaces(), content, options).flux()
                    : resources.deleteAll(namespaces(), ListOptions.defaults(), DeleteOptions.defaults()).flux();
        }
        ObjectKey key = ObjectKey.of(namespace(), rest().get(1));
        if (method.equals("DELETE")) {
            DeleteOptions deletion = query.containsKey("dryRun") ? DeleteOptions.defaults().withDryRun() : DeleteOptions.defaults();
            String version = content.path("preconditions").path("resourceVersion").asString("");
            return resources.delete(key, version.isEmpty() ? deletion : deletion.withResourceVersion(version)).flux();
        }
        if (rest().size() == 3) {
            ResourceClient.Subresource<JsonNode> part = resources.subresource(rest().get(2), ResourceType.dynamic("", "v1", rest().get(2)));
            return method.equals("POST") ? part.create(key, content, options).flux() : part.patch(key, patch(content), options).flux();
        }
        if (method.equals("PUT")) {
            return resources.update(key, content, options).flux();
        }
        return header(exchange.requestText(), "Content-Type").contains("apply-patch")
                ? resources.apply(key, content, options).flux()
                : resources.patch(key, patch(content), options).flux();
    }

    private Patch patch(JsonNode content) {
        String type = header(exchange.requestText(), "Content-Type");
        return type.contains("json-patch") ? Patch.json(content) : type.contains("strategic")
                ? Patch.strategic(content) : Patch.merge(content);
    }

    /** What is written is what was set: the model class's object that was read from the recorded body becomes that body again. */
    static String rewritten(ResourceType<?> type, String body) {
        ObjectCodec codec = ObjectCodec.create();
        Object object = codec.object(Flux.just(Unpooled.copiedBuffer(body, StandardCharsets.UTF_8)), type)
                .block(Duration.ofSeconds(20)).object();
        return new String(codec.write(object), StandardCharsets.UTF_8);
    }
}
