package io.reactiveinformer.test.faults;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.server.Answer;
import reactor.core.publisher.Mono;

/** What a fault does to one exchange. */
record Effect(String name, Change change) {

    @FunctionalInterface
    interface Change {

        /**
         * The answer that the client gets instead of {@code answer}. The request is handled only if {@code answer} is subscribed to.
         *
         * @param happened to be run when the fault takes effect for the client, not before
         */
        Mono<Answer> apply(ApiRequest request, Mono<Answer> answer, Runnable happened);
    }

    Mono<Answer> apply(ApiRequest request, Mono<Answer> answer, Runnable happened) {
        return change.apply(request, answer, happened);
    }
}
