package io.reactiveinformer.delta;

import io.reactiveinformer.client.Known;
import java.util.function.Function;
import reactor.core.publisher.Flux;

/**
 * The operator between reflectors and a store: turns the events of reflectors into the changes that a store has to apply. client-go's
 * DeltaFIFO, as an operator.
 *
 * <pre>
 * events  ─[start]─a₁─b₁─[end 5]──a₆──a₆──b₇──────…      a₆: object a at version 6
 * deltas  ─────────────────{a₁ b₁ at 5}──a₆──────b₇──…   {…}: one Replaced, only with what differs
 * </pre>
 */
public final class DeltaStage {

    private DeltaStage() {}

    /**
     * An operator for {@code Flux.transform}. The events may come from several reflectors, merged, each with a part of its own.
     *
     * <ul>
     *   <li>A listing is collected before it becomes visible, and results in one {@link Delta.Replaced} when it is complete: with its
     *       differences from the cached state, and a deletion for each cached object that it does not have. An interrupted listing has no
     *       effect.
     *   <li>A live event at or below the version that its part or its object has reached is dropped: no object returns to an older state.
     *       So is what a listing has of an object whose cached state is newer than that listing, unless the server's history is another
     *       one ({@code newEpoch}).
     *   <li>A watch that is opened from the version that the part has reached is dropped. If nothing was complete before, it becomes
     *       {@link Delta.Progressed}: the server continues from the restored state.
     *   <li>Failures do not become deltas: they are part of the status.
     * </ul>
     *
     * <p><b>Demand.</b> The reflectors never wait: this requests all events. Events without demand are conflated: at most one state and one
     * note of an unreadable state for each key, and one replacement for each part are queued. A key that changes while it is queued keeps
     * its place, so that no key starves another; each delta says up to which version nothing of its part is missing
     * ({@link Delta#completeTo}). Parts take turns.
     *
     * <p><b>Contract.</b> The subscriber must have applied a delta to {@code known} before it requests the next, since each event is
     * compared with {@code known} at the moment of delivery. Each subscription has a state of its own.
     *
     * <p>When the events end, the queued ones are delivered first, then the end.
     *
     * @param known the cached state; read on the thread that emits events or requests deltas
     */
    public static <T> Function<Flux<ReflectorEvent<T>>, Flux<Delta<T>>> over(Known<T> known) {
        return events -> new FluxDeltas<>(events, known);
    }
}
