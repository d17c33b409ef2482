package io.reactiveinformer.sharding;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.sharding.ShardedController.Division;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DivisionTest {

    private static Informer<String> informer(String description) {
        return Informer.over(description, Namespaces.of(List.of()), part -> {
            throw new AssertionError(part);
        }, ReflectorOptions.defaults());
    }

    @Test
    void narrowsAllInformersThatWereNamed() {
        Informer<String> sets = informer("sets");
        Informer<String> pods = informer("pods");
        assertThat(Division.byNamespace().narrowing(sets).narrowing(pods).narrowed())
                .isEqualTo(Division.byNamespace().narrowing(sets, pods).narrowed());
        assertThat(Division.byNamespace().narrowed()).isEmpty();
    }
}
