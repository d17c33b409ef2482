package io.reactiveinformer.benchmarks.browsers;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.json.InformerModule;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.spring.RowStream;
import io.reactiveinformer.spring.StreamOptions;
import io.reactiveinformer.spring.StreamRequest;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.SubscriberStatus;
import io.reactiveinformer.view.View;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** How the service tells a browser of changes. */
interface Form {

    /** How fresh a page needs to be. */
    Duration PERIOD = Duration.ofMillis(100);

    static Form of(String name, View<ObjectKey, V1Pod> pods) {
        return switch (name) {
            case "objects" -> new WholePods(pods);
            case "rows" -> new Rows(pods.map(Row::of));
            case "sampled-rows" -> new Rows(pods.sample(PERIOD).map(Row::of));
            case "sampled-frames" -> new Frames(pods.sample(PERIOD).map(Event::of));
            case "stream" -> new Stream(RowStream.of(pods.sample(PERIOD), Row::of, StreamOptions.named("browser")));
            default -> throw new IllegalArgumentException("no such form: " + name);
        };
    }

    Mono<ServerResponse> answer(ServerRequest request);

    List<SubscriberStatus> subscribers();

    /** Whole pods, as they were and as they are: docs/guide/spring.md, word for word. */
    record WholePods(View<ObjectKey, V1Pod> pods) implements Form {

        @Override
        public Mono<ServerResponse> answer(ServerRequest request) {
            Flux<Change<ObjectKey, V1Pod>> changes = pods.changes(Delivery.conflated().named("browser"));
            return ServerResponse.ok().contentType(MediaType.TEXT_EVENT_STREAM).body(changes, new ParameterizedTypeReference<>() {});
        }

        @Override
        public List<SubscriberStatus> subscribers() {
            return pods.subscribers();
        }
    }

    /** What a page shows, written for each browser. */
    record Rows(View<ObjectKey, Row> rows) implements Form {

        @Override
        public Mono<ServerResponse> answer(ServerRequest request) {
            Flux<Change<ObjectKey, Row>> changes = rows.changes(Delivery.conflated().named("browser"));
            return ServerResponse.ok().contentType(MediaType.TEXT_EVENT_STREAM).body(changes, new ParameterizedTypeReference<>() {});
        }

        @Override
        public List<SubscriberStatus> subscribers() {
            return rows.subscribers();
        }
    }

    /** What a page shows, written once for all browsers; to each as many as there are at a time. */
    record Frames(View<ObjectKey, Event> events) implements Form {

        private static final int MOST = 128;

        @Override
        public Mono<ServerResponse> answer(ServerRequest request) {
            Flux<DataBuffer> frames = events.batches(MOST, Delivery.conflated().named("browser")).map(Frames::frame);
            return ServerResponse.ok()
                    .contentType(MediaType.TEXT_EVENT_STREAM)
                    .body((response, context) -> response.writeAndFlushWith(frames.map(Mono::just)));
        }

        private static DataBuffer frame(List<Change<ObjectKey, Event>> changes) {
            DataBuffer frame = DefaultDataBufferFactory.sharedInstance.allocateBuffer(changes.size() * 160);
            changes.forEach(change -> frame.write(Event.of(change)));
            return frame;
        }

        @Override
        public List<SubscriberStatus> subscribers() {
            return events.subscribers();
        }
    }

    /** The endpoint of docs/guide/browsers.md. */
    record Stream(RowStream rows) implements Form {

        @Override
        public Mono<ServerResponse> answer(ServerRequest request) {
            StreamRequest what = StreamRequest.of(request.headers().asHttpHeaders(), request.queryParams());
            return ServerResponse.ok().body((response, context) -> rows.writeTo(response, what));
        }

        /** It keeps nothing for a subscriber. */
        @Override
        public List<SubscriberStatus> subscribers() {
            return List.of();
        }
    }

    /** A row as it goes over the wire. */
    final class Event {

        private static final JsonMapper JSON = JsonMapper.builder().addModule(new InformerModule()).build();
        private static final byte[] SYNCED = "event:synced\ndata:\n\n".getBytes(StandardCharsets.UTF_8);

        private final byte[] bytes;

        private Event(byte[] bytes) {
            this.bytes = bytes;
        }

        private record Now(String key, Row row) {}

        static Event of(V1Pod pod) {
            return new Event(("data:" + JSON.writeValueAsString(new Now(Row.name(pod), Row.of(pod))) + "\n\n")
                    .getBytes(StandardCharsets.UTF_8));
        }

        static byte[] of(Change<ObjectKey, Event> change) {
            return change.match(
                    added -> added.object().bytes,
                    updated -> updated.after().bytes,
                    deleted -> ("event:gone\ndata:" + deleted.key() + "\n\n").getBytes(StandardCharsets.UTF_8),
                    synced -> SYNCED);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Event event && Arrays.equals(bytes, event.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }
    }
}
