package io.reactiveinformer.recorder;

import io.kubernetes.client.common.KubernetesObject;
import io.reactiveinformer.client.KubernetesClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Tells people what happens to an object, as Events of {@code events.k8s.io/v1}; {@code kubectl get events} and {@code kubectl describe} show them.
 *
 * <pre>{@code
 * EventRecorder events = EventRecorder.of(client, "image-mirror");
 * events.normal(pod, "Mirrored", "Mirror", "copied " + image);
 * events.warning(pod, "MirrorFailed", "Mirror", failure.getMessage());
 * events.record(Occurrence.warning(ObjectReference.of(pod), "NoSpace", "Mirror", "node is full").related(ObjectReference.of(node)));
 * events.close(Duration.ofSeconds(5)).subscribe();
 * }</pre>
 *
 * <p>In the role of client-go's {@code tools/events}, with its numbers, and those of {@code tools/record} for what must not flood the server:
 *
 * <ul>
 * <li><b>Series.</b> What happens again is one Event that counts: written with the first and the second time, then each 30 minutes, and for the last time when
 *     it has not happened for 6.
 * <li><b>Aggregation.</b> From the tenth one on that differs in its note only, each within 10 minutes of the one before, all are one Event, whose note
 *     begins with {@code (combined from similar events)}.
 * <li><b>Spam filter.</b> 25 new Events about one object, and then one each 5 minutes. What is only counted is free.
 * <li><b>Retry.</b> An Event that got no answer is sent again after 10 to 12.5 s, 12 times in all; one that the server refuses is not.
 * </ul>
 *
 * <p>Any thread may record; it never blocks and never fails for what the server does. At most 1,000 Events wait to be written, and 4,096 are
 * remembered for being counted. What is dropped is told to the {@link RecorderObserver}. Events of one series are written one after the other; others in no
 * particular order, 8 at a time.
 *
 * @see <a href="https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/event-v1/">Kubernetes API: Event</a>
 */
public interface EventRecorder extends AutoCloseable {

    /** @param reportingController who records, such as {@code example.com/image-mirror} */
    static EventRecorder of(KubernetesClient client, String reportingController) {
        return of(client, RecorderOptions.of(reportingController));
    }

    static EventRecorder of(KubernetesClient client, RecorderOptions options) {
        return new QueueingRecorder(client, options);
    }

    void record(Occurrence occurrence);

    /** All is well. A note that is null is none. */
    default void normal(KubernetesObject regarding, String reason, String action, @Nullable String note) {
        record(Occurrence.normal(ObjectReference.of(regarding), reason, action, note));
    }

    /** Somebody should look. A note that is null is none, as the message of a failure may be. */
    default void warning(KubernetesObject regarding, String reason, String action, @Nullable String note) {
        record(Occurrence.warning(ObjectReference.of(regarding), reason, action, note));
    }

    /**
     * Takes no more, when subscribed to, and writes what waits, and counts that were not written yet; each is tried once more. Completes when that is done, or
     * after {@code grace}; what is left then is dropped.
     */
    Mono<Void> close(Duration grace);

    /** At once: what waits is dropped. */
    @Override
    void close();
}
