package io.reactiveinformer.test.scale;

import io.reactiveinformer.config.Cluster.Endpoint;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import io.reactiveinformer.transport.Transport;
import io.reactiveinformer.transport.TransportOptions;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What one server can do, measured over sockets, clients included: prints a line for each figure. */
final class ServerFigures {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String WATCH = "/api/v1/namespaces/t/configmaps?watch=true&resourceVersion=";
    private static final int ROUNDS = 20;
    private static final int STARTS = 9;

    private ServerFigures() {}

    public static void main(String[] arguments) throws InterruptedException {
        int objects = Integer.parseInt(arguments[0]);
        int watches = Integer.parseInt(arguments[1]);
        start(); // loads the classes
        System.out.println("start-millis " + LongStream.generate(ServerFigures::start).limit(STARTS)
                .sorted().skip(STARTS / 2).findFirst().orElseThrow());
        try (FakeApiServer server = FakeApiServer.create().start()) {
            long begun = System.nanoTime();
            Flux.range(0, objects).subscribe(i -> server.objects().create(configMap("c" + i, 0)));
            System.out.println("create-millis " + millisSince(begun));
            Transport transport = Transport.overSockets(Mono.just(Endpoint.of(URI.create(server.url()))), TransportOptions.defaults());
            begun = System.nanoTime();
            System.out.println("listed " + lines(transport, "/api/v1/namespaces/t/configmaps"));
            System.out.println("list-millis " + millisSince(begun));
            events(server, transport, watches);
            Runtime runtime = Runtime.getRuntime();
            System.gc();
            System.out.println("heap-megabytes " + ((runtime.totalMemory() - runtime.freeMemory()) >> 20));
            transport.dispose().block(PATIENCE);
        }
        System.exit(0);
    }

    private static long start() {
        long begun = System.nanoTime();
        try (FakeApiServer server = FakeApiServer.create().start()) {
            Transport transport = Transport.overSockets(Mono.just(Endpoint.of(URI.create(server.url()))), TransportOptions.defaults());
            long started = millisSince(begun);
            lines(transport, "/api/v1/pods");
            transport.dispose().block(PATIENCE);
            return started;
        }
    }

    /** Every watch receives every change. */
    private static void events(FakeApiServer server, Transport transport, int watches) throws InterruptedException {
        String version = server.resourceVersion();
        var opened = new CountDownLatch(watches);
        var received = new CountDownLatch(watches * ROUNDS);
        Disposable.Composite all = Disposables.composite();
        for (int i = 0; i < watches; i++) {
            all.add(transport.exchange(get(WATCH + version), answer -> {
                        opened.countDown();
                        return answer.body().map(part -> part.toString(StandardCharsets.UTF_8)
                                .chars().filter(letter -> letter == '\n').count());
                    })
                    .subscribe(events -> {
                        for (long n = 0; n < events; n++) {
                            received.countDown();
                        }
                    }));
        }
        System.out.println("open " + opened.await(2, TimeUnit.MINUTES));
        long begun = System.nanoTime();
        for (int i = 1; i <= ROUNDS; i++) {
            server.objects().update(configMap("c0", i));
        }
        System.out.println("received " + received.await(2, TimeUnit.MINUTES));
        long millis = Math.max(1, millisSince(begun));
        System.out.println("events-a-second " + 1000L * watches * ROUNDS / millis);
        all.dispose();
    }

    private static long lines(Transport transport, String uri) {
        var objects = new AtomicLong();
        var before = new StringBuilder();
        transport.exchange(get(uri), answer -> answer.body().doOnNext(part -> {
                    String text = before + part.toString(StandardCharsets.UTF_8);
                    objects.addAndGet(text.split("\"uid\":", -1).length - 1);
                    before.setLength(0);
                    before.append(text.substring(Math.max(0, text.length() - "\"uid\"".length())));
                }))
                .then()
                .block(PATIENCE);
        return objects.get();
    }

    private static HttpRequest get(String uri) {
        return HttpRequest.get(uri, Headers.of("Accept", "application/json"));
    }

    private static JsonNode configMap(String name, int number) {
        return JsonMapper.shared().readTree("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\""
                + name + "\",\"namespace\":\"t\"},\"data\":{\"n\":\"" + number + "\"}}");
    }

    private static long millisSince(long begun) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    }
}
