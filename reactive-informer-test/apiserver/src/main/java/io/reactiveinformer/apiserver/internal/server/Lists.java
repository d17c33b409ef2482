package io.reactiveinformer.apiserver.internal.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.CustomSchema;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.Selection;
import io.reactiveinformer.apiserver.internal.cluster.StoredObject;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Answers lists: chooses version and page, and writes the bytes.
 *
 * @param cached false for a server without a watch cache
 */
record Lists(Cluster cluster, Scheduler scheduler, boolean cached) {

    /** The time that the server waits for a version that it has not reached yet. */
    static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final int BUFFER = 32 * 1024;
    private static final String CONTINUE_EXPIRED =
            "The provided continue parameter is too old to display a consistent list result. You can start a"
            + " new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the "
            + "results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or "
            + "deleted between the time the first chunk was returned and now may show up in the list.";

    /** @param version in which the objects are shown */
    Mono<Answer> list(ResourceDefinition type, String version, Selection selection, ListOptions options, Representation form) {
        long asked = options.continuation().isEmpty() ? options.number(false) : -1;
        if (asked > cluster.version() && !cached) {
            throw ApiFailure.tooLargeForTheStore(options.version(), cluster.version());
        }
        if (asked > cluster.version()) {
            return Mono.delay(PATIENCE, scheduler).flatMap(waited -> asked > cluster.version() ? tooLarge(options.version())
                    : Mono.fromSupplier(() -> answer(type, version, selection, options, form)));
        }
        return Mono.fromSupplier(() -> answer(type, version, selection, options, form));
    }

    /** The answer after waiting in vain for a version. */
    Mono<Answer> impatient(String version) {
        return Mono.delay(PATIENCE, scheduler).then(tooLarge(version));
    }

    private Mono<Answer> tooLarge(String version) {
        return Mono.error(() -> ApiFailure.tooLarge(version, cluster.version()));
    }

    private Answer answer(ResourceDefinition type, String version, Selection selection, ListOptions options, Representation form) {
        Cluster.Listing listing = options.continuation().isEmpty() ? first(type, selection, options) : next(type, selection, options);
        List<StoredObject> objects = listing.objects();
        if (options.limit() == 0 || cached && options.anyVersion() && options.continuation().isEmpty()
                || objects.size() <= options.limit()) {
            CustomSchema.prepare(type, objects, version);
            return bytes(objects, new Representation.ListHead(listing.version(), "", 0, selection.shards().text()), form);
        }
        List<StoredObject> page = objects.subList(0, options.limit());
        CustomSchema.prepare(type, page, version);
        String last = keyWithin(selection, page.get(page.size() - 1));
        long remaining = selection.isSelective() ? 0 : objects.size() - page.size();
        String token = ContinueToken.after(listing.version(), last).encode(cached);
        return bytes(page, new Representation.ListHead(listing.version(), token, remaining, selection.shards().text()), form);
    }

    private Cluster.Listing first(ResourceDefinition type, Selection selection, ListOptions options) {
        if (!options.exact()) {
            return cluster.list(type, selection, null);
        }
        Cluster.Listing listing = cluster.listAt(options.number(false), type, selection, null);
        if (listing == null) {
            throw ApiFailure.expired("The resourceVersion for the provided list is too old.");
        }
        return listing;
    }

    private Cluster.Listing next(ResourceDefinition type, Selection selection, ListOptions options) {
        if (!options.version().isEmpty() && !options.anyVersion()) {
            throw ApiFailure.badRequest("specifying resource version is not allowed when using continue");
        }
        ContinueToken token = ContinueToken.decode(options.continuation());
        String start = type.namespaced() && selection.namespace() != null ? selection.namespace() + "/" + token.start() : token.start();
        if (token.version() == ContinueToken.PRESENT) {
            return cluster.list(type, selection, start);
        }
        Cluster.Listing listing = cluster.listAt(token.version(), type, selection, start);
        if (listing == null) {
            throw ApiFailure.expired(CONTINUE_EXPIRED, token.inconsistent().encode(cached));
        }
        return listing;
    }

    private static String keyWithin(Selection selection, StoredObject object) {
        boolean whole = object.namespace() != null && selection.namespace() == null;
        return whole ? Objects.requireNonNull(object.namespace()) + "/" + object.name() : object.name();
    }

    static Answer bytes(List<StoredObject> objects, Representation.ListHead head, Representation form) {
        byte[] start = form.listStart(head);
        byte[] end = form.listEnd(head);
        var first = new ByteArrayOutputStream();
        first.writeBytes(start);
        int shown = fill(first, objects, 0, form);
        if (shown == objects.size()) {
            first.writeBytes(end);
            return Answer.json(200, first.toByteArray());
        }
        Flux<ByteBuf> rest = Flux.generate(() -> shown, (from, sink) -> {
            var buffer = new ByteArrayOutputStream(BUFFER + BUFFER / 2);
            int to = fill(buffer, objects, from, form);
            if (to == objects.size()) {
                buffer.writeBytes(end);
            }
            sink.next(Unpooled.wrappedBuffer(buffer.toByteArray()));
            if (to == objects.size()) {
                sink.complete();
            }
            return to;
        });
        return Answer.stream(Flux.defer(() -> Flux.just(Unpooled.wrappedBuffer(first.toByteArray()))).concatWith(rest));
    }

    private static int fill(ByteArrayOutputStream buffer, List<StoredObject> objects, int from, Representation form) {
        int at = from;
        while (at < objects.size() && buffer.size() < BUFFER) {
            if (at > 0) {
                buffer.write(',');
            }
            form.item(objects.get(at)).forEach(buffer::writeBytes);
            at++;
        }
        return at;
    }
}
