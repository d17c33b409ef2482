package io.reactiveinformer.benchmarks.trial;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** One connection: one request after the other. */
final class Exchange {

    private final LoadServer server;
    private final Socket socket;
    private final Map<String, String> headers = new HashMap<>();
    private final Map<String, String> query = new HashMap<>();
    private String path = "";

    Exchange(LoadServer server, Socket socket) {
        this.server = server;
        this.socket = socket;
    }

    void serve() throws IOException, InterruptedException {
        try (socket) {
            var in = new BufferedInputStream(socket.getInputStream());
            while (read(in)) {
                if (!answer()) {
                    return;
                }
            }
        }
    }

    private boolean read(InputStream in) throws IOException {
        String request = line(in);
        if (request.isEmpty()) {
            return false;
        }
        headers.clear();
        query.clear();
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            int colon = header.indexOf(':');
            headers.put(header.substring(0, colon).toLowerCase(Locale.ROOT), header.substring(colon + 1).strip());
        }
        in.skipNBytes(Long.parseLong(headers.getOrDefault("content-length", "0")));
        String target = request.split(" ", -1)[1];
        int mark = target.indexOf('?');
        path = mark < 0 ? target : target.substring(0, mark);
        for (String parameter : mark < 0 ? new String[0] : target.substring(mark + 1).split("&", -1)) {
            int equals = parameter.indexOf('=');
            if (equals > 0) {
                query.put(parameter.substring(0, equals), URLDecoder.decode(parameter.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return true;
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
            line.append((char) b);
        }
        return line.toString().strip();
    }

    /** Whether the connection goes on. */
    private boolean answer() throws IOException, InterruptedException {
        if (path.startsWith("/trial/")) {
            plain("200 OK", command());
            return true;
        }
        if (!path.startsWith("/api/v1") || !path.endsWith("/pods")) {
            plain("404 Not Found",
                    "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"NotFound\",\"code\":404}");
            return true;
        }
        int within = namespace();
        PodForm form = PodForm.of(headers.get("accept"), server.cluster.encoding() != null);
        boolean wholeList = "true".equals(query.get("sendInitialEvents"));
        boolean watch = "true".equals(query.get("watch")) || "1".equals(query.get("watch"));
        server.requests.increment();
        if (watch ? wholeList : !query.containsKey("continue")) {
            server.lists.increment();
        }
        if (!watch) {
            new PodList(server, new Body(socket, server.bytes, form.contentType(false)), form, within)
                    .write(number("limit"), query.get("continue"), query.get("resourceVersion"));
            return true;
        }
        server.watching.add(socket);
        try {
            Body body = "websocket".equalsIgnoreCase(headers.get("upgrade"))
                    ? Body.webSocket(socket, server.bytes, accept(headers.getOrDefault("sec-websocket-key", "")),
                            headers.get("sec-websocket-protocol"))
                    : new Body(socket, server.bytes, form.contentType(true));
            new Watch(server, body, form, within)
                    .write(query.get("resourceVersion"), wholeList, "true".equals(query.get("allowWatchBookmarks")));
        } finally {
            server.watching.remove(socket);
        }
        return false;
    }

    /** The number of the namespace, -1 for all of them. */
    private int namespace() {
        int begin = path.indexOf("/namespaces/team-");
        return begin < 0 ? -1 : Integer.parseInt(path.substring(begin + "/namespaces/team-".length(), path.length() - "/pods".length()));
    }

    private int number(String parameter) {
        return Integer.parseInt(query.getOrDefault(parameter, "0"));
    }

    private String command() throws IOException {
        switch (path) {
            case "/trial/change" -> {
                return "" + server.changeAll(number("count"), number("perSecond"));
            }
            case "/trial/cut" -> {
                return "" + server.cut();
            }
            case "/trial/expire" -> server.cluster.compact();
            default -> {
                return server.lists.sum() + " " + server.requests.sum() + " " + server.bytes.sum() + " " + server.cluster.version();
            }
        }
        return "done";
    }

    private void plain(String status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n";
        socket.getOutputStream().write((head + text).getBytes(StandardCharsets.UTF_8));
    }

    private static String accept(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1")
                    .digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
