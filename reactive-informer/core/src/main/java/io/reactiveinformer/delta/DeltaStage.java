package io.reactiveinformer.delta;

import java.util.function.Function;
import reactor.core.publisher.Flux;

/**
 * Between reflectors and a store: turns what reflectors hear into what a store has to change. client-go's DeltaFIFO, as an operator.
 *
 * <pre>
 * events  ─[start]─a₁─b₁─[end 5]──a₆──a₆──b₇──────…      a₆: object a at version 6
 * deltas  ─────────────────{a₁ b₁ at 5}──a₆──────b₇──…   {…}: one Replaced, only with what differs
 * </pre>
 */
public final class DeltaStage {

    private DeltaStage() {}

    /**
     * For {@code Flux.transform}. The events may be those of several reflectors, merged, each with a scope of its own.
     *
     * <ul>
     *   <li>A listing is collected out of sight, and becomes one {@link Delta.Replaced} when it is complete: with what differs from what is
     *       held, and with a deletion for what it does not have. A listing that was cut off leaves no trace.
     *   <li>A live event at or below the version that its scope or its object has reached is dropped: nothing travels back in time. So is
     *       what a listing says of an object that is held in a state from after that listing, unless the server's history is another one
     *       ({@code newEpoch}).
     *   <li>A watch that is opened from where the scope has come is no news. From where nothing was complete before, it is
     *       {@link Delta.Progressed}: the server goes on from what was restored there.
     *   <li>Failures are not deltas: they are for whoever tells how things stand.
     * </ul>
     *
     * <p><b>Demand.</b> The reflectors are never held up. What there is no demand for is conflated: at most one state, one note of an unreadable
     * state for each key, and one replacement for each scope wait. A key that changes while it waits keeps its place in line, so that no key
     * starves another; each delta says up to which version nothing of its scope is missing ({@link Delta#completeTo}). Scopes take turns.
     *
     * <p><b>Contract.</b> Whoever receives a delta must have applied it to {@code known} before requesting the next, since what is news is
     * decided against {@code known} at the moment of delivery. Each subscription has a state of its own.
     *
     * <p>When the events end, what waits is delivered first, then the end.
     */
    public static <T> Function<Flux<ReflectorEvent<T>>, Flux<Delta<T>>> over(Known<T> known) {
        return events -> new FluxDeltas<>(events, known);
    }
}
