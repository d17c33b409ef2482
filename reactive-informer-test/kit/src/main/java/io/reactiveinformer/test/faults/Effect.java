package io.reactiveinformer.test.faults;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.server.Answer;
import reactor.core.publisher.Mono;

/** What a fault does to one exchange. */
@FunctionalInterface
interface Effect {

    /**
     * The answer that the client gets instead of {@code answer}. The request is handled only if {@code answer} is subscribed to.
     *
     * @param happened to be run when the fault takes effect for the client, not before
     */
    Mono<Answer> apply(ApiRequest request, Mono<Answer> answer, Runnable happened);

    /** Names the effect where the fault alone does not; else empty. */
    default String name() {
        return "";
    }

    /** The same effect with this name. */
    default Effect as(String name) {
        Effect unnamed = this;
        return new Effect() {
            @Override
            public Mono<Answer> apply(ApiRequest request, Mono<Answer> answer, Runnable happened) {
                return unnamed.apply(request, answer, happened);
            }

            @Override
            public String name() {
                return name;
            }
        };
    }
}
