package io.reactiveinformer.permissions;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.internal.informer.LatestSubscription;
import io.reactiveinformer.internal.informer.LatestValues;
import io.reactiveinformer.internal.informer.SharedThreads;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Rights by reviews of the server. An answer is remembered for half of the age, and predicates are made anew in the same period. */
final class ReviewedPermissions implements Permissions {

    private static final int AT_ONCE = 8; // of one user's namespaces

    private final KubernetesClient client;
    private final View<ObjectKey, ?> namespaces;
    private final Duration period;
    private final Scheduler timer;
    private final Map<Question, Mono<Decision>> answers = new ConcurrentHashMap<>();
    private final LatestValues<Status> statuses = LatestValues.ofStates(1);
    private volatile boolean closed;

    private record Question(User user, AccessRequest request) {}

    ReviewedPermissions(KubernetesClient client, View<ObjectKey, ?> namespaces, Duration age, Scheduler timer) {
        this.client = client;
        this.namespaces = namespaces;
        this.period = RolePermissions.atLeastASecond("age", age).dividedBy(2);
        this.timer = timer;
        publish(false, "the server was not asked yet");
    }

    @Override
    public Mono<Decision> decide(User user, AccessRequest request) {
        return Mono.defer(() -> closed ? Mono.just(new Decision(false, RolePermissions.CLOSED))
                : answers.computeIfAbsent(new Question(user, request), this::ask));
    }

    /** A failure is a refusal, which is not remembered. */
    private Mono<Decision> ask(Question question) {
        AccessRequest wanted = question.request;
        timer.schedule(() -> answers.remove(question), period.toMillis(), TimeUnit.MILLISECONDS);
        return client.raw().send("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", Map.of("spec", Map.of(
                        "user", question.user.name(), "groups", question.user.groups(), "resourceAttributes", Map.of(
                                "verb", wanted.verb(), "group", wanted.group(), "resource", wanted.resource(),
                                "subresource", wanted.subresource(), "namespace", wanted.namespace(), "name", wanted.name()))))
                .map(answer -> answer.path("status"))
                .map(status -> new Decision(status.path("allowed").asBoolean(false), status.path("reason").asString("")))
                .doOnNext(decision -> publish(true, ""))
                .onErrorResume(failure -> {
                    answers.remove(question);
                    publish(false, "the server did not answer a review: " + failure.getMessage());
                    return Mono.just(new Decision(false, failure.toString()));
                })
                .cache();
    }

    private void publish(boolean known, String reason) {
        statuses.publish(new Status(known && !closed, closed ? RolePermissions.CLOSED : reason));
    }

    @Override
    public Flux<Predicate<ObjectKey>> rights(User user, ResourceType<?> type, String verb) {
        AccessRequest request = AccessRequest.of(verb, type);
        Flux<Predicate<ObjectKey>> rights = namespaces.synced().onErrorComplete()
                .thenMany(Flux.interval(Duration.ZERO, period, timer)).onBackpressureLatest()
                .<Predicate<ObjectKey>>concatMap(tick -> review(user, request, type.namespaced()), 1)
                .startWith(UNKNOWN).takeUntilOther(status().then()).concatWithValues(UNKNOWN);
        return Flux.defer(() -> LatestSubscription.of(rights, SharedThreads.ofChanges())).distinctUntilChanged();
    }

    private Mono<Rights> review(User user, AccessRequest request, boolean namespaced) {
        List<String> some = new ArrayList<>();
        namespaces.snapshot().forEach((key, row) -> some.add(key.name()));
        return decide(user, request)
                .flatMap(everywhere -> (everywhere.allowed() ? Flux.just("") : !namespaced ? Flux.<String>empty()
                        : Flux.fromIterable(some)
                                .flatMap(name -> decide(user, request.in(name)).filter(Decision::allowed).map(allowed -> name), AT_ONCE))
                        .collect(Collectors.toMap(name -> name, name -> Rights.ALL)))
                .map(names -> Rights.of(names, request.isNamedByNamespace()));
    }

    @Override
    public Flux<Status> status() {
        return Flux.defer(() -> statuses.flux(SharedThreads.ofStatuses())).distinctUntilChanged();
    }

    @Override
    public void close() {
        closed = true;
        publish(false, "");
        statuses.complete();
    }
}
