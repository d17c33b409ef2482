package io.reactiveinformer.recorder;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.resource.KubernetesException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Records what happens to objects as Events of {@code events.k8s.io/v1}, for people: {@code kubectl get events} and
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
 * <p>Works as client-go's {@code tools/events}, with its numbers, and limits requests as {@code tools/record} does:
 *
 * <ul>
 * <li><b>Series.</b> Equal occurrences are one Event with a count. It is written at the first and the second occurrence, then every 30
 *   minutes, and a last time after 6 minutes without an occurrence.
 * <li><b>Aggregation.</b> For one object, type and reason, nine different notes are Events of their own. Occurrences with further notes,
 *   each within 10 minutes of the one before, are one Event, whose note begins with {@code (combined from similar events)}.
 * <li><b>Spam filter.</b> At most 25 new Events about one object, then one every 5 minutes. Occurrences that only increase a count are not
 *   limited.
 * <li><b>Retry.</b> A write that gets no answer is sent again after 10 to 12.5 s, 12 times in all; one that the server refuses is not.
 * </ul>
 *
 * <p>Any thread may record; recording never blocks and never fails because of the server. At most 1,000 Events wait to be written, and
 * 4,096 are kept to be counted; the {@link Observer} is notified of those that are dropped. Writes of one series are ordered; different
 * series are written in no particular order, 8 at a time.
 *
 * @see <a href="https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/event-v1/">Kubernetes API: Event</a>
 */
public interface EventRecorder extends AutoCloseable {

    /**
     * As {@link #of(KubernetesClient, RecorderOptions)} with {@link RecorderOptions#of}.
     *
     * @param client sends the requests
     * @param reportingController the name of the recording component, such as {@code example.com/image-mirror}
     * @throws IllegalArgumentException if that is no qualified name
     */
    static EventRecorder of(KubernetesClient client, String reportingController) {
        return of(client, RecorderOptions.of(reportingController));
    }

    /**
     * Creates a recorder that writes with {@code client}. Closing the client closes the recorder first, as {@link #close(Duration)} with 3
     * seconds does.
     */
    static EventRecorder of(KubernetesClient client, RecorderOptions options) {
        return new QueueingRecorder(client, options);
    }

    /**
     * Records {@code occurrence}. Returns at once, before it is written, and does not throw if it cannot be written: the {@link Observer}
     * is notified of a dropped one. After the recorder is closed, all are dropped.
     */
    void record(Occurrence occurrence);

    /**
     * Records an occurrence of type Normal; see {@link Occurrence} for the parameters.
     *
     * @param note null for none
     * @throws IllegalArgumentException if {@code reason} or {@code action} is invalid, or {@link ObjectReference#of(Object)} refuses the
     *     object
     */
    default void normal(Object regarding, String reason, String action, @Nullable String note) {
        record(Occurrence.normal(ObjectReference.of(regarding), reason, action, note));
    }

    /**
     * Records an occurrence of type Warning, which needs attention; see {@link Occurrence} for the parameters.
     *
     * @param note null for none, as the message of an exception may be
     * @throws IllegalArgumentException if {@code reason} or {@code action} is invalid, or {@link ObjectReference#of(Object)} refuses the
     *     object
     */
    default void warning(Object regarding, String reason, String action, @Nullable String note) {
        record(Occurrence.warning(ObjectReference.of(regarding), reason, action, note));
    }

    /**
     * On subscription, stops accepting occurrences, and tries once more to write each waiting Event and unwritten count. Completes when
     * that is done, or after {@code grace}; what is not written then is dropped.
     */
    Mono<Void> close(Duration grace);

    /** Closes at once: drops waiting Events and unwritten counts. */
    @Override
    void close();

    /**
     * Something that happened to an object. The constructor throws {@link IllegalArgumentException} if reason or action is blank or longer
     * than 128 bytes.
     *
     * @param regarding the object
     * @param related another object that is involved; null for none
     * @param type normal or warning
     * @param reason why it happened, for machines: {@code UpperCamelCase}, of at most 128 bytes
     * @param action what was done or failed, for machines, of at most 128 bytes
     * @param note a description for people, may be empty; cut to 1,024 bytes
     */
    record Occurrence(
            ObjectReference regarding, @Nullable ObjectReference related, Type type, String reason, String action, String note) {

        private static final int LONGEST_WORD = 128;

        /** The types that the server accepts. */
        public enum Type {
            /** Something happened as planned. */
            NORMAL("Normal"),
            /** Something failed, or needs attention. */
            WARNING("Warning");

            private final String wire;

            Type(String wire) {
                this.wire = wire;
            }

            String wire() {
                return wire;
            }
        }

        /**
         * Cuts the note to its longest size.
         *
         * @throws IllegalArgumentException if reason or action is empty or too long
         */
        public Occurrence {
            requireWord("reason", reason);
            requireWord("action", action);
            Objects.requireNonNull(note, "note"); // fails here for the caller, not later when it is written
            note = EventText.note(note); // cut here, so that equal notes are counted as one, and to save memory
        }

        /**
         * An occurrence of type Normal without a related object.
         *
         * @param note null for none, as the message of an exception may be
         * @throws IllegalArgumentException if {@code reason} or {@code action} is blank or longer than 128 bytes
         */
        public static Occurrence normal(ObjectReference regarding, String reason, String action, @Nullable String note) {
            return new Occurrence(regarding, null, Type.NORMAL, reason, action, Objects.requireNonNullElse(note, ""));
        }

        /**
         * An occurrence of type Warning without a related object.
         *
         * @param note null for none, as the message of an exception may be
         * @throws IllegalArgumentException if {@code reason} or {@code action} is blank or longer than 128 bytes
         */
        public static Occurrence warning(ObjectReference regarding, String reason, String action, @Nullable String note) {
            return new Occurrence(regarding, null, Type.WARNING, reason, action, Objects.requireNonNullElse(note, ""));
        }

        /** A copy with this {@link #related} object. */
        public Occurrence related(ObjectReference other) {
            return new Occurrence(regarding, other, type, reason, action, note);
        }

        Occurrence noting(String other) {
            return new Occurrence(regarding, related, type, reason, action, other);
        }

        private static void requireWord(String what, String word) {
            if (word.isBlank() || word.getBytes(StandardCharsets.UTF_8).length > LONGEST_WORD) {
                throw new IllegalArgumentException(what + " must have 1 to " + LONGEST_WORD
                        + " bytes, or the server refuses the Event; was \"" + word + "\"");
            }
        }
    }

    /**
     * Observes a recorder, for metrics. Called on the threads that record or close, and on the recorder's workers, so it must return at
     * once. What it throws is caught, logged the first time, and affects no Event.
     */
    interface Observer {

        /** Ignores everything. */
        Observer NONE = new Observer() {};

        /** Why an Event was not written. */
        enum Drop {
            /** Too many Events waited to be written. */
            FULL,
            /** Too many new Events were about the same object. */
            SPAM,
            /** The server refused the Event. */
            REFUSED,
            /** All tries failed without an answer of the server. */
            GIVEN_UP,
            /** The recorder was closed before the Event was written. */
            CLOSED
        }

        /**
         * An Event was created, or its count written.
         *
         * @param first the first occurrence of the series
         * @param count the number of occurrences in the written Event
         */
        default void written(Occurrence first, int count) {}

        /**
         * An Event was dropped.
         *
         * @param occurrence the first occurrence of the series
         * @param times the number of occurrences that were not written
         * @param why the reason
         * @param cause the server's answer, or the failure of the last try; null if nothing was sent, or the failure was no
         *     {@link KubernetesException}
         */
        default void dropped(Occurrence occurrence, int times, Drop why, @Nullable KubernetesException cause) {}
    }
}
