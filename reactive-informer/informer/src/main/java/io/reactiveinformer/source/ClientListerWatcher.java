package io.reactiveinformer.source;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import reactor.core.publisher.Flux;

/** Asks the server, with the same selector each time. */
record ClientListerWatcher<T>(ResourceClient<T> client, ResourceType<T> type, Namespaces part, Selector selector)
        implements ListerWatcher<T> {

    private static final int NOT_ALLOWED = 405;

    ClientListerWatcher {
        type.requirePart(part);
    }

    /** With a selector, a server may have to read all objects of its store to find a few. */
    @Override
    public Identity identity() {
        String all = type.in(part);
        boolean any = selector.equals(Selector.any());
        String description = any ? all : all + ", " + selector; // as the informer's
        return new Identity(description, part, !type.hasModel(), any ? Past.ALL : Past.ONE); // no model, no built-in type
    }

    /** A field that the type cannot be selected by. A custom type may support it after its next definition; bad syntax stays bad. */
    @Override
    public boolean neverTakes(StatusException refusal) {
        String said = refusal.status().message();
        boolean unknownField = said.contains("field label") || said.contains("known field selector");
        boolean badSyntax = said.contains("invalid selector") || said.contains("invalid field selector");
        return refusal.code() == 400 && !selector.fields().isEmpty() && (badSyntax || unknownField && type.hasModel());
    }

    @Override
    public Flux<ObjectEvent<T>> list(ListOptions options, Reading<T> reading) {
        return client.list(part, options.withSelector(selector), reading);
    }

    @Override
    public Flux<ObjectEvent<T>> watch(WatchOptions options, Reading<T> reading) {
        return client.watch(part, options.withSelector(selector), reading)
                .onErrorMap(InvalidRequestException.class,
                        refusal -> refusal.code() == NOT_ALLOWED ? cannotBeWatched(refusal.status()) : refusal);
    }

    private StatusException cannotBeWatched(Status refusal) {
        return StatusException.of(Status.of(refusal.code(), refusal.reason(), refusal.message() + ". This type cannot be watched. List it "
                + "by period: Informer.over(ListerWatcher.polling(ListerWatcher.over(client, type, part), period), options)"),
                "watch " + identity().description());
    }
}
