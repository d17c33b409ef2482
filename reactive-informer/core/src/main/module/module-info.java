/** Kubernetes informers for Project Reactor: list and watch as a Flux, a cache that is read without waiting. */
module io.reactiveinformer {
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
    exports io.reactiveinformer.controller;
    exports io.reactiveinformer.delta;
    exports io.reactiveinformer.informer;
    exports io.reactiveinformer.json;
    exports io.reactiveinformer.leader;
    exports io.reactiveinformer.queue;
    exports io.reactiveinformer.recorder;
    exports io.reactiveinformer.reflector;
    exports io.reactiveinformer.resource;
    exports io.reactiveinformer.sharding;
    exports io.reactiveinformer.source;
    exports io.reactiveinformer.store;
    exports io.reactiveinformer.transport;
    exports io.reactiveinformer.view;
    exports io.reactiveinformer.warmstart;

    exports io.reactiveinformer.internal to io.reactiveinformer.apiserver, io.reactiveinformer.kafka, io.reactiveinformer.micrometer,
            io.reactiveinformer.spring.boot, io.reactiveinformer.test;
    exports io.reactiveinformer.internal.codec to io.reactiveinformer.apiserver, io.reactiveinformer.test;
    exports io.reactiveinformer.internal.protobuf to io.reactiveinformer.apiserver;

    opens io.reactiveinformer.internal.codec to tools.jackson.databind; // which makes our deserializers
}
