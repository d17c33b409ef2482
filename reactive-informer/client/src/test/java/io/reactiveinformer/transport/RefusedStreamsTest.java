package io.reactiveinformer.transport;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reactiveinformer.config.Certificates;
import io.reactiveinformer.config.Certificates.Issued;
import io.reactiveinformer.config.Cluster.Endpoint;
import io.reactiveinformer.config.Cluster.Trust;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** RFC 9113, 6.8 and 8.7: what a server says that it has not looked at is sent again, also if it changes something. */
@ExtendWith(NoLinesOfNetty.class)
class RefusedStreamsTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Certificates authority = Certificates.authority("cluster-ca");
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private Transport transport;

    /** What a connection does after some requests. */
    enum Way {
        /** Says GOAWAY, and serves what came before. */
        GOES_AWAY,
        /** The same, and closes at once. */
        GOES_AWAY_AND_CLOSES,
        /** Refuses each third stream. */
        REFUSES,
        /** Serves nothing at all. */
        REFUSES_ALL,
        /** Resets the connection at the first request. */
        RESETS,
        /** Sends bytes at the first request that are no HTTP/2. */
        SENDS_GARBAGE,
        /** The same, after the head of an answer. */
        BREAKS_OFF_WITH_GARBAGE
    }

    @AfterEach
    void close() {
        transport.dispose().block(LIMIT);
    }

    @ParameterizedTest
    @EnumSource(names = {"GOES_AWAY", "GOES_AWAY_AND_CLOSES", "REFUSES"})
    void eachWriteArrivesOnce(Way way) throws Exception {
        try (ServerSocket listener = listen(way)) {
            List<String> all = IntStream.range(0, 300).mapToObj(i -> "write-" + i).toList();
            List<Integer> statuses = Flux.fromIterable(all).flatMap(this::write, 16).collectList().block(LIMIT);
            assertThat(statuses).hasSize(300).containsOnly(200);
            assertThat(listener.isClosed()).isFalse();
            assertThat(seen).containsExactlyInAnyOrderElementsOf(all);
        }
    }

    @Test
    void aServerThatRefusesAllIsNotAskedForEver() throws Exception {
        try (ServerSocket listener = listen(Way.REFUSES_ALL)) {
            StepVerifier.create(write("never"))
                    .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(TransportException.class).hasMessageEndingWith(
                            "each connection ends before the server looks at the request (GOAWAY, REFUSED_STREAM)"))
                    .verify(LIMIT);
            assertThat(seen).isEmpty();
            assertThat(listener.isClosed()).isFalse();
        }
    }

    /** The request says why; Netty's loggers have nothing to add. */
    @Test
    void aConnectionThatIsResetLeavesNoStackTrace() throws Exception {
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        var netty = (ch.qos.logback.classic.Logger) LoggerFactory.getLogger("io.netty");
        netty.addAppender(lines);
        try (ServerSocket listener = listen(Way.RESETS)) {
            StepVerifier.create(write("lost")).expectError(TransportException.class).verify(LIMIT);
            assertThat(listener.isClosed()).isFalse();
        } finally {
            netty.detachAppender(lines);
        }
        assertThat(lines.list).filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN)).isEmpty();
    }

    /** So does one that is answered with garbage. */
    @ParameterizedTest
    @EnumSource(names = {"SENDS_GARBAGE", "BREAKS_OFF_WITH_GARBAGE"})
    void garbageIsSaidOnce(Way way) throws Exception {
        try (ServerSocket listener = listen(way)) {
            StepVerifier.create(write("lost"))
                    .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(TransportException.class)
                            .hasMessageContaining("the server's answer is not HTTP/2: Frame length"))
                    .verify(LIMIT);
            assertThat(listener.isClosed()).isFalse();
        }
    }

    private Flux<Integer> write(String body) {
        var request = new HttpRequest("POST", "/configmaps", Headers.of("Content-Type", "text/plain"),
                body.getBytes(StandardCharsets.UTF_8));
        return transport.exchange(request, answer -> answer.body().then(Mono.just(answer.status())));
    }

    private ServerSocket listen(Way way) throws GeneralSecurityException, IOException {
        Issued identity = authority.issue("apiserver", "127.0.0.1");
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setKeyEntry("server", identity.key(), new char[0], new X509Certificate[] {identity.certificate()});
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(() -> accept(listener, context.getSocketFactory(), way));
        transport = Transport.overSockets(Mono.just(new Endpoint(URI.create("https://127.0.0.1:" + listener.getLocalPort()),
                Trust.authorities(List.of(authority.self().certificate()), "/etc/ca.crt"), null, null, true)), TransportOptions.defaults());
        return listener;
    }

    private void accept(ServerSocket listener, SSLSocketFactory secured, Way way) {
        while (!listener.isClosed()) {
            try {
                Socket plain = listener.accept();
                daemon(() -> {
                    try (plain; var socket = (SSLSocket) secured.createSocket(plain, null, true)) {
                        socket.setUseClientMode(false);
                        SSLParameters parameters = socket.getSSLParameters();
                        parameters.setApplicationProtocols(new String[] {"h2"});
                        socket.setSSLParameters(parameters);
                        new Connection(plain, socket, way).serve();
                    } catch (IOException over) {
                        // the client has gone
                    }
                });
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void daemon(Runnable work) {
        var thread = new Thread(work, "http2");
        thread.setDaemon(true);
        thread.start();
    }

    /** As much of HTTP/2 as is needed: requests with a body of one frame. */
    private final class Connection {

        private static final int DATA = 0;
        private static final int HEADERS = 1;
        private static final int RESET = 3;
        private static final int SETTINGS = 4;
        private static final int GOAWAY = 7;
        private static final int END_STREAM = 1;
        private static final int END_HEADERS = 4;
        private static final int REFUSED_STREAM = 7;

        private final Socket plain;
        private final SSLSocket socket;
        private final DataInputStream in;
        private final DataOutputStream out;
        private final Way way;
        private int requests;
        private boolean goesAway;

        Connection(Socket plain, SSLSocket socket, Way way) throws IOException {
            this.plain = plain;
            this.socket = socket;
            in = new DataInputStream(socket.getInputStream());
            out = new DataOutputStream(socket.getOutputStream());
            this.way = way;
        }

        void serve() throws IOException {
            in.readFully(new byte["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".length()]);
            send(SETTINGS, 0, 0, new byte[0]);
            while (true) {
                int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
                int type = in.readUnsignedByte();
                int flags = in.readUnsignedByte();
                int stream = in.readInt();
                byte[] payload = in.readNBytes(length);
                if (type == SETTINGS && flags == 0) {
                    send(SETTINGS, 1, 0, new byte[0]);
                } else if (type == DATA && (flags & END_STREAM) != 0 && !goesAway) {
                    request(stream, new String(payload, StandardCharsets.UTF_8));
                    if (goesAway && way == Way.GOES_AWAY_AND_CLOSES) {
                        socket.shutdownOutput(); // and reads on: a close would reset the connection, and what was answered could be lost
                    }
                }
            }
        }

        private void request(int stream, String body) throws IOException {
            requests++;
            if (way == Way.RESETS) {
                plain.setSoLinger(true, 0);
                plain.close(); // without TLS's word of it
                return;
            }
            if (way == Way.SENDS_GARBAGE || way == Way.BREAKS_OFF_WITH_GARBAGE) {
                if (way == Way.BREAKS_OFF_WITH_GARBAGE) {
                    send(HEADERS, END_HEADERS, stream, new byte[] {(byte) 0x88});
                }
                out.write("no frame of HTTP/2, but a text that is long enough for the head of one".getBytes(StandardCharsets.UTF_8));
                out.flush();
                return;
            }
            if (way == Way.REFUSES_ALL || way == Way.REFUSES && requests % 3 == 0) {
                send(RESET, 0, stream, new byte[] {0, 0, 0, REFUSED_STREAM});
                return;
            }
            seen.add(body);
            if (way != Way.REFUSES && requests == 20) {
                goesAway = true;
                send(GOAWAY, 0, 0, new byte[] {0, 0, (byte) (stream >> 8), (byte) stream, 0, 0, 0, 0});
            }
            send(HEADERS, END_HEADERS, stream, new byte[] {(byte) 0x88}); // :status 200
            send(DATA, END_STREAM, stream, "ok".getBytes(StandardCharsets.UTF_8));
        }

        private void send(int type, int flags, int stream, byte[] payload) throws IOException {
            out.writeByte(payload.length >> 16);
            out.writeShort(payload.length);
            out.writeByte(type);
            out.writeByte(flags);
            out.writeInt(stream);
            out.write(payload);
            out.flush();
        }
    }
}
