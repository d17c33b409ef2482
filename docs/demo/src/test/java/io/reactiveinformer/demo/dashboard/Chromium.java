package io.reactiveinformer.demo.dashboard;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** A browser without a window, driven as a user would. Where there is none, a test is skipped and says what to install; on CI it fails. */
final class Chromium implements AutoCloseable {

    /** A wait in vain ends after this; nothing else depends on it. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Duration LOOK = Duration.ofMillis(50);

    private final ChromeDriver driver;

    private Chromium(ChromeDriver driver) {
        this.driver = driver;
    }

    static Chromium open() {
        Optional<File> browser = program("chromium");
        Optional<File> service = program("chromedriver");
        boolean there = browser.isPresent() && service.isPresent();
        if ("true".equals(System.getenv("CI"))) {
            assertThat(there).as("chromium and chromedriver must be on the PATH of CI").isTrue();
        }
        assumeTrue(there, "no browser looks at the dashboard: apt-get install chromium chromium-driver");
        var options = new ChromeOptions();
        options.setBinary(browser.orElseThrow());
        // The page is our own, so a sandbox, which root cannot have, is not needed; containers have little shared memory.
        options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                "--hide-scrollbars", "--window-size=1400,1400");
        var complaints = new LoggingPreferences();
        complaints.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", complaints);
        return new Chromium(new ChromeDriver(new ChromeDriverService.Builder().usingDriverExecutable(service.orElseThrow()).build(),
                options));
    }

    private static Optional<File> program(String name) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(directory -> Path.of(directory, name)).filter(Files::isExecutable).map(Path::toFile).findFirst();
    }

    void visit(String url) {
        driver.get(url);
    }

    List<WebElement> see(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    /** Texts of what matches, as they are to be read, and all of one moment; empty of what is hidden. */
    List<String> texts(String css) {
        List<?> texts = (List<?>) driver.executeScript(
                "return [...document.querySelectorAll(arguments[0])].map(each => each.checkVisibility() ? each.innerText.replace(/\\s+/g, "
                        + "' ').trim() : '')", css);
        return texts.stream().map(String::valueOf).toList();
    }

    /** Of the first that matches; empty if there is none. */
    String text(String css) {
        return texts(css).stream().findFirst().orElse("");
    }

    String title() {
        return String.valueOf(driver.getTitle());
    }

    void click(String css) {
        until(css, () -> !see(css).isEmpty());
        driver.findElement(By.cssSelector(css)).click();
    }

    /** To what has the focus. */
    void type(CharSequence... keys) {
        driver.switchTo().activeElement().sendKeys(keys);
    }

    /** What has the focus: its id, else the fault that it is for, else its label or its text. Empty if nothing has. */
    String focus() {
        return String.valueOf(driver.executeScript("""
                const it = document.activeElement;
                return !it || it === document.body ? '' : it.id || it.dataset.fault || it.getAttribute('aria-label') || it.innerText.trim();
                """));
    }

    /** All that Tab goes to, from the top to the end. */
    List<String> tabOrder() {
        List<String> order = new ArrayList<>();
        for (type(Keys.TAB); !focus().isEmpty(); type(Keys.TAB)) {
            order.add(focus());
        }
        return order;
    }

    Object ask(String script) {
        return driver.executeScript(script);
    }

    /** Addresses of all that the page has asked for. */
    List<String> asked() {
        List<?> names = (List<?>) driver.executeScript("return performance.getEntriesByType('resource').map(each => each.name)");
        return names.stream().map(String::valueOf).toList();
    }

    /** Waits until this is to be seen. What is looked at may go meanwhile. */
    void until(String what, BooleanSupplier seen) {
        new WebDriverWait(driver, PATIENCE, LOOK)
                .ignoring(StaleElementReferenceException.class, NoSuchElementException.class)
                .withMessage(what)
                .until(look -> seen.getAsBoolean());
    }

    /** What the page did that its policy forbids, what failed, and what it logged, since this was asked for last. */
    List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream().map(LogEntry::toString).toList();
    }

    /** Looks at the whole page on a screen of that width, in {@code light} or {@code dark}. */
    void picture(Path file, int width, int height, String scheme) throws IOException {
        screen(width, height, scheme);
        Object png = driver.executeCdpCommand("Page.captureScreenshot", Map.of("captureBeyondViewport", true)).get("data");
        Files.write(Files.createDirectories(file.toAbsolutePath().getParent()).resolve(file.getFileName()),
                Base64.getDecoder().decode(String.valueOf(png)));
    }

    /** Sets the size of the screen and the colour scheme, {@code light} or {@code dark}. */
    void screen(int width, int height, String scheme) {
        driver.executeCdpCommand("Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        driver.executeCdpCommand("Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
    }

    /**
     * What breaks a rule of WCAG 2.2 A or AA, or a best practice, as axe finds it; empty if nothing does. Waits until nothing
     * on the page moves or fades: nobody has to read a row that is on its way out.
     */
    List<String> barriers() throws IOException {
        until("no animation", () -> ask("return document.getAnimations().length").equals(0L));
        try (InputStream script = Chromium.class.getResourceAsStream("/axe.min.js")) {
            driver.executeScript(new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8));
        }
        List<?> found = (List<?>) driver.executeAsyncScript("""
                const done = arguments[arguments.length - 1];
                axe.run(document, { resultTypes: ["violations"] }).then(
                    result => done(result.violations.flatMap(rule =>
                        rule.nodes.map(node => `${rule.id}: ${node.target} ${node.failureSummary}`))),
                    failed => done([String(failed)]));
                """);
        return found.stream().map(String::valueOf).toList();
    }

    /** Begins to add up how far the page's layout shifts, as browsers do for CLS. A new size that was set before does not count. */
    void countShifts() {
        driver.executeAsyncScript("""
                const done = arguments[arguments.length - 1];
                window.shifts?.disconnect();
                requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => { // both frames are drawn
                    window.shift = 0;
                    window.shifts = new PerformanceObserver(list => list.getEntries().forEach(one => window.shift += one.value));
                    window.shifts.observe({ type: "layout-shift" });
                    done();
                })));
                """);
    }

    /** How far the layout has shifted since {@link #countShifts()}: from 0.1 on it is not good. */
    double shift() {
        return ((Number) ask("return window.shift")).doubleValue();
    }

    /** The colour of a text, or of a border. */
    String style(String css, String property) {
        return String.valueOf(
                driver.executeScript("return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]", css, property));
    }

    /**
     * Another window, which asks for {@code path} from {@code page}, and takes a byte a second of the answer. The present one stays in
     * front.
     *
     * @return which one it is, to {@link #close(String)}
     */
    String openStandingStill(String page, String path) {
        String present = driver.getWindowHandle();
        String other = driver.switchTo().newWindow(WindowType.WINDOW).getWindowHandle();
        driver.get(page);
        driver.executeCdpCommand("Network.enable", Map.of());
        driver.executeCdpCommand("Network.emulateNetworkConditions",
                Map.of("offline", false, "latency", 0, "downloadThroughput", 1, "uploadThroughput", -1));
        driver.executeScript("fetch(arguments[0])", path);
        driver.switchTo().window(present);
        return other;
    }

    void close(String other) {
        String present = driver.getWindowHandle();
        driver.switchTo().window(other).close();
        driver.switchTo().window(present);
    }

    /** An empty tab instead of the present one. */
    void reset() {
        String used = driver.getWindowHandle();
        String fresh = driver.switchTo().newWindow(WindowType.TAB).getWindowHandle();
        driver.switchTo().window(used).close();
        driver.switchTo().window(fresh);
        complaints();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
