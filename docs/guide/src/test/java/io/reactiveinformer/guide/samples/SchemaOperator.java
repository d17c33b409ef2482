package io.reactiveinformer.guide.samples;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Finalizer;
import io.reactiveinformer.controller.Owner;
import io.reactiveinformer.controller.ReconcileRequest;
import io.reactiveinformer.controller.StatusWriter;
import io.reactiveinformer.controller.UpdateFilter;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import reactor.core.publisher.Mono;

/** Creates schemas in a database, each with a user whose password is in a secret, and drops them before their objects go. */
public final class SchemaOperator {

    private static final ResourceType<V1Secret> SECRETS = ResourceType.of(V1Secret.class);

    private final Database database;
    private final Informer<Schema> schemas;
    private final Informer<V1Secret> secrets;
    private final ResourceClient<V1Secret> writer;
    private final Finalizer<Schema> finalizer;
    private final StatusWriter<Schema> status;
    private final Controller<ObjectKey> controller;

    public SchemaOperator(KubernetesClient client, InformerFactory informers, Database database) {
        this.database = database;
        schemas = informers.of(Schema.TYPE);
        secrets = informers.of(SECRETS);
        writer = client.resources(SECRETS);
        finalizer = Finalizer.of("example.com/schema", client, Schema.TYPE, schemas);
        status = StatusWriter.of(client, Schema.TYPE, schemas);
        controller = Controller.named("schemas")
                .reconciles(Schema.TYPE, schemas, UpdateFilter.generation())
                .owns(secrets)
                .reconcile(this::reconcile);
    }

    public Controller<ObjectKey> controller() {
        return controller;
    }

    private Mono<Result> reconcile(ReconcileRequest<ObjectKey> request) {
        return schemas.lister().get(request.key())
                .map(schema -> status.reporting(request, schema,
                        finalizer.around(request, schema, marked -> create(request, marked), gone -> database.drop(name(gone), user(gone))),
                        (now, failure) -> new Schema.Status(null, null, null, "ERROR: " + failure.getMessage())))
                .orElse(Mono.empty());
    }

    private Mono<Result> create(ReconcileRequest<ObjectKey> request, Schema schema) {
        return secret(request, schema)
                .flatMap(secret -> database.create(name(schema), schema.spec().encoding(), user(schema), text(secret, "password")))
                .then(status.write(request, schema, now ->
                        new Schema.Status(database.url(name(schema)), user(schema), name(schema) + "-secret", "CREATED")))
                .thenReturn(Result.again(Duration.ofMinutes(1)));           // somebody may drop it in the database
    }

    /** The secret with the password, which is made once. */
    private Mono<V1Secret> secret(ReconcileRequest<ObjectKey> request, Schema schema) {
        String namespace = schema.metadata().getNamespace();
        return secrets.lister().get(ObjectKey.of(namespace, name(schema) + "-secret")).map(Mono::just)
                .orElseGet(() -> writer.create(Namespaces.of(namespace), Owner.of(Schema.TYPE, schema).own(new V1Secret()
                                .metadata(new V1ObjectMeta().namespace(namespace).name(name(schema) + "-secret"))
                                .data(Map.of("user", bytes(user(schema)), "password", bytes(UUID.randomUUID().toString())))))
                        .doOnNext(request.wrote(secrets)));
    }

    private static String name(Schema schema) {
        return schema.metadata().getName();
    }

    private static String user(Schema schema) {
        return name(schema) + "-user";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(V1Secret secret, String field) {
        return new String(secret.getData().get(field), StandardCharsets.UTF_8);
    }
}
