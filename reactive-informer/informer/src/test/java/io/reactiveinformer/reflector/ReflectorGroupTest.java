package io.reactiveinformer.reflector;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

class ReflectorGroupTest {

    private final Reflector.Group group = Reflector.Group.create();
    private final List<String> came = new ArrayList<>();

    /** Law 15: who finds late what another one found first ends nothing. */
    @Test
    void anEpochIsOverOnce() {
        Reflector.Group.Member early = group.join();
        Reflector.Group.Member late = group.join();
        early.over(Schedulers.immediate(), () -> true).subscribe(null, null, () -> came.add("early"));
        early.end();
        assertThat(came).containsExactly("early");
        assertThat(early.isOver()).isTrue();
        early.follow();
        early.over(Schedulers.immediate(), () -> true).subscribe(null, null, () -> came.add("early again"));
        assertThat(late.isOver()).isTrue();
        late.end();
        assertThat(early.isOver()).isFalse();
        assertThat(came).containsExactly("early");
    }

    /** A list is not cut: it checks when it is complete. */
    @Test
    void theEndOfAnEpochCutsOnlyWatches() {
        Reflector.Group.Member listing = group.join();
        var watching = new AtomicBoolean();
        listing.over(Schedulers.immediate(), watching::get).subscribe(null, null, () -> came.add("cut"));
        group.join().end();
        assertThat(came).isEmpty();
        watching.set(true);
        listing.follow();
        group.join().end();
        assertThat(came).containsExactly("cut");
    }
}
