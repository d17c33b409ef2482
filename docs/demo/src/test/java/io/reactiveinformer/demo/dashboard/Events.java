package io.reactiveinformer.demo.dashboard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What one browser receives, as it reads on. A wait in vain is ended by the test's time limit. */
final class Events implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final Stream<String> lines;
    private final List<Event> events = new ArrayList<>(); // guarded by this
    private boolean over; // guarded by this

    record Event(String name, JsonNode data) {

        boolean isRow(String table, String key) {
            return name.equals("row") && isAbout(table, key);
        }

        boolean isGone(String table, String key) {
            return name.equals("gone") && isAbout(table, key);
        }

        String cell(int i) {
            return data.at("/row/cells/" + i).asString();
        }

        private boolean isAbout(String table, String key) {
            return data.path("table").asString().equals(table) && data.path("key").asString().equals(key);
        }
    }

    private Events(Stream<String> lines) {
        this.lines = lines;
    }

    /** @param query such as {@code ?slow=true}, or empty */
    static Events of(HttpClient client, String url, String query) throws IOException, InterruptedException {
        var answer = client.send(HttpRequest.newBuilder(URI.create(url + "ui/changes" + query)).build(), BodyHandlers.ofLines());
        var events = new Events(answer.body());
        var reader = new Thread(events::read, "events");
        reader.setDaemon(true);
        reader.start();
        return events;
    }

    private void read() {
        try {
            String[] name = {""};
            lines.forEach(line -> {
                if (line.startsWith("event:")) {
                    name[0] = line.substring("event:".length());
                } else if (line.startsWith("data:")) {
                    add(new Event(name[0], JSON.readTree(line.substring("data:".length()))));
                }
            });
        } catch (UncheckedIOException closed) {
            assertClosed(closed);
        } finally {
            end();
        }
    }

    /** {@link #end} wakes a thread that waits. */
    private static void assertClosed(UncheckedIOException failure) {
        if (failure.getCause() == null) {
            throw failure;
        }
    }

    private synchronized void add(Event event) {
        events.add(event);
        notifyAll();
    }

    private synchronized void end() {
        over = true;
        notifyAll();
    }

    synchronized List<Event> soFar() {
        return List.copyOf(events);
    }

    synchronized int count() {
        return events.size();
    }

    /** The first such event, of all that came. */
    Event await(Predicate<Event> wanted) throws InterruptedException {
        return awaitAfter(0, wanted);
    }

    /** The first such event that came after so many others. */
    synchronized Event awaitAfter(int first, Predicate<Event> wanted) throws InterruptedException {
        int next = first;
        while (true) {
            for (; next < events.size(); next++) {
                if (wanted.test(events.get(next))) {
                    return events.get(next);
                }
            }
            if (over) {
                throw new AssertionError("the stream ended without it, after " + events);
            }
            wait();
        }
    }

    /** The next pulse of which this is true. */
    JsonNode pulse(Predicate<JsonNode> wanted) throws InterruptedException {
        return awaitAfter(count(), event -> event.name().equals("pulse") && wanted.test(event.data())).data();
    }

    /** By which the dashboard calls this browser. */
    String name() throws InterruptedException {
        return await(event -> event.name().equals("hello")).data().path("browser").asString();
    }

    /** How the dashboard sees the browser of that name in a pulse; missing if it does not. */
    static JsonNode browser(JsonNode pulse, String name) {
        return pulse.path("browsers").valueStream().filter(browser -> browser.path("name").asString().equals(name)).findFirst()
                .orElse(JSON.missingNode());
    }

    static JsonNode informer(JsonNode pulse, String table) {
        return pulse.path("informers").valueStream().filter(informer -> informer.path("table").asString().equals(table))
                .findFirst().orElseThrow();
    }

    void awaitSynced(String table) throws InterruptedException {
        await(event -> event.name().equals("synced") && event.data().path("table").asString().equals(table));
    }

    synchronized void awaitEnd() throws InterruptedException {
        while (!over) {
            wait();
        }
    }

    @Override
    public void close() {
        lines.close();
    }
}
