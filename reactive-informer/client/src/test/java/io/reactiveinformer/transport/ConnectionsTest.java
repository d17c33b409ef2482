package io.reactiveinformer.transport;

import io.netty.channel.EventLoopGroup;
import io.reactiveinformer.config.Cluster.Endpoint;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import reactor.netty.resources.LoopResources;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

class ConnectionsTest {

    /** Reactor takes it for fatal: it would end the thread that prepares the connections, and nobody would be answered. */
    @Test
    void anErrorWhileTheyArePreparedFailsTheRequest() {
        LoopResources broken = new LoopResources() {
            @Override
            public EventLoopGroup onServer(boolean useNative) {
                throw new IllegalStateException("there is no server");
            }

            @Override
            public EventLoopGroup onClient(boolean useNative) {
                throw new NoClassDefFoundError("io/netty/Missing");
            }
        };
        var connections = new Connections(Endpoint.of(URI.create("http://127.0.0.1:1")), TransportOptions.defaults(), broken);
        StepVerifier.create(connections.exchange(HttpRequest.get("/", Headers.empty()), answer -> answer.body()))
                .verifyErrorSatisfies(failure -> assertThat(failure).isInstanceOf(TransportException.class)
                        .hasMessageStartingWith(
                                "cannot prepare connections to http://127.0.0.1:1: java.lang.NoClassDefFoundError: io/netty/Missing"));
        connections.dispose().block(Duration.ofSeconds(10));
    }
}
