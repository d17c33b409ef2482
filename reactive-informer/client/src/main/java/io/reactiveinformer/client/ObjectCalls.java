package io.reactiveinformer.client;

import io.netty.buffer.Unpooled;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Form;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Requests about single objects: whole ones, or a subresource.
 */
class ObjectCalls<S> implements ResourceClient.Subresource<S> {

    final RequestPipeline calls;
    private final ResourceType<?> path;
    private final String suffix;
    private final ResourceType<S> content;

    /**
     * @param path the type that the path is made from
     * @param suffix name of the subresource; empty for the object
     * @param content the type that is read and written there
     */
    ObjectCalls(RequestPipeline calls, ResourceType<?> path, String suffix, ResourceType<S> content) {
        this.calls = calls;
        this.path = path;
        this.suffix = suffix;
        this.content = content;
    }

    @Override
    public Mono<S> get(ObjectKey key) {
        return one(() -> HttpRequest.get(at(key).toString(), Accept.object(content)), "get", key);
    }

    @Override
    public Mono<S> create(ObjectKey key, S object, WriteOptions options) {
        return one(() -> write("POST", at(key), options, "application/json", manifest(object)), "create", key);
    }

    @Override
    public Mono<S> update(ObjectKey key, S object, WriteOptions options) {
        return Mono.defer(() -> {
            JsonNode wanted = manifest(object);
            if (calls.codec().readsAll(content)) {
                return put(key, wanted, options);
            }
            String version = version(wanted);
            Mono<S> merged = new ObjectCalls<>(calls, path, suffix, trees()).get(key)
                    .flatMap(live -> over(key, live, wanted))
                    .flatMap(whole -> put(key, whole, options))
                    .onErrorResume(NotFoundException.class, none -> put(key, wanted, options)); // some types are created by an update
            return version.isEmpty() ? merged.retryWhen(RetryOnConflict.quickly()) : merged;
        });
    }

    private Mono<S> put(ObjectKey key, JsonNode whole, WriteOptions options) {
        return one(() -> write("PUT", at(key), options, "application/json", whole), "update", key);
    }

    private ResourceType<JsonNode> trees() {
        return new ResourceType<>(content.group(), content.version(), content.plural(), content.kind(), content.scope(), Form.DYNAMIC,
                JsonNode.class);
    }

    private static String version(JsonNode object) {
        return object.path("metadata").path("resourceVersion").asString("");
    }

    /** The server's object with the changes of the caller. If the caller's object has a version, it must be the server's. */
    private Mono<JsonNode> over(ObjectKey key, JsonNode live, JsonNode wanted) {
        String seen = version(wanted);
        if (!seen.isEmpty() && !seen.equals(version(live))) {
            String difference = "it has changed, from version " + seen + " to " + version(live) + "; read it again, and repeat the change";
            return Mono.error(StatusException.of(Status.of(409, "Conflict", difference), attempt("update", key).toString()));
        }
        return calls.codec().object(Flux.just(Unpooled.wrappedBuffer(calls.codec().write(live))), content)
                .map(read -> over(key, live, manifest(read.object()), wanted));
    }

    private JsonNode over(ObjectKey key, JsonNode live, JsonNode read, JsonNode wanted) {
        try {
            JsonNode whole = Overlay.of(live, read, wanted);
            if (version(whole).isEmpty() && whole.path("metadata") instanceof ObjectNode metadata) {
                metadata.put("resourceVersion", version(live)); // what is kept is of this version
            }
            return whole;
        } catch (IllegalArgumentException loss) {
            throw new IllegalArgumentException("cannot " + attempt("update", key) + ": " + loss.getMessage(), loss);
        }
    }

    @Override
    public Mono<S> patch(ObjectKey key, Patch patch, WriteOptions options) {
        return one(() -> write("PATCH", at(key), options, patch.kind().contentType(), patch.body()), "patch", key);
    }

    @Override
    public Mono<S> apply(ObjectKey key, S object, WriteOptions options) {
        return one(() -> {
            if (options.fieldManager() == null) {
                throw new IllegalArgumentException("server-side apply needs withFieldManager(\"name-of-the-controller\")");
            }
            return write("PATCH", at(key), options, "application/apply-patch+yaml", manifest(object)); // JSON is YAML
        }, "apply", key);
    }

    final Mono<S> one(Supplier<HttpRequest> request, RequestDescription attempt) {
        return Mono.defer(() -> calls.codec().prepare(content)
                        .thenMany(calls.callAgain(request.get(), attempt, answer -> calls.codec().object(answer.body(), content)))
                        .single())
                .map(Versioned::object);
    }

    private Mono<S> one(Supplier<HttpRequest> request, String verb, ObjectKey key) {
        return one(request, attempt(verb, key));
    }

    private RequestDescription attempt(String verb, ObjectKey key) {
        return new RequestDescription(verb, path + (suffix.isEmpty() ? "" : "/" + suffix), key.toString());
    }

    private ResourcePath at(ObjectKey key) {
        ResourcePath object = ResourcePath.of(path, key);
        return suffix.isEmpty() ? object : object.child(suffix);
    }

    /**
     * The object as it is sent. The server demands {@code apiVersion} and {@code kind} of custom resources, which
     * callers often leave out.
     */
    private ObjectNode manifest(S object) {
        if (content.form() == Form.METADATA || content.form() == Form.PROJECTED) {
            throw new IllegalArgumentException("a part of " + content
                    + " must not be written in place of the whole; use patch, or the type itself");
        }
        if (!(calls.codec().tree(object) instanceof ObjectNode written)) {
            throw new IllegalArgumentException("an object of " + content + " must be written as a JSON object");
        }
        ObjectNode manifest = written.objectNode().put("apiVersion", content.apiVersion());
        if (content.kind() != null) {
            manifest.put("kind", content.kind());
        }
        return manifest.setAll(written);
    }

    final HttpRequest write(String method, ResourcePath at, WriteOptions options, S object) {
        return write(method, at, options, "application/json", manifest(object));
    }

    private HttpRequest write(String method, ResourcePath at, WriteOptions options, String contentType, Object body) {
        Headers headers = Accept.object(content).with("Content-Type", contentType);
        return new HttpRequest(method, Queries.write(at, options).toString(), headers, calls.codec().write(body));
    }
}
