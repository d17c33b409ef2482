package io.reactiveinformer.informer;

import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Store;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

class StatusKeeperTest {

    private static final Scope ALL = Scope.all();
    private static final ObjectKey A = ObjectKey.of("ns", "a");

    private final Store<String> store = Store.create();
    private final AtomicInteger looks = new AtomicInteger();
    private final StatusKeeper status = new StatusKeeper("texts", List.of(ALL), counted(store), Schedulers.immediate());

    /** Counts how often somebody looks whether the store is complete, as each making of a status does. */
    @SuppressWarnings("unchecked") // the proxy is of what it is told to be
    private Store<String> counted(Store<String> of) {
        return (Store<String>) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
            looks.addAndGet(method.getName().equals("snapshot") ? 1 : 0);
            return method.invoke(of, arguments);
        });
    }

    private void apply(Delta<String> delta) {
        store.apply(delta);
        status.applied(delta);
    }

    @Test
    void isNotMadeAgainByWhatDoesNotBearOnIt() {
        apply(new Delta.Replaced<>(ALL, List.of(), "1", false));
        assertThat(status.current().synced()).isTrue();
        looks.set(0);
        for (int version = 2; version < 1_000; version++) {
            apply(new Delta.Upserted<>(ALL, A, new Versioned<>("u", "" + version, "at " + version)));
        }
        assertThat(looks).hasValue(0);
    }

    @Test
    void namesWhatIsStaleUntilItIsReadAgain() {
        apply(new Delta.Replaced<>(ALL, List.of(), "1", false));
        apply(new Delta.Unreadable<>(ALL, A, "2", new UnreadableObjectException("not a text", null)));
        assertThat(status.current().stale()).containsOnlyKeys(A);

        apply(new Delta.Upserted<>(ALL, A, new Versioned<>("u", "3", "a text")));
        assertThat(status.current().stale()).isEmpty();
    }
}
