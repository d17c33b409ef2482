/** A client of a Kubernetes API server for Project Reactor: configuration, transport, requests, and what reads objects. */
module io.reactiveinformer.client {
    requires transitive io.kubernetes.client.java.api;
    requires transitive io.netty.buffer;
    requires transitive org.reactivestreams;
    requires transitive reactor.core;
    requires transitive tools.jackson.databind;
    requires static transitive org.jspecify;

    // What Reactor Netty, which has no description of its own, needs of Netty is required here, too.
    requires com.fasterxml.jackson.annotation;
    requires com.google.gson;
    requires io.netty.codec.classes.quic;
    requires io.netty.codec.http2;
    requires io.netty.codec.http3;
    requires io.netty.codec.compression;
    requires io.netty.codec.http;
    requires io.netty.codec;
    requires io.netty.common;
    requires io.netty.handler.proxy;
    requires io.netty.handler;
    requires io.netty.resolver.dns;
    requires io.netty.resolver;
    requires static io.netty.transport.classes.epoll; // at run time only, and only on Linux
    requires io.netty.transport.unix.common;
    requires io.netty.transport;
    requires java.management;
    requires jdk.management;
    requires jdk.net;
    requires org.slf4j;
    requires org.snakeyaml.engine;
    requires reactor.netty.core;
    requires reactor.netty.http;
    requires tools.jackson.core;

    exports io.reactiveinformer.backoff;
    exports io.reactiveinformer.client;
    exports io.reactiveinformer.config;
    exports io.reactiveinformer.resource;
    exports io.reactiveinformer.transport;

    exports io.reactiveinformer.internal to io.reactiveinformer, io.reactiveinformer.apiserver, io.reactiveinformer.kafka,
            io.reactiveinformer.operator, io.reactiveinformer.readers, io.reactiveinformer.test;
    exports io.reactiveinformer.internal.codec to io.reactiveinformer, io.reactiveinformer.apiserver, io.reactiveinformer.operator,
            io.reactiveinformer.readers, io.reactiveinformer.test;

    uses io.reactiveinformer.internal.codec.ClassReaders.Provider;

    opens io.reactiveinformer.internal.codec to tools.jackson.databind; // which makes our deserializers
}
