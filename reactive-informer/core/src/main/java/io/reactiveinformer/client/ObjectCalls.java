package io.reactiveinformer.client;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Form;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * Requests about single objects: whole ones, or a subresource.
 *
 * @param path the type that the path is made from
 * @param suffix name of the subresource; empty for the object
 * @param content the type that is read and written there
 */
record ObjectCalls<S>(Calls calls, ResourceType<?> path, String suffix, ResourceType<S> content) implements ResourceClient.Subresource<S> {

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
        return one(() -> write("PUT", at(key), options, "application/json", manifest(object)), "update", key);
    }

    @Override
    public Mono<S> patch(ObjectKey key, Patch patch, WriteOptions options) {
        return one(() -> write("PATCH", at(key), options, patch.kind().contentType(), calls.codec().write(patch.body())), "patch", key);
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

    Mono<S> one(Supplier<HttpRequest> request, Attempt attempt) {
        return Mono.defer(() -> calls.codec().prepare(content)
                        .thenMany(calls.callAgain(request.get(), attempt, answer -> calls.codec().object(answer.body(), content)))
                        .single())
                .map(Versioned::object);
    }

    private Mono<S> one(Supplier<HttpRequest> request, String verb, ObjectKey key) {
        return one(request, new Attempt(verb, path + (suffix.isEmpty() ? "" : "/" + suffix), key.toString()));
    }

    private ResourcePath at(ObjectKey key) {
        ResourcePath object = ResourcePath.of(path, key);
        return suffix.isEmpty() ? object : object.child(suffix);
    }

    private byte[] manifest(S object) {
        if (content.form() == Form.METADATA || content.form() == Form.PROJECTED) {
            throw new IllegalArgumentException("a part of " + content
                    + " must not be written in place of the whole; use patch, or the type itself");
        }
        return Manifest.complete(calls.codec().write(object), content);
    }

    HttpRequest write(String method, ResourcePath at, WriteOptions options, S object) {
        return write(method, at, options, "application/json", manifest(object));
    }

    private HttpRequest write(String method, ResourcePath at, WriteOptions options, String contentType, byte[] body) {
        Headers headers = Accept.object(content).with("Content-Type", contentType);
        return new HttpRequest(method, Queries.write(at, options).toString(), headers, body);
    }
}
