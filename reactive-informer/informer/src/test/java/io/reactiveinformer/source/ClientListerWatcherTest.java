package io.reactiveinformer.source;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

class ClientListerWatcherTest {

    private static final KubernetesClient CLIENT = KubernetesClient.over(new Transport() {
        @Override
        public <R> Flux<R> exchange(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader) {
            return Flux.never();
        }

        @Override
        public Mono<Void> dispose() {
            return Mono.empty();
        }
    });

    /** Messages of real servers. What may be otherwise tomorrow is no mistake for ever. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            pods        | spec.color=blue | 400 | field label not supported: spec.color                                                | true
            services    | spec.color=blue | 400 | "spec.color" is not a known field selector: only "metadata.name"                     | true
            replicasets | spec.color=blue | 400 | field label "spec.color" not supported for ReplicaSet                                | true
            pods        | a=b=c           | 400 | unable to parse requirement: invalid field selector: unescaped character in value: = | true
            widgets     | spec.color      | 400 | invalid selector: 'spec.color'; can't understand 'spec.color'                        | true
            widgets     | spec.color=blue | 400 | field label not supported: spec.color                                                | false
            pods        | spec.color=blue | 404 | field label not supported: spec.color                                                | false
            pods        | spec.color=blue | 400 | resourceVersion: Invalid value                                                       | false
            pods        | spec.color=blue | 500 | field label not supported: spec.color                                                | false
            pods        | ''              | 400 | field label not supported: spec.color                                                | false
            """)
    void tellsWhatIsNeverTaken(String plural, String fields, int code, String message, boolean never) {
        ResourceType<?> type = switch (plural) {
            case "pods" -> ResourceType.find("", null, "pods").orElseThrow();
            case "services" -> ResourceType.find("", null, "services").orElseThrow();
            case "replicasets" -> ResourceType.find("apps", null, "replicasets").orElseThrow();
            default -> ResourceType.dynamic("example.com", "v1", plural);
        };
        ListerWatcher<?> source = ListerWatcher.over(CLIENT, type, Namespaces.all(), Selector.fields(fields));
        assertThat(source.neverTakes(StatusException.of(Status.of(code, "", message), "list"))).isEqualTo(never);
    }

    /** The server would have to read many objects to find the few of a selector, as they were. */
    @Test
    void ofSelectedObjectsOnlyOneIsListedInThePast() {
        ResourceType<?> pods = ResourceType.find("", null, "pods").orElseThrow();
        ListerWatcher<?> all = ListerWatcher.over(CLIENT, pods, Namespaces.all());
        assertThat(all.identity().past()).isEqualTo(ListerWatcher.Past.ALL);
        assertThat(ListerWatcher.over(CLIENT, pods, Namespaces.all(), Selector.labels("app=web")).identity().past())
                .isEqualTo(ListerWatcher.Past.ONE);
        assertThat(ListerWatcher.polling(all, Duration.ofSeconds(1)).identity().past()).as("by numbers of its own")
                .isEqualTo(ListerWatcher.Past.NONE);
    }
}
