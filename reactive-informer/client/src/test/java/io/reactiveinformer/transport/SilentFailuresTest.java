package io.reactiveinformer.transport;

import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A request that fails says why; Netty and Reactor Netty log nothing beside it, although the tests' logging does not silence them. */
@ExtendWith(NoLinesOfNetty.class)
class SilentFailuresTest extends OverSockets {

    /** What a peer does with a connection whose first request it has read. */
    private enum Peer {
        CLOSES {
            @Override
            void play(RawPeer.Line line) throws IOException {
                line.close();
            }
        },
        RESETS {
            @Override
            void play(RawPeer.Line line) throws IOException {
                line.reset();
            }
        },
        SPEAKS_ANOTHER_PROTOCOL {
            @Override
            void play(RawPeer.Line line) throws IOException {
                line.send("220 mail.example.com ESMTP\r\n\r\n");
            }
        },
        SENDS_HEADERS_WITHOUT_END {
            @Override
            void play(RawPeer.Line line) throws IOException {
                line.send("HTTP/1.1 200 OK\r\nX-Long: " + "x".repeat(100_000) + "\r\n\r\n");
            }
        },
        CUTS_ITS_ANSWER {
            @Override
            void play(RawPeer.Line line) throws IOException {
                line.send(CHUNKED + "3\r\none\r\nff\r\ntw");
                line.close();
            }
        },
        RESETS_WITHIN_ITS_ANSWER {
            @Override
            void play(RawPeer.Line line) throws IOException {
                line.send(CHUNKED + "3\r\none\r\nff\r\ntw");
                line.reset();
            }
        },
        SENDS_A_CHUNK_WITHOUT_A_LENGTH {
            @Override
            void play(RawPeer.Line line) throws IOException {
                line.send(CHUNKED + "3\r\none\r\n-\r\ntw");
            }
        };

        abstract void play(RawPeer.Line line) throws IOException;
    }

    private void fails(Transport transport) {
        var write = new HttpRequest("POST", "/pods", Headers.of("Content-Type", "text/plain"), new byte[9]);
        for (HttpRequest request : List.of(get("/pods"), write)) {
            assertThatThrownBy(() -> transport.exchange(request, OverSockets::text).collectList().block(LIMIT))
                    .isInstanceOf(TransportException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void afterTheRequestWasSent(Peer peer) throws IOException {
        try (RawPeer server = RawPeer.start(peer::play)) {
            fails(to(server.address()));
        }
    }

    @Test
    void whereNobodyListens() throws IOException {
        URI address;
        try (RawPeer server = sayingOne()) {
            address = server.address();
        }
        fails(to(address));
    }

    @Test
    void whereTheDnsHasNoName() {
        fails(to(URI.create("http://no-such-host.invalid:80")));
    }
}
