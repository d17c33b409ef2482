package io.reactiveinformer.test.faults;

import io.netty.buffer.ByteBuf;
import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.apiserver.Backup;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.server.Answer;
import io.reactiveinformer.apiserver.internal.server.Breaks.ConnectionCut;
import io.reactiveinformer.apiserver.internal.server.Health;
import java.time.Duration;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.node.ObjectNode;

/** The effects, one function each. */
final class Effects {

    private Effects() {}

    /** The request is not handled, and this is its answer. */
    private static Effect instead(String name, Function<ApiRequest, Mono<Answer>> other) {
        return new Effect(name, (request, answer, happened) -> other.apply(request).doOnSubscribe(begun -> happened.run()));
    }

    /** The request is handled, and its answer is changed. */
    private static Effect changed(String name, BiFunction<Answer, Runnable, Answer> change) {
        return new Effect(name, (request, answer, happened) -> answer.map(whole -> change.apply(whole, happened)));
    }

    /** The answer up to a point, followed by {@code then}. */
    private static Answer upTo(Point point, Answer whole, Runnable happened, Flux<ByteBuf> then) {
        return whole.body(Bodies.upTo(point, whole.body(), () -> then.doOnSubscribe(begun -> happened.run())));
    }

    static Effect refuse() {
        return instead("refused", request -> Mono.error(() -> new ConnectionCut(true)));
    }

    static Effect cut(Point point, Cut way) {
        return changed("cut by " + way + point,
                (whole, happened) -> upTo(point, whole, happened, Flux.error(() -> new ConnectionCut(way == Cut.RST))));
    }

    static Effect delay(Duration delay, Scheduler scheduler) {
        return new Effect("delayed by " + delay, (request, answer, happened) ->
                Mono.delay(delay, scheduler).then(answer).doOnSubscribe(begun -> happened.run()));
    }

    static Effect checksFail(Set<String> checks) {
        return instead("checks fail", request -> Mono.just(Health.failed(request, checks)));
    }

    static Effect stall(Point point) {
        return point.count() == 0 ? instead("stalled", request -> Mono.never())
                : changed("stalled" + point, (whole, happened) -> upTo(point, whole, happened, Flux.never()));
    }

    static Effect truncate(Point point) {
        return changed("truncated" + point, (whole, happened) -> upTo(point, whole.withoutLength(), happened, Flux.empty()));
    }

    static Effect endAtOnce() {
        return new Effect("ended at once", truncate(Point.START).change());
    }

    static Effect change(String what, long event, Bodies.EventChange change) {
        return changed(what + new Point(event, Point.Unit.EVENTS), (whole, happened) ->
                whole.withoutLength().body(Bodies.at(event, whole.body(), part -> {
                    happened.run();
                    return change.apply(part);
                })));
    }

    static Effect reorder(long event) {
        return changed("reordered" + new Point(event, Point.Unit.EVENTS),
                (whole, happened) -> whole.body(Bodies.reordered(event, whole.body(), happened)));
    }

    static Effect withoutEndMark() {
        return changed("without initial-events-end", (whole, happened) -> whole.body(Bodies.withoutEndMark(whole.body(), happened)));
    }

    static Effect expire(Point point) {
        ApiFailure expired = ApiFailure.expired("too old resource version: 1 (2)");
        return new Effect("expired" + point, (request, answer, happened) -> request.verb() != Verb.WATCH
                ? status(expired).apply(request, answer, happened)
                : answer.map(whole -> upTo(point, whole, happened, whole.errorEvent(expired))));
    }

    static Effect status(ApiFailure failure) {
        return instead(failure.code() + " " + failure.getMessage(), request -> Answer.of(failure, request.http()));
    }

    static Effect text(String name, int code, String text) {
        return instead(name, request -> Mono.just(Answer.text(code, text)));
    }

    static Effect tooManyRequests(Duration retryAfter) {
        return instead("429", request -> Mono.just(Answer.text(429, "Too many requests, please try again later.\n")
                .with("Retry-After", Long.toString(retryAfter.toSeconds()))));
    }

    static Effect answer(ObjectNode object) {
        boolean refusal = Json.text(object, "kind").equals("Status") && object.path("code").asInt(0) >= 300;
        return instead("answered " + Json.text(object, "kind"), request -> Answer.json(
                refusal ? object.path("code").asInt() : request.verb() == Verb.CREATE ? 201 : 200, object, request.http()));
    }

    static Effect shuttingDown() {
        return instead("429, shutting down", request -> Mono.just(Answer.shuttingDown()));
    }

    static Effect restart(Faults.Host host) {
        return disaster("restarted", host::restart);
    }

    static Effect restartKeeping(Faults.Host host, int events) {
        return disaster("restarted, keeping " + events + " events", () -> host.restartKeeping(events));
    }

    static Effect restore(Faults.Host host, Backup backup) {
        return disaster("restored to " + backup.version(), () -> host.restore(backup));
    }

    /**
     * For disruptions that break every exchange in progress, this one too: the request is not handled, and this effect needs no answer of
     * its own.
     */
    private static Effect disaster(String name, Runnable disaster) {
        return new Effect(name, (request, answer, happened) -> Mono.defer(() -> {
            disaster.run();
            happened.run();
            return Mono.never();
        }));
    }

    static Effect compact(Faults.Host host) {
        return new Effect("compacted", (request, answer, happened) -> Mono.defer(() -> {
            host.compact();
            happened.run();
            return answer;
        }));
    }
}
