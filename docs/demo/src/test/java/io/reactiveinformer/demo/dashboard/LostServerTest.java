package io.reactiveinformer.demo.dashboard;

import io.reactiveinformer.demo.JavaProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** What the page says when its own server is gone, or stands still. The pictures are to be looked at: {@code target/dashboard-*.png}. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = "test.thorough", matches = "true", disabledReason = "a browser is slow: only with -Pthorough")
class LostServerTest {

    @RegisterExtension
    static final SharedChromium OPEN = new SharedChromium();

    private final Chromium browser = OPEN.browser();
    @TempDir
    private Path directory;

    private @Nullable JavaProcess server;
    private String url = "";

    @BeforeEach
    void visit() throws IOException {
        start("0");
        browser.until("a server", () -> !address().isEmpty());
        url = address();
        browser.visit(url);
        untilAllIsLive();
    }

    @AfterEach
    void close() {
        if (server != null) {
            server.close(); // first: one that stands still would hold the browser up
        }
        browser.reset();
    }

    @Test
    void whatAKilledServerSaidLastIsNotShownAsTheStateOfNow() throws Exception {
        assertThat(browser.text("#connection")).startsWith("Connected to the dashboard's server ");
        kill("KILL");
        assertNothingIsKnown();
        browser.picture(Path.of("target/dashboard-lost-light.png"), 1400, 1000, "light");
        browser.picture(Path.of("target/dashboard-lost-dark.png"), 1400, 1000, "dark");
        browser.picture(Path.of("target/dashboard-lost-phone.png"), 390, 844, "light");
        assertThat((Long) browser.ask("return document.documentElement.scrollWidth")).as("no scrolling sideways").isLessThanOrEqualTo(390);
        browser.ask("window.scrollTo(0, 1000)");
        assertThat(browser.ask("return document.getElementById('connection').getBoundingClientRect().top"))
                .as("seen from everywhere").isEqualTo(0L);
        browser.ask("window.scrollTo(0, 0)");
        browser.click("[data-fault=cut]");
        browser.until("that nobody answers", () -> browser.text("#outcome").startsWith("cut: no answer from the dashboard's server"));
        start(Integer.toString(URI.create(url).getPort()));
        assertAllIsKnownAgain();
    }

    @Test
    void aServerThatStandsStillIsNoticedThoughItsConnectionStands() throws Exception {
        kill("STOP");
        assertNothingIsKnown();
        kill("CONT");
        assertAllIsKnownAgain();
    }

    private void assertNothingIsKnown() {
        browser.until("that it is away", () -> browser.text("#connection")
                .startsWith("Nothing received from the dashboard's server since "));
        assertThat(browser.text("#connection")).containsPattern("That was \\d+ s ago; the page shows the state of that time. Trying again");
        assertThat(browser.title()).startsWith("no answer");
        assertThat(browser.texts(".informer .state")).hasSize(5).containsOnly("UNKNOWN");
        assertThat(browser.texts(".informer .cause")).allMatch(cause -> cause.startsWith("was LIVE at "));
        assertThat(browser.see(".informer.LIVE")).isEmpty();
        assertThat(browser.text("#hearing")).startsWith("not known");
        assertThat(browser.texts("#tables .stale .note")).hasSize(5).allMatch(note -> note.startsWith("as of "));
        assertThat(browser.texts("#happened, #received")).containsExactly("–", "–");
        for (String greyed : List.of("#timeline", "#informers", "#browsers", "#tables .pods table")) {
            assertThat(browser.ask("return getComputedStyle(document.querySelector('" + greyed + "')).filter"))
                    .as(greyed).isEqualTo("grayscale(1)");
        }
        browser.until("seconds of which nothing is known", () -> browser.see("#timeline .happened.unknown").size() > 2);
    }

    private void assertAllIsKnownAgain() {
        untilAllIsLive();
        assertThat(browser.text("#connection"))
                .containsPattern("^Connected to the dashboard's server again since .*, after \\d+ s without it\\.$");
        assertThat(browser.title()).isEqualTo("reactive-informer");
        browser.until("rows of now", () -> browser.see("#tables .stale").isEmpty());
        assertThat(browser.texts(".informer .cause")).noneMatch(cause -> cause.startsWith("was "));
        assertThat(browser.texts("#happened, #received")).doesNotContain("–");
        assertThat(browser.see("#timeline .unknown")).as("of then nothing is known for ever").isNotEmpty();
    }

    private void untilAllIsLive() {
        browser.until("all of it", () -> browser.see(".informer.LIVE").size() == 5
                && browser.text("#hearing").equals("all 5 are live"));
    }

    private void start(String port) throws IOException {
        server = JavaProcess.start(directory, List.of("-Xmx256m"), JavaProcess.ownClassPath(),
                "io.reactiveinformer.demo.Main", "dashboard", "--port", port);
    }

    private void kill(String signal) throws IOException, InterruptedException {
        Objects.requireNonNull(server).signal(signal);
    }

    /** Of the page; empty until it is served. */
    private String address() {
        try {
            return Objects.requireNonNull(server).err().lines().filter(line -> line.startsWith("dashboard: "))
                    .map(line -> line.substring("dashboard: ".length())).findFirst().orElse("");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
