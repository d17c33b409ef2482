package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1Condition;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The conditions of a status, with which an object says how it is. Immutable: each change is a copy.
 *
 * <pre>{@code
 * List<V1Condition> conditions = Conditions.of(website.status().conditions(), website.metadata().getGeneration())
 *         .with("Ready", "True", "Published", "the page is served")
 *         .list();
 * }</pre>
 *
 * <p>The conditions of others stay as they are, and all keep their order. A condition that is set to what it was is not changed, so that
 * the list equals the former one, and nothing has to be written.
 *
 * @see <a href="https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#condition-v1-meta">Kubernetes API: Condition</a>
 */
public final class Conditions {

    private static final Pattern REASON = Pattern.compile("[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?");
    private static final int LONGEST_REASON = 1024;
    private static final int LONGEST_MESSAGE = 32768;

    private final List<V1Condition> conditions;
    private final @Nullable Long generation;
    private final Scheduler clock;

    private Conditions(List<V1Condition> conditions, @Nullable Long generation, Scheduler clock) {
        this.conditions = List.copyOf(conditions);
        this.generation = generation;
        this.clock = clock;
    }

    /** As {@link #of(List, Long, Scheduler)}, with the time of {@code Schedulers.parallel()}. */
    public static Conditions of(@Nullable List<V1Condition> current, @Nullable Long generation) {
        return of(current, generation, Schedulers.parallel());
    }

    /**
     * Begins with the conditions that an object has.
     *
     * @param current as in its status, which is not changed; null or empty for none
     * @param generation {@code metadata.generation} of the object that was looked at, the {@code observedGeneration} of conditions that are
     *     set; null for none
     * @param clock the source of the current time
     */
    public static Conditions of(@Nullable List<V1Condition> current, @Nullable Long generation, Scheduler clock) {
        return new Conditions(current == null ? List.of() : current, generation, clock);
    }

    /**
     * A copy in which the condition {@code type} is this one, at its place, or at the end if it is new. Its {@code lastTransitionTime} is
     * the current time, in whole seconds, if its status differs from the former one or there was none; otherwise it stays.
     *
     * @param type such as {@code Ready}
     * @param status {@code True}, {@code False} or {@code Unknown}
     * @param reason why, in CamelCase, such as {@code MinimumReplicasAvailable}
     * @param message for people; may be empty; what is longer than 32768 characters is cut off
     * @throws IllegalArgumentException if {@code type} is empty, or the server would refuse {@code status} or {@code reason}
     */
    public Conditions with(String type, String status, String reason, String message) {
        require(type, status, reason);
        V1Condition before = find(type);
        OffsetDateTime since = before != null && status.equals(before.getStatus()) ? before.getLastTransitionTime() : null;
        V1Condition after = new V1Condition()
                .type(type)
                .status(status)
                .reason(reason)
                .message(message.length() > LONGEST_MESSAGE ? message.substring(0, LONGEST_MESSAGE) : message)
                .observedGeneration(generation)
                .lastTransitionTime(since != null ? since : now());
        List<V1Condition> changed = new ArrayList<>(conditions);
        if (before == null) {
            changed.add(after);
        } else {
            changed.set(conditions.indexOf(before), after);
        }
        return new Conditions(changed, generation, clock);
    }

    /** A copy without the condition {@code type}. */
    public Conditions without(String type) {
        return new Conditions(conditions.stream().filter(condition -> !type.equals(condition.getType())).toList(), generation, clock);
    }

    /** The condition {@code type}; empty if there is none. */
    public Optional<V1Condition> get(String type) {
        return Optional.ofNullable(find(type));
    }

    /** Whether there is a condition {@code type} with the status {@code True}. */
    public boolean isTrue(String type) {
        V1Condition condition = find(type);
        return condition != null && "True".equals(condition.getStatus());
    }

    /** All conditions, in their order; immutable. */
    public List<V1Condition> list() {
        return conditions;
    }

    private @Nullable V1Condition find(String type) {
        return conditions.stream().filter(condition -> Objects.equals(type, condition.getType())).findFirst().orElse(null);
    }

    private OffsetDateTime now() {
        return Instant.ofEpochMilli(clock.now(TimeUnit.MILLISECONDS)).truncatedTo(ChronoUnit.SECONDS).atOffset(ZoneOffset.UTC);
    }

    private static void require(String type, String status, String reason) {
        if (type.isEmpty()) {
            throw new IllegalArgumentException("the type of a condition must not be empty");
        }
        if (!status.equals("True") && !status.equals("False") && !status.equals("Unknown")) {
            throw new IllegalArgumentException("the status of condition " + type + " must be True, False or Unknown; was \"" + status
                    + "\"");
        }
        if (reason.length() > LONGEST_REASON || !REASON.matcher(reason).matches()) {
            throw new IllegalArgumentException("the reason of condition " + type + " must be in CamelCase, such as NotFound; was \""
                    + (reason.length() > LONGEST_REASON ? reason.substring(0, LONGEST_REASON) + "…" : reason) + "\"");
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Conditions that && conditions.equals(that.conditions);
    }

    @Override
    public int hashCode() {
        return conditions.hashCode();
    }

    /** {@code [Ready=True (Published), …]}. */
    @Override
    public String toString() {
        return conditions.stream().map(each -> each.getType() + "=" + each.getStatus() + " (" + each.getReason() + ")").toList().toString();
    }
}
