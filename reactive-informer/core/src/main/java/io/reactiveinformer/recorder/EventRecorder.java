package io.reactiveinformer.recorder;

import io.reactiveinformer.client.KubernetesClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Records what happens to an object, for people, as Events of {@code events.k8s.io/v1}; {@code kubectl get events} and
 * {@code kubectl describe} show them.
 *
 * <pre>{@code
 * EventRecorder events = EventRecorder.of(client, "image-mirror");
 * events.normal(pod, "Mirrored", "Mirror", "copied " + image);
 * events.warning(pod, "MirrorFailed", "Mirror", failure.getMessage());
 * events.record(Occurrence.warning(ObjectReference.of(pod), "NoSpace", "Mirror", "node is full").related(ObjectReference.of(node)));
 * events.close(Duration.ofSeconds(5)).subscribe();
 * }</pre>
 *
 * <p>In the role of client-go's {@code tools/events}, with its numbers, and those of {@code tools/record} for the limits that protect the
 * server:
 *
 * <ul>
 * <li><b>Series.</b> Equal occurrences are one Event with a count: written at the first and the second occurrence, then every 30 minutes,
 *     and a last time after 6 minutes without one.
 * <li><b>Aggregation.</b> From the tenth different note on for one object, type and reason, each occurrence within 10 minutes of the one
 *     before, all are one Event, whose note begins with {@code (combined from similar events)}.
 * <li><b>Spam filter.</b> 25 new Events about one object, then one every 5 minutes. Occurrences that only increase a count are not
 *     limited.
 * <li><b>Retry.</b> An Event without an answer is sent again after 10 to 12.5 s, 12 times in all; one that the server refuses is not.
 * </ul>
 *
 * <p>Any thread may record; recording never blocks and never fails because of the server. At most 1,000 Events wait to be written, and
 * 4,096 are kept to be counted. The {@link RecorderObserver} is notified of dropped ones. Events of one series are written one after the
 * other; others in no particular order, 8 at a time.
 *
 * @see <a href="https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/event-v1/">Kubernetes API: Event</a>
 */
public interface EventRecorder extends AutoCloseable {

    /**
     * As {@link #of(KubernetesClient, RecorderOptions)} with {@link RecorderOptions#of}.
     *
     * @param reportingController the name of the recording component, such as {@code example.com/image-mirror}
     * @throws IllegalArgumentException if that is no qualified name
     */
    static EventRecorder of(KubernetesClient client, String reportingController) {
        return of(client, RecorderOptions.of(reportingController));
    }

    /**
     * Creates a recorder that writes with {@code client}. Closing the client closes the recorder first, as {@link #close(Duration)} with 3
     * s.
     */
    static EventRecorder of(KubernetesClient client, RecorderOptions options) {
        return new QueueingRecorder(client, options);
    }

    /**
     * Records {@code occurrence}. Returns at once, before it is written, and throws nothing if it cannot be: the {@link RecorderObserver}
     * is notified of a dropped one. Dropped after the recorder is closed.
     */
    void record(Occurrence occurrence);

    /**
     * Records an Event of type Normal; see {@link Occurrence} for the parameters.
     *
     * @param note null for none
     * @throws IllegalArgumentException if {@code reason} or {@code action} is invalid, or {@link ObjectReference#of(Object)} refuses the object
     */
    default void normal(Object regarding, String reason, String action, @Nullable String note) {
        record(Occurrence.normal(ObjectReference.of(regarding), reason, action, note));
    }

    /**
     * Records an Event of type Warning, which needs attention; see {@link Occurrence} for the parameters.
     *
     * @param note null for none, as the message of an exception may be
     * @throws IllegalArgumentException if {@code reason} or {@code action} is invalid, or {@link ObjectReference#of(Object)} refuses the object
     */
    default void warning(Object regarding, String reason, String action, @Nullable String note) {
        record(Occurrence.warning(ObjectReference.of(regarding), reason, action, note));
    }

    /**
     * On subscription, stops accepting occurrences and writes waiting Events and unwritten counts; each is tried once more. Completes when
     * that is done, or after {@code grace}; the rest is dropped then.
     */
    Mono<Void> close(Duration grace);

    /** Closes at once: drops waiting Events and unwritten counts. */
    @Override
    void close();
}
