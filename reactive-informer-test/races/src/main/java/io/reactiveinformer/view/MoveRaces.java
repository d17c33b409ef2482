package io.reactiveinformer.view;

import io.reactiveinformer.races.OnlyOk;
import io.reactiveinformer.resource.Versioned;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** Predicates of a moving filter, against the changes and the end of its rows. */
public class MoveRaces {

    private MoveRaces() {}

    abstract static class Moved {

        private static final Predicate<String> ALL = row -> true;
        private static final Predicate<String> NEW = row -> !row.endsWith("@1");

        final Rows rows = Rows.complete().put("a", "u", 1).put("b", "u", 2);
        final Sinks.Many<Predicate<String>> predicates = Sinks.many().replay().latestOrDefault(ALL);
        final Replayed received = new Replayed();

        Moved() {
            new DerivedView<String, String>(wake -> Derived.filter(rows.hub.feed(), predicates.asFlux().map(one -> one), wake),
                    Schedulers::immediate, Mono.empty(), delivery -> Flux.never())
                    .changes(Delivery.conflated().on(Schedulers.immediate())).subscribe(received);
            received.request(Long.MAX_VALUE);
        }

        void move() {
            predicates.tryEmitNext(NEW).orThrow();
        }

        boolean hasAll() {
            return received.knows(present(ALL));
        }

        boolean hasNew() {
            return received.knows(present(NEW));
        }

        private Map<String, Versioned<String>> present(Predicate<String> shown) {
            Map<String, Versioned<String>> present = new HashMap<>();
            rows.snapshot().forEach((key, row) -> {
                if (shown.test(row.object())) {
                    present.put(key, row);
                }
            });
            return present;
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class MoveAgainstCommits extends Moved {

        @Actor
        public void moves() {
            move();
        }

        @Actor
        public void writes() {
            rows.put("b", "u", 1).put("a", "u", 3);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = received.outcome(hasNew(), received.got());
        }
    }

    /** The predicate may come too late, the last change of the rows may not. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class MoveAgainstEnd extends Moved {

        @Actor
        public void moves() {
            move();
        }

        @Actor
        public void ends() {
            rows.put("c", "u", 3).hub.complete();
        }

        @Arbiter
        public void arbiter(L_Result result) {
            boolean left = rows.hub.followers() == 0 && predicates.currentSubscriberCount() == 0;
            result.r1 = received.outcome((hasAll() || hasNew()) && received.isCompleted() && left, received.got());
        }
    }
}
