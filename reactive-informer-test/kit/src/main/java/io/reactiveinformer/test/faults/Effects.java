package io.reactiveinformer.test.faults;

import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.server.Answer;
import io.reactiveinformer.apiserver.internal.server.Breaks.ConnectionCut;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.node.ObjectNode;

/** The effects, one function each. */
final class Effects {

    private Effects() {}

    static Effect refuse() {
        return (request, answer, happened) -> Mono.<Answer>error(() -> new ConnectionCut(true)).doOnSubscribe(begun -> happened.run());
    }

    static Effect cut(Point point, Cut way) {
        return (request, answer, happened) -> answer.map(whole -> whole.body(Bodies.upTo(point, whole.body(), () -> {
            happened.run();
            return Flux.error(new ConnectionCut(way == Cut.RST));
        })));
    }

    static Effect delay(Duration delay, Scheduler scheduler) {
        return (request, answer, happened) -> Mono.delay(delay, scheduler).then(answer).doOnSubscribe(begun -> happened.run());
    }

    static Effect stall(Point point) {
        if (point.count() == 0) {
            return (request, answer, happened) -> Mono.<Answer>never().doOnSubscribe(begun -> happened.run());
        }
        return (request, answer, happened) -> answer.map(whole -> whole.body(Bodies.upTo(point, whole.body(), () -> {
            happened.run();
            return Flux.never();
        })));
    }

    static Effect truncate(Point point) {
        return (request, answer, happened) -> answer.map(whole -> whole.withoutLength().body(Bodies.upTo(point, whole.body(), () -> {
            happened.run();
            return Flux.empty();
        })));
    }

    static Effect change(long event, Bodies.EventChange change) {
        return (request, answer, happened) -> answer.map(whole -> whole.withoutLength().body(Bodies.at(event, whole.body(), part -> {
            happened.run();
            return change.apply(part);
        })));
    }

    static Effect reorder(long event) {
        return (request, answer, happened) -> answer.map(whole -> whole.body(Bodies.reordered(event, whole.body(), happened)));
    }

    static Effect withoutEndMark() {
        return (request, answer, happened) -> answer.map(whole -> whole.body(Bodies.withoutEndMark(whole.body(), happened)));
    }

    static Effect expire(Point point) {
        ApiFailure expired = ApiFailure.expired("too old resource version: 1 (2)");
        return (request, answer, happened) -> request.verb() != Verb.WATCH
                ? status(expired).apply(request, answer, happened)
                : answer.map(whole -> whole.body(Bodies.upTo(point, whole.body(), () -> {
                    happened.run();
                    return whole.errorEvent(expired);
                })));
    }

    static Effect status(ApiFailure failure) {
        return (request, answer, happened) -> Answer.of(failure, request.http()).doOnSubscribe(begun -> happened.run());
    }

    static Effect text(int code, String text) {
        return (request, answer, happened) -> Mono.just(Answer.text(code, text)).doOnSubscribe(begun -> happened.run());
    }

    static Effect text(int code, String text, Duration retryAfter) {
        return (request, answer, happened) -> Mono.just(Answer.text(code, text).with("Retry-After", Long.toString(retryAfter.toSeconds())))
                .doOnSubscribe(begun -> happened.run());
    }

    static Effect answer(ObjectNode object) {
        boolean refusal = Json.text(object, "kind").equals("Status") && object.path("code").asInt(0) >= 300;
        return (request, answer, happened) -> Answer.json(
                        refusal ? object.path("code").asInt() : request.verb() == Verb.CREATE ? 201 : 200, object, request.http())
                .doOnSubscribe(begun -> happened.run());
    }

    static Effect shuttingDown() {
        return (request, answer, happened) -> Mono.just(Answer.shuttingDown()).doOnSubscribe(begun -> happened.run());
    }

    /**
     * For disruptions that break every exchange in progress, this one too: the request is not handled, and this effect needs no answer of
     * its own.
     */
    static Effect instead(Runnable disaster) {
        return (request, answer, happened) -> Mono.defer(() -> {
            disaster.run();
            happened.run();
            return Mono.never();
        });
    }

    static Effect before(Runnable action) {
        return (request, answer, happened) -> Mono.defer(() -> {
            action.run();
            happened.run();
            return answer;
        });
    }
}
