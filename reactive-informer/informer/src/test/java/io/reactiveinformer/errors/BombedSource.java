package io.reactiveinformer.errors;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.source.ListerWatcher;
import java.util.function.BiPredicate;
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
    public Flux<ObjectEvent<T>> list(ListOptions options, Reading<T> reading) {
        String place = options.key() != null ? "one" : options.match() == ListOptions.Match.EXACT ? "firstAt" : "list";
        bomb.at(place);
        return super.list(options, bombed(reading))
                .doOnSubscribe(subscription -> bomb.at(place + ".subscribe"))
                .doOnNext(event -> bomb.at(place + ".onNext"))
                .doOnComplete(() -> bomb.at(place + ".onComplete"));
    }

    @Override
    public Flux<ObjectEvent<T>> watch(WatchOptions options, Reading<T> reading) {
        bomb.at("watch");
        return super.watch(options, bombed(reading))
                .doOnSubscribe(subscription -> bomb.at("watch.subscribe"))
                .doOnRequest(n -> bomb.at("watch.request"))
                .doOnError(failure -> bomb.at("watch.onError"))
                .doOnNext(event -> bomb.at("watch.onNext"));
    }

    private Reading<T> bombed(Reading<T> reading) {
        BiPredicate<ObjectKey, @Nullable String> wanted = reading.wanted();
        return new Reading<>(key -> {
            bomb.at("known.find");
            return reading.find(key);
        }, wanted == null ? null : (key, uid) -> {
            bomb.at("known.wants");
            return wanted.test(key, uid);
        }, reading.shares());
    }
}
