package io.reactiveinformer.errors;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.resource.WatchEvent;
import io.reactiveinformer.source.ListerWatcher;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** A source with bombs in its calls, in what comes of them, and in its look-ups of what is cached. */
public final class BombedSource<T> extends ListerWatcher.Forwarding<T> {

    private final Bomb bomb;

    public BombedSource(ListerWatcher<T> source, Bomb bomb) {
        super(source);
        this.bomb = bomb;
    }

    @Override
    public Flux<ListEvent<T>> list(ListOptions options, Known<T> known) {
        String place = options.key() != null ? "one" : options.match() == ListOptions.Match.EXACT ? "firstAt" : "list";
        bomb.at(place);
        return super.list(options, new BombedKnown<>(known, bomb))
                .doOnSubscribe(subscription -> bomb.at(place + ".subscribe"))
                .doOnNext(event -> bomb.at(place + ".onNext"))
                .doOnComplete(() -> bomb.at(place + ".onComplete"));
    }

    @Override
    public Flux<WatchEvent<T>> watch(WatchOptions options, Known<T> known) {
        bomb.at("watch");
        return super.watch(options, new BombedKnown<>(known, bomb))
                .doOnSubscribe(subscription -> bomb.at("watch.subscribe"))
                .doOnRequest(n -> bomb.at("watch.request"))
                .doOnError(failure -> bomb.at("watch.onError"))
                .doOnNext(event -> bomb.at("watch.onNext"));
    }

    private record BombedKnown<T>(Known<T> known, Bomb bomb) implements Known<T> {
        @Override
        public @Nullable Versioned<T> find(ObjectKey key) {
            bomb.at("known.find");
            return known.find(key);
        }

        @Override
        public boolean wants(ObjectKey key) {
            bomb.at("known.wants");
            return known.wants(key);
        }

        @Override
        public boolean selects() {
            return known.selects();
        }

        @Override
        public boolean shares() {
            return known.shares();
        }

        @Override
        public Map<ObjectKey, Known.Stale> stale() {
            bomb.at("known.stale");
            return known.stale();
        }

        @Override
        public void forEachKey(Namespaces namespaces, Consumer<ObjectKey> action) {
            known.forEachKey(namespaces, action);
        }

        @Override
        public @Nullable String reached(Namespaces part) {
            return known.reached(part);
        }

        @Override
        public @Nullable String received(Namespaces part) {
            return known.received(part);
        }
    }
}
