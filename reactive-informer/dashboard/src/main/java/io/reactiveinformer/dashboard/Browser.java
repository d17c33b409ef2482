package io.reactiveinformer.dashboard;

import io.reactiveinformer.dashboard.Message.Reader;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.SubscriberStatus;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One open page. It requests rows as fast as its connection takes them; further changes are conflated in the views. So a browser that reads
 * nothing costs one entry a row, and delays no other.
 */
final class Browser {

    /** How long a slow reader takes for each change. */
    private static final Duration SLOW = Duration.ofSeconds(1);

    /** Most rows that are requested ahead; one for a slow reader, or no changes would be left to conflate. */
    private static final int AHEAD = 32;

    private final String name;
    private final Wish wish;
    private final Map<String, View<ObjectKey, Row>> views = new LinkedHashMap<>();

    Browser(String name, Wish wish, List<Table> tables) {
        this.name = name;
        this.wish = wish;
        tables.forEach(table -> views.put(table.name(), wish.of(table)));
    }

    String name() {
        return name;
    }

    /** The rows that the browser wants to see, then their changes. */
    Flux<Message> rows() {
        List<Flux<Message>> tables = views.entrySet().stream()
                .map(view -> view.getValue().changes(Delivery.conflated().named(name)).filter(wish::shows)
                        .map(change -> Message.of(view.getKey(), change))
                        .onErrorComplete()) // the informer has given up: its status says why, and the other tables stay
                .toList();
        Flux<Message> all = Flux.fromIterable(tables).flatMap(table -> table, tables.size(), ahead());
        return wish.slow() ? all.concatMap(Browser::slowly, 0) : all;
    }

    int ahead() {
        return wish.slow() ? 1 : AHEAD;
    }

    /** Delays the request for the next message. Messages of the initial state are not delayed. */
    private static Publisher<Message> slowly(Message message) {
        return message.news() ? Mono.just(message).concatWith(Mono.delay(SLOW).then(Mono.empty())) : Mono.just(message);
    }

    Reader stand() {
        List<SubscriberStatus> subscriptions = views.values().stream()
                .flatMap(view -> view.subscribers().stream())
                .filter(subscriber -> subscriber.name().equals(name))
                .toList();
        return new Reader(name, wish.slow(), wish.filter(),
                subscriptions.stream().mapToLong(SubscriberStatus::backlog).sum(),
                subscriptions.stream().mapToLong(SubscriberStatus::emitted).sum(),
                subscriptions.stream().mapToLong(SubscriberStatus::conflated).sum());
    }
}
