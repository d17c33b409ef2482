package io.reactiveinformer.guide.processors;

import io.kubernetes.client.openapi.models.V1Pod;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.processor.RowProcessor;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.store.Snapshot;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A table that follows the pods of a cluster. */
final class PodTable {

    private final ConnectionFactory database;

    PodTable(ConnectionFactory database) {
        this.database = database;
    }

    Mono<Void> create() {
        return execute("CREATE TABLE IF NOT EXISTS pods (namespace VARCHAR, name VARCHAR, phase VARCHAR, PRIMARY KEY (namespace, name))",
                statement -> statement);
    }

    /** Each pod in its newest state, eight at a time, and none twice at a time. */
    RowProcessor<ObjectKey> follow(Informer<V1Pod> pods, Path positions) {
        return RowProcessor.of("pods-table", pods)
                .concurrency(8)
                .timeout(Duration.ofSeconds(10))
                .positions(positions)
                .process(row -> row.deleted() ? delete(row.key()) : upsert(row.key(), row.object()));
    }

    Mono<Void> upsert(ObjectKey key, V1Pod pod) {
        return execute("MERGE INTO pods (namespace, name, phase) KEY (namespace, name) VALUES ($1, $2, $3)", statement -> statement
                .bind("$1", key.namespace()).bind("$2", key.name()).bind("$3", pod.getStatus().getPhase()));
    }

    Mono<Void> delete(ObjectKey key) {
        return execute("DELETE FROM pods WHERE namespace = $1 AND name = $2", statement -> statement
                .bind("$1", key.namespace()).bind("$2", key.name()));
    }

    private Mono<Void> execute(String sql, UnaryOperator<Statement> bound) {
        return Flux.usingWhen(database.create(),
                connection -> Flux.from(bound.apply(connection.createStatement(sql)).execute()).flatMap(Result::getRowsUpdated),
                connection -> connection.close()).then();
    }

    /** For a processor without positions: deletes, at the start, the rows of pods that went while the program was away. */
    Mono<Void> deleteOthers(Informer<V1Pod> pods) {
        return pods.synced().thenMany(Flux.defer(() -> {
            Snapshot<ObjectKey, V1Pod> present = pods.snapshot();
            return keys().filter(key -> present.find(key) == null);
        })).concatMap(this::delete).then();
    }

    Flux<ObjectKey> keys() {
        return Flux.usingWhen(database.create(),
                connection -> Flux.from(connection.createStatement("SELECT namespace, name FROM pods").execute())
                        .flatMap(result -> result.map(row -> ObjectKey.of(row.get(0, String.class), row.get(1, String.class)))),
                connection -> connection.close());
    }

    Flux<String> lines() {
        return Flux.usingWhen(database.create(),
                connection -> Flux.from(connection.createStatement("SELECT name, phase FROM pods ORDER BY name").execute())
                        .flatMap(result -> result.map(row -> row.get(0, String.class) + " " + row.get(1, String.class))),
                connection -> connection.close());
    }
}
