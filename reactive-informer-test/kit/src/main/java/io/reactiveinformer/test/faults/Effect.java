package io.reactiveinformer.test.faults;

import io.reactiveinformer.apiserver.internal.server.Answer;
import io.reactiveinformer.apiserver.internal.server.ApiRequest;
import reactor.core.publisher.Mono;

/** What a fault does to one exchange. */
@FunctionalInterface
interface Effect {

    /**
     * The answer that the client gets instead of {@code answer}, which is asked for only if it is subscribed to.
     *
     * @param happened to be run when the client is let down, not before
     */
    Mono<Answer> apply(ApiRequest request, Mono<Answer> answer, Runnable happened);

    /** Which one it is, where the fault alone does not say so; else empty. */
    default String name() {
        return "";
    }

    /** The same effect by a name. */
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
