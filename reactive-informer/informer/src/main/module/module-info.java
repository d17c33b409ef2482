/** Kubernetes informers for Project Reactor: list and watch as a Flux, a cache that is read without waiting. */
module io.reactiveinformer {
    requires transitive io.reactiveinformer.client;
    requires static transitive org.jspecify;

    requires com.fasterxml.jackson.annotation;
    requires java.management;
    requires org.slf4j;
    requires tools.jackson.core;

    exports io.reactiveinformer.delta;
    exports io.reactiveinformer.informer;
    exports io.reactiveinformer.json;
    exports io.reactiveinformer.permissions;
    exports io.reactiveinformer.processor;
    exports io.reactiveinformer.queue;
    exports io.reactiveinformer.reflector;
    exports io.reactiveinformer.source;
    exports io.reactiveinformer.store;
    exports io.reactiveinformer.view;
    exports io.reactiveinformer.warmstart;

    exports io.reactiveinformer.internal.informer to io.reactiveinformer.micrometer, io.reactiveinformer.operator,
            io.reactiveinformer.spring.boot;

    opens io.reactiveinformer.permissions to io.reactiveinformer.client, tools.jackson.databind; // the records of what is cached
}
