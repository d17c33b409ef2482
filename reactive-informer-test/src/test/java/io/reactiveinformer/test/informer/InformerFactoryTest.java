package io.reactiveinformer.test.informer;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.resource.InformerStatus.State;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.view.Change;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** Nothing listens where its client is sent. */
class InformerFactoryTest {

    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);

    private final KubernetesClient client = KubernetesClient.create(ClusterConfig.of("http://127.0.0.1:9"));
    private final InformerFactory informers = InformerFactory.create(client);

    @AfterEach
    void close() {
        informers.close();
        client.close();
    }

    @Test
    void givesTheSameToWhoAsksForTheSame() {
        assertThat(informers.of(PODS)).isSameAs(informers.of(PODS)).isNotSameAs(informers.of(PODS, Scope.namespace("prod")));
    }

    @Test
    void doesNotHandOutWhatWasStopped() {
        informers.start();
        Informer<V1Pod> stopped = informers.of(PODS);
        stopped.stop();
        Informer<V1Pod> another = informers.of(PODS);

        assertThat(another).isNotSameAs(stopped).isSameAs(informers.of(PODS));
        StepVerifier.create(another.status().map(InformerStatus::state).filter(state -> state != State.IDLE).next())
                .expectNext(State.LISTING).expectComplete().verify(LIMIT);
    }

    @Test
    void isLiveAtOnceWhereThereIsNothingToKeep() {
        Informer<V1Pod> none = informers.of(PODS, Scope.namespaces(List.of()));
        assertThat(none.description()).endsWith("in no namespace");
        informers.start();

        StepVerifier.create(none.synced()).expectComplete().verify(LIMIT);
        StepVerifier.create(none.status().next()).expectNextMatches(status -> status.state() == State.LIVE && status.synced())
                .expectComplete().verify(LIMIT);
        StepVerifier.create(none.changes().next()).expectNext(new Change.Synced<>(null, 0)).expectComplete().verify(LIMIT);
        none.stop();
        StepVerifier.create(none.status().last()).expectNextMatches(status -> status.state() == State.STOPPED).expectComplete().verify(LIMIT);
    }
}
