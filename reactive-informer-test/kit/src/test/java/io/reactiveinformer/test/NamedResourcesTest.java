package io.reactiveinformer.test;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** A fault or a rule for a resource that the server does not have would never apply: it is refused. */
class NamedResourcesTest {

    private final FakeApiServer server = FakeApiServer.create();

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "statefulset, statefulsets.apps",
        "StatefulSet, statefulsets.apps",
        "statefulsets.app, statefulsets.apps",
        "sts, statefulsets.apps",
        "deployment.apps/scale, deployments.apps/scale",
        "pod, pods",
        "configmap, configmaps",
        "leases.coordination.io, leases.coordination.k8s.io",
    })
    void refusesAFaultAndARuleAndNamesTheOneThatIsMeant(String written, String meant) {
        String message = "this server has no resource \"" + written + "\"; did you mean \"" + meant + "\"?";
        assertThatIllegalArgumentException().isThrownBy(() -> server.faults().onList(written)).withMessageStartingWith(message);
        assertThatIllegalArgumentException().isThrownBy(() -> server.faults().onStreamingList(written)).withMessageStartingWith(message);
        assertThatIllegalArgumentException().isThrownBy(() -> server.faults().random(1).onListsAndWatches(written))
                .withMessageStartingWith(message);
        assertThatIllegalArgumentException().isThrownBy(() -> server.access().deny("list", written)).withMessageStartingWith(message);
        assertThatIllegalArgumentException().isThrownBy(() -> server.access().allow("jane", "list", written, null))
                .withMessageStartingWith(message);
    }

    @Test
    void refusesAnUnknownSubresourceAndNamesThoseThatThereAre() {
        assertThatIllegalArgumentException().isThrownBy(() -> server.faults().on("update", "deployments.apps/state"))
                .withMessage("this server has no resource \"deployments.apps/state\": "
                        + "the subresources of deployments.apps are [scale, status]");
    }

    @Test
    void refusesACustomResourceBeforeItsDefinition() {
        assertThatIllegalArgumentException().isThrownBy(() -> server.faults().onList("widgets.example.com"))
                .withMessage("this server has no resource \"widgets.example.com\". Resources are named by their plural, with or without "
                        + "the group; a custom one needs its CustomResourceDefinition first");
        server.objects().create(Widgets.DEFINITION);
        assertThatCode(() -> server.faults().onList("widgets.example.com")).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "pods", "pods/*", "pods/status", "pods.", "services/proxy/path", "events.events.k8s.io", "deployments"})
    void takesEachFormOfANameThatRequestsCanMatch(String name) {
        assertThatCode(() -> server.faults().onList(name)).doesNotThrowAnyException();
    }
}
