package io.reactiveinformer.kafka;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.View;
import java.util.function.LongConsumer;
import reactor.core.publisher.Mono;

/**
 * Publishes the rows of a view to a compacted topic of Kafka, and reads such a topic as a view in other JVMs. However many readers there
 * are, the API server serves one informer.
 *
 * @see <a href="https://kafka.apache.org/documentation/#compaction">Kafka: log compaction</a>
 */
public final class KafkaViews {

    private KafkaViews() {}

    /**
     * As {@link #publish(View, KafkaTopic, RowCodec, long)} with the token 0: the publisher that started last wins. For a single replica,
     * or one that is started by other means than an election.
     */
    public static <T> Mono<Void> publish(View<ObjectKey, T> view, KafkaTopic topic, RowCodec<T> codec) {
        return publish(view, topic, codec, 0);
    }

    /**
     * Keeps the topic equal to the view, from the subscription until it is cancelled. First reads the topic, and writes only the rows that
     * differ; then the record that says that the state is complete, which is repeated every ten seconds as a heartbeat; then each change.
     * Creates the topic if it does not exist. Within an election:
     *
     * <pre>{@code elector.whileLeading(term -> KafkaViews.publish(view, topic, codec, term.token()))}</pre>
     *
     * <p>Changes that the broker has not accepted yet are conflated by row, and slow nothing else down. If a write fails, or no broker
     * answers, everything is tried again from the beginning, after pauses of 1 to 30 s, and the reason is logged.
     *
     * <p>Runs on {@code Schedulers.boundedElastic()}. Completes when the view is stopped.
     *
     * @param token grows with each leader, as that of {@code Leadership.Term.token()}. Readers ignore what a
     *     publisher with a smaller token writes
     * @return fails with {@link SupersededException} if another publisher has a greater token, or started later with the same one; with
     *     what the view or the codec throws
     */
    public static <T> Mono<Void> publish(View<ObjectKey, T> view, KafkaTopic topic, RowCodec<T> codec, long token) {
        return new Publication<>(view, topic, codec, token, Timings.DEFAULTS).run();
    }

    /**
     * The rows of a topic, as an informer that is not started yet: a view with a cache, which lists the topic, follows it, and begins anew
     * by itself if it cannot. The version of a row is its place in the topic. Belongs to no consumer group; all views of a process are read
     * by one thread. While no publisher writes, the rows stay, and the status is {@code DISRUPTED} after 30 s and says so.
     *
     * @param codec reads what the publisher's codec wrote
     */
    public static <T> Informer<T> view(KafkaTopic topic, RowCodec<T> codec) {
        return view(topic, codec, lag -> {});
    }

    /**
     * As {@link #view(KafkaTopic, RowCodec)}, with a measure of the lag.
     *
     * @param lag receives the number of records between the reader's position and the end of the topic, after each poll, on the polling
     *     thread: must return at once, as {@code AtomicLong::set} does
     */
    public static <T> Informer<T> view(KafkaTopic topic, RowCodec<T> codec, LongConsumer lag) {
        return Informer.over(new KafkaSource<>(topic, codec, Timings.DEFAULTS, lag), ReflectorOptions.defaults());
    }
}
