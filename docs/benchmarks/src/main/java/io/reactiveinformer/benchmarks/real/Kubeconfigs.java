package io.reactiveinformer.benchmarks.real;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The kubeconfig of the server under test, and copies of it that go another way. */
final class Kubeconfigs {

    private static final Pattern SERVER = Pattern.compile("(?m)(?<indent>^ *-? *)?\\bserver: *\"?(?<url>https://[^\",\\s}]+)\"?");

    private final String text;
    private final URI server;

    Kubeconfigs(Path file) {
        try {
            text = Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read the kubeconfig that REAL_KUBECONFIG names", failure);
        }
        Matcher found = SERVER.matcher(text);
        if (!found.find()) {
            throw new IllegalArgumentException(file + " has no server that begins with https://");
        }
        URI url = URI.create(found.group("url"));
        server = url.getPort() < 0 ? URI.create(url + ":443") : url;
    }

    URI server() {
        return server;
    }

    /** Through a port of loopback, with answers compressed or not. */
    Path through(int port, boolean gzip) {
        Matcher found = SERVER.matcher(text);
        String ours = found.replaceFirst(match -> {
            String indent = found.group("indent");
            String end = indent == null ? ", " : "\n" + " ".repeat(indent.length());
            return Matcher.quoteReplacement((indent == null ? "" : indent) + "server: \"https://127.0.0.1:"
                    + port + "\"" + end + "tls-server-name: \"" + server.getHost() + "\""
                    + end + "disable-compression: " + !gzip);
        });
        try {
            Path file = Files.createTempFile("real", ".kubeconfig");
            file.toFile().deleteOnExit();
            return Files.writeString(file, ours);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
