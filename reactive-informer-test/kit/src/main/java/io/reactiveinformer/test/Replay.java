package io.reactiveinformer.test;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.server.Answer;
import io.reactiveinformer.apiserver.internal.server.Breaks.ConnectionCut;
import io.reactiveinformer.apiserver.internal.server.RequestHandler;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Answers requests as they were answered when {@link RecordingWriter} wrote the file: equal ones in their order, each once. */
final class Replay implements RequestHandler {

    private final Path file;
    private final Scheduler clock;
    private final List<Exchange> all;
    private List<Exchange> left = List.of(); // guarded by this

    /** @param lines the request, then what came: the answer, events, the end */
    private record Exchange(ApiRequest request, String key, List<JsonNode> lines) {

        static Exchange of(JsonNode line) {
            String[] http = Json.text(line, "request").split(" ", 2);
            ApiRequest request = ApiRequest.of(new HttpRequest(http[0], http[1], Headers.of("Accept", Json.text(line, "accept")), null));
            return new Exchange(request, Replay.key(request), new ArrayList<>());
        }
    }

    /** @throws IllegalArgumentException if there is no recording in this directory, or one of its lines is none of a recording */
    Replay(Path directory, Scheduler clock) {
        this.file = directory.resolve(RecordingWriter.NAME);
        this.clock = clock;
        Map<Integer, Exchange> read = new LinkedHashMap<>();
        int number = 0;
        try {
            for (String text : Files.readAllLines(file)) {
                number++;
                JsonNode line = Json.read(text);
                if (line.has("request")) {
                    read.put(line.path("n").asInt(), Exchange.of(line));
                }
                Objects.requireNonNull(read.get(line.path("n").asInt()), "its request is missing").lines().add(line);
            }
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("cannot read " + file + "; ./informer record --out DIR makes one", unreadable);
        } catch (JacksonException | NullPointerException malformed) {
            throw new IllegalArgumentException(file + ", line " + number + ": " + malformed.getMessage(), malformed);
        }
        this.all = List.copyOf(read.values());
        reset();
    }

    /** Nothing was asked yet. */
    synchronized void reset() {
        left = new ArrayList<>(all);
    }

    @Override
    public Mono<Answer> handle(ApiRequest request) {
        return Mono.defer(() -> {
            Exchange exchange = next(request);
            return exchange == null ? Answer.of(ApiFailure.of(501, "NotImplemented", unknown(request)), request.http()) : answer(exchange);
        });
    }

    private synchronized @Nullable Exchange next(ApiRequest request) {
        String key = key(request);
        Exchange next = left.stream().filter(exchange -> exchange.key().equals(key)).findFirst().orElse(null);
        left.remove(next);
        return next;
    }

    /** What makes two requests equal: not how long a watch may last. */
    private static String key(ApiRequest request) {
        var query = new TreeMap<>(request.query().parameters());
        query.keySet().removeAll(List.of("timeoutSeconds", "timeout"));
        return request.http().method() + " " + request.path() + query + RecordingWriter.form(request);
    }

    private synchronized String unknown(ApiRequest request) {
        List<String> same = all.stream().filter(exchange -> exchange.request().path().equals(request.path()))
                .map(exchange -> exchange.request().http() + (left.contains(exchange) ? "" : " (used)")).toList();
        String recorded = same.isEmpty()
                ? "has only " + all.stream().map(exchange -> exchange.request().path()).distinct().collect(Collectors.joining(", "))
                : "has for this path, in this order: " + String.join(", ", same);
        return file + " has no answer (left) to " + request.http() + "; it " + recorded + ". Record it again, or ask the same";
    }

    private Mono<Answer> answer(Exchange exchange) {
        if (exchange.lines().size() == 1) {
            return Mono.never(); // the recording ended before
        }
        List<JsonNode> lines = exchange.lines();
        JsonNode first = lines.get(1);
        Headers[] headers = {Headers.empty()};
        first.path("headers").properties().forEach(header -> headers[0] = headers[0].with(header.getKey(), header.getValue().asString()));
        Flux<ByteBuf> body = Flux.range(1, lines.size() - 1)
                .concatMap(i -> i == 1 ? play(exchange, first) : after(lines, i).thenMany(Flux.defer(() -> play(exchange, lines.get(i)))));
        boolean ended = lines.get(lines.size() - 1).has("end");
        return after(lines, 1).then(first.has("status")
                ? Mono.just(new Answer(first.path("status").asInt(), headers[0], ended ? body : body.concatWith(Flux.never())))
                : body.then(Mono.empty()));
    }

    /** Completes after the time that passed before this line, if time is virtual; else at once. */
    private Mono<Void> after(List<JsonNode> lines, int i) {
        long pause = lines.get(i).path("ms").asLong() - lines.get(i - 1).path("ms").asLong();
        return clock instanceof VirtualTimeScheduler && pause > 0 ? Mono.delay(Duration.ofMillis(pause), clock).then() : Mono.empty();
    }

    private Flux<ByteBuf> play(Exchange exchange, JsonNode line) {
        Flux<ByteBuf> bytes = line.has("body") ? Flux.just(Unpooled.wrappedBuffer(Json.write(line.get("body")), new byte[] {'\n'}))
                : line.has("text") ? Flux.just(Unpooled.wrappedBuffer(Json.utf8(Json.text(line, "text")))) : Flux.empty();
        return switch (Json.text(line, "end")) {
            case "broken" -> bytes.concatWith(Flux.error(new ConnectionCut(true)));
            case "client" -> watchedAgain(exchange) ? bytes : bytes.concatWith(Flux.never()); // it may have no reason to leave now
            default -> bytes;
        };
    }

    /** Whether the next request of this path was a watch, too. */
    private boolean watchedAgain(Exchange exchange) {
        String path = exchange.request().path();
        return exchange.request().verb() == Verb.WATCH && all.stream().skip(all.indexOf(exchange) + 1L).map(Exchange::request)
                .filter(other -> other.path().equals(path)).findFirst().filter(other -> other.verb() == Verb.WATCH).isPresent();
    }
}
