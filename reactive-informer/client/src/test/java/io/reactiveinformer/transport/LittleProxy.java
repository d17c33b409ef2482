package io.reactiveinformer.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A proxy that speaks CONNECT and SOCKS5, remembers where to it was asked to go, and goes to this machine whatever the name. */
final class LittleProxy implements AutoCloseable {

    private static final int SOCKS5 = 5;

    private final ServerSocket listener;
    private final @Nullable String secret;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<String> targets = new CopyOnWriteArrayList<>();

    /** @param secret user and password as they must be shown, {@code me:s3cret}, or in a header's form; null for everyone */
    LittleProxy(ServerSocket listener, @Nullable String secret) {
        this.listener = listener;
        this.secret = secret;
        daemon(this::accept);
    }

    static LittleProxy start(@Nullable String secret) throws IOException {
        return new LittleProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), secret);
    }

    int port() {
        return listener.getLocalPort();
    }

    List<String> targets() {
        return targets;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                sockets.add(socket);
                daemon(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            int first = in.read();
            if (first == SOCKS5) {
                socks(socket, in);
            } else if (first == 'C') {
                connect(socket, in);
            }
        } catch (IOException broken) {
            // the client has gone
        }
    }

    private void connect(Socket socket, InputStream in) throws IOException {
        var text = new StringBuilder();
        while (!text.toString().endsWith("\r\n\r\n")) {
            text.append((char) in.read());
        }
        String head = text.toString();
        String target = head.split(" ", 3)[1];
        if (secret != null && !head.contains("Basic " + secret)) {
            socket.getOutputStream().write("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return;
        }
        Socket there = open(target);
        socket.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        join(socket, there);
    }

    /** RFC 1928, and RFC 1929 for the password. */
    private void socks(Socket socket, InputStream in) throws IOException {
        OutputStream out = socket.getOutputStream();
        in.readNBytes(in.read());
        out.write(new byte[] {SOCKS5, (byte) (secret == null ? 0 : 2)});
        if (secret != null) {
            in.read();
            String shown = text(in) + ":" + text(in);
            out.write(new byte[] {1, (byte) (shown.equals(secret) ? 0 : 1)});
        }
        in.readNBytes(3);
        String host = in.read() == 3 ? text(in) : InetAddress.getByAddress(in.readNBytes(4)).getHostAddress();
        Socket there = open(host + ":" + (in.read() << 8 | in.read()));
        out.write(new byte[] {SOCKS5, 0, 0, 1, 0, 0, 0, 0, 0, 0});
        join(socket, there);
    }

    private static String text(InputStream in) throws IOException {
        return new String(in.readNBytes(in.read()), StandardCharsets.US_ASCII);
    }

    private Socket open(String target) throws IOException {
        targets.add(target);
        Socket there = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(target.substring(target.lastIndexOf(':') + 1)));
        sockets.add(there);
        return there;
    }

    private static void join(Socket here, Socket there) throws IOException {
        daemon(() -> pump(there, here));
        pump(here, there);
    }

    private static void pump(Socket from, Socket to) {
        try (from; to) {
            byte[] bytes = new byte[8192];
            for (int count = from.getInputStream().read(bytes); count >= 0; count = from.getInputStream().read(bytes)) {
                to.getOutputStream().write(bytes, 0, count);
                to.getOutputStream().flush();
            }
        } catch (IOException over) {
            // both ends go together
        }
    }

    private static void daemon(Runnable work) {
        var thread = new Thread(work, "little-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
