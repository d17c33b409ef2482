package io.reactiveinformer.metrics;

import io.micrometer.observation.Observation;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import io.reactiveinformer.controller.ReconcileRequest;
import io.reactiveinformer.controller.ReconcileRequest.Cause;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The trace of the writer of an object, in its annotations. A reconcile joins it if the object was written since the last one, and no
 * reconcile has ended that joined it: the annotation stays on the object, and what happens a day later is not part of the trace.
 */
final class TraceAnnotations {

    private static final String PARENT = "traceparent";

    /** Of W3C's trace context. Baggage is not among them: it may be secret, and many can read annotations. */
    private static final Set<String> FIELDS = Set.of(PARENT, "tracestate");

    private final Informer<?> objects;

    /** By key, the trace that is over for it. */
    private final Map<ObjectKey, String> over = new ConcurrentHashMap<>();

    TraceAnnotations(Informer<?> objects) {
        this.objects = objects;
    }

    /** A context from which a propagating tracer writes to {@code annotations} when the observation starts. */
    static Observation.Context sender(Map<String, String> annotations) {
        var sender = new SenderContext<Map<String, String>>((carrier, name, value) -> {
            if (carrier != null && FIELDS.contains(name)) {
                carrier.put(name, value);
            }
        }, Kind.PRODUCER);
        sender.setCarrier(annotations);
        return sender;
    }

    /** A context from which a propagating tracer reads the annotations of the object, if its trace is to be joined. */
    Observation.Context receiver(ReconcileRequest<ObjectKey> request) {
        Map<String, String> annotations = annotations(request.key());
        String parent = annotations.get(PARENT);
        boolean joined = parent != null && !parent.equals(over.get(request.key())) && isWritten(request);
        Observation.Context context = joined ? receiver(annotations) : new Observation.Context();
        if (parent != null) {
            context.put(TraceAnnotations.class, parent);
        }
        return context;
    }

    private static Observation.Context receiver(Map<String, String> annotations) {
        var receiver = new ReceiverContext<Map<String, String>>(
                (carrier, name) -> FIELDS.contains(name) ? carrier.get(name) : null, Kind.CONSUMER);
        receiver.setCarrier(annotations);
        return receiver;
    }

    /** Whether a change of the object itself, and not only of what it owns, is among the causes; or may be, where not all are kept. */
    private static boolean isWritten(ReconcileRequest<ObjectKey> request) {
        return request.causes().stream()
                .filter(cause -> cause.kind() == Cause.Kind.ADDED || cause.kind() == Cause.Kind.UPDATED)
                .anyMatch(cause -> request.moreCauses() > 0 || cause.row().equals(String.valueOf(request.key())));
    }

    /** The reconcile has ended, and was not a failure that is tried again. The object may have been written again in the meantime. */
    void ended(ReconcileRequest<ObjectKey> request, Observation.ContextView context) {
        String parent = context.get(TraceAnnotations.class);
        if (parent == null) {
            over.remove(request.key());
        } else {
            over.put(request.key(), parent);
        }
    }

    private Map<String, String> annotations(ObjectKey key) {
        Optional<?> object = objects.lister().get(key);
        Map<String, String> annotations = object.isEmpty() ? null : PartialObjectMetadata.of(object.get()).metadata().getAnnotations();
        return annotations == null ? Map.of() : annotations;
    }
}
