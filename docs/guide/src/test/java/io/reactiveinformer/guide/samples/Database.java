package io.reactiveinformer.guide.samples;

import reactor.core.publisher.Mono;

/** What the operator needs of a database; an implementation uses R2DBC. */
public interface Database {

    /** Where the schema can be reached. */
    String url(String schema);

    /** Creates a schema and a user who owns it, unless they exist. */
    Mono<Void> create(String schema, String encoding, String user, String password);

    /** Drops a schema and its user, if they exist. */
    Mono<Void> drop(String schema, String user);
}
