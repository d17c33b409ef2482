package io.reactiveinformer.controller;

import io.reactiveinformer.controller.ReconcileRequest.Cause;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CausesTest {

    private final Causes<String> causes = new Causes<>();

    private static Cause cause(String row) {
        return new Cause(Cause.Kind.ADDED, "pods.v1", row);
    }

    @Test
    void theCausesOfAKeyAreTakenOnce() {
        causes.add("a", cause("web-1"));
        causes.add("a", cause("web-2"));
        causes.add("b", cause("web-3"));
        assertThat(causes.take("a").kept()).containsExactly(cause("web-1"), cause("web-2"));
        assertThat(causes.take("a")).isEqualTo(Causes.Merged.NONE);
        assertThat(causes.size()).isEqualTo(1);
    }

    @Test
    void nothingIsKeptAfterTheEnd() {
        causes.add("a", cause("web-1"));
        causes.end();
        causes.add("b", cause("web-2"));
        assertThat(causes.size()).isZero();
    }
}
