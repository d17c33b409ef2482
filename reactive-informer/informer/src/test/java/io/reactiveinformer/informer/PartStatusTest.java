package io.reactiveinformer.informer;

import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.delta.ReflectorEvent.Disrupted;
import io.reactiveinformer.delta.ReflectorEvent.ListingEnded;
import io.reactiveinformer.delta.ReflectorEvent.ListingStarted;
import io.reactiveinformer.delta.ReflectorEvent.Received;
import io.reactiveinformer.delta.ReflectorEvent.Watching;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent.Bookmark;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PartStatusTest {

    private static final Namespaces ALL = Namespaces.all();
    private final TransportException refused = new TransportException("cannot reach the server", null);

    private PartStatus status = PartStatus.idle(at(0));

    @Test
    void isLiveOnceTheWatchIsOpen() {
        receive(1, new ListingStarted<>(ALL, "first"));
        assertThat(status).isEqualTo(new PartStatus(State.LISTING, at(1), null, 0, null, null));

        receive(2, new ListingEnded<>(ALL, "10", false));
        assertThat(status).isEqualTo(new PartStatus(State.LISTING, at(1), null, 0, null, null));

        receive(3, new Watching<>(ALL, "10"));
        assertThat(status).isEqualTo(new PartStatus(State.LIVE, at(3), null, 0, null, null));
    }

    @Test
    void staysStoppedWhateverWasOnItsWay() {
        status = status.stopped(null, at(1));
        receive(2, new ListingStarted<>(ALL, "first"));

        assertThat(status).isEqualTo(new PartStatus(State.STOPPED, at(1), null, 0, null, null));
    }

    @Test
    void keepsTheCauseAndTheNumberOfTriesWhileItListsAgain() {
        receive(1, new ListingStarted<>(ALL, "first"));
        receive(2, disrupted(3));
        receive(9, new ListingStarted<>(ALL, "again"));

        assertThat(status).isEqualTo(new PartStatus(State.LISTING, at(9), refused, 3, null, null));
    }

    @Test
    void isDisruptedSinceTheFirstOfSeveralFailures() {
        receive(1, disrupted(1));
        receive(5, disrupted(2));

        assertThat(status).isEqualTo(new PartStatus(State.DISRUPTED, at(1), refused, 2, Duration.ofSeconds(2), null));
    }

    @Test
    void forgetsTheCauseWhenItIsLiveAgain() {
        receive(1, disrupted(7));
        receive(2, new Watching<>(ALL, "10"));

        assertThat(status).isEqualTo(new PartStatus(State.LIVE, at(2), null, 0, null, null));
    }

    @Test
    void isTheSameAfterEventsThatDoNotBearOnIt() {
        receive(1, new Watching<>(ALL, "10"));
        PartStatus live = status;
        receive(2, new Received<>(ALL, new Bookmark<>("11", false)));
        receive(3, new Watching<>(ALL, "11"));

        assertThat(status).isSameAs(live);
    }

    private void receive(int second, ReflectorEvent<String> event) {
        status = status.after(event, at(second));
    }

    private ReflectorEvent<String> disrupted(int attempt) {
        return new Disrupted<>(ALL, refused, attempt, Duration.ofSeconds(attempt), true);
    }

    private static Instant at(int second) {
        return Instant.EPOCH.plusSeconds(second);
    }

    /** Law 23: fresh is only what was live, and from when it was not any more, it is as old as that. */
    @Test
    void isStaleFromWhenItWasNotLiveAnyMore() {
        receive(1, new ListingStarted<>(ALL, "first"));
        receive(2, disrupted(1));
        assertThat(status.staleSince()).as("never was live").isNull();
        status = status.heldAsOf(at(1));
        assertThat(status).isEqualTo(new PartStatus(State.DISRUPTED, at(2), refused, 1, Duration.ofSeconds(1), at(1)));
        status = status.catchingUp(at(3));
        assertThat(status).isEqualTo(new PartStatus(State.LISTING, at(3), refused, 1, null, at(1)));
        assertThat(status.catchingUp(at(4))).isEqualTo(status);

        receive(5, new Watching<>(ALL, "10"));
        assertThat(status.staleSince()).isNull();
        assertThat(status.heldAsOf(at(5))).isSameAs(status);
        receive(8, disrupted(1));
        receive(9, disrupted(2));
        receive(10, new ListingStarted<>(ALL, "again"));
        assertThat(status.staleSince()).isEqualTo(at(8));
        assertThat(status.asStatus(null).staleSince()).isEqualTo(at(8));
        assertThat(status.asStatus(null).synced()).isTrue();
        assertThat(status.asStatus(at(1)).synced()).isFalse();
        status = status.stopped(null, at(12));
        assertThat(status.staleSince()).isEqualTo(at(8));
        assertThat(status.heldAsOf(at(13))).isSameAs(status);
        assertThat(status.catchingUp(at(13))).isSameAs(status);
    }

    @Test
    void standsByNothingThatIsOfOneObject() {
        assertThat(PartStatus.dependsOn(new ListingStarted<>(ALL, "first"))).isTrue();
        assertThat(PartStatus.dependsOn(new Watching<>(ALL, "10"))).isTrue();
        assertThat(PartStatus.dependsOn(disrupted(1))).isTrue();
        assertThat(PartStatus.dependsOn(new ListingEnded<>(ALL, "10", false))).isFalse();
    }
}
