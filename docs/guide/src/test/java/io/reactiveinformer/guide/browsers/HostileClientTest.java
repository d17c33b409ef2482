package io.reactiveinformer.guide.browsers;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.spring.RowStream;
import io.reactiveinformer.test.TestView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients that mean harm, all at once, while others are served: slow ones, ones that connect again and again, half a request, forged
 * positions, other selections each time, a header of a megabyte, no name. For 12 seconds in the thorough build; for longer with
 * {@code ./mvnw -pl docs/guide test -Pthorough -Dtest=HostileClientTest -Dhostile.minutes=10}, which prints what was done and what it cost.
 */
@Tag("thorough")
class HostileClientTest {

    private static final double MINUTES = Double.parseDouble(System.getProperty("hostile.minutes", "0.2"));
    private static final int PODS = 200;
    private static final String BYE = " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n";

    private ConfigurableApplicationContext application;
    private TestView<ObjectKey, V1Pod> pods;
    private RowStream stream;
    private int port;

    private final Map<String, AtomicLong> counts = new ConcurrentSkipListMap<>();
    private final ConcurrentLinkedQueue<Object> wrong = new ConcurrentLinkedQueue<>();
    private final List<Socket> open = new ArrayList<>(); // each with another selection
    private final List<Thread> threads = new ArrayList<>();
    private final AppenderBase<ILoggingEvent> log = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            boolean ofTheRow = event.getFormattedMessage().startsWith("the function of a map view threw"); // once, with where it threw
            if (count("lines in the log of " + event.getLoggerName()) > (ofTheRow ? 1 : 20)
                    || event.getThrowableProxy() != null && !ofTheRow) {
                wrong.add("logged: " + event);
            }
        }
    };
    private volatile boolean attacking = true;
    private volatile boolean serving = true;
    private volatile String ofJoe = "";

    @BeforeEach
    @Timeout(300)
    void start() {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        log.start();
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).addAppender(log);
        // Reactor Netty warns of each request that is too large, or ends too early, before our code sees it.
        ((Logger) LoggerFactory.getLogger("reactor.netty.http.server.HttpServerOperations")).setLevel(Level.ERROR);
        application = SpringApplication.run(HostileConsole.class, "--server.port=0", "--spring.main.banner-mode=off",
                "--reactive-informer.enabled=false");
        port = Integer.parseInt(application.getEnvironment().getProperty("local.server.port"));
        stream = application.getBean(RowStream.class);
        pods = podsOf(application);
        for (int i = 0; i < PODS; i++) {
            change(i, "Pending");
        }
        pods.sync();
    }

    @SuppressWarnings("unchecked")
    private static TestView<ObjectKey, V1Pod> podsOf(ConfigurableApplicationContext application) {
        return application.getBean(TestView.class);
    }

    @AfterEach
    void stop() throws Exception {
        attacking = false;
        serving = false;
        application.close();
        for (Thread thread : threads) {
            thread.join(10_000);
        }
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).detachAppender(log);
        ((Logger) LoggerFactory.getLogger("reactor.netty.http.server.HttpServerOperations")).setLevel(null);
        System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
    }

    /** One in ten cannot be written, and one in ten has a name that is made to be two events. */
    private void change(int i, String phase) {
        String name = i % 10 == 0 ? "bad-" + i : i % 10 == 1 ? "p" + i + "\n\nevent: gone\ndata: {}\r\n" : "p" + i;
        HostileConsole.put(pods, i % 2 == 0 ? "shop" : "bank", name, phase);
    }

    private long count(String what) {
        return counts.computeIfAbsent(what, one -> new AtomicLong()).incrementAndGet();
    }

    private interface Attack {

        void once(Random random) throws Exception;
    }

    private void attack(int times, Attack attack) {
        for (int i = 0; i < times; i++) {
            var random = new Random(i);
            thread(() -> {
                while (attacking) {
                    try {
                        attack.once(random);
                    } catch (IOException refused) {
                        count("connections that the server ended");
                    }
                }
            });
        }
    }

    private void thread(Body body) {
        var thread = new Thread(() -> {
            try {
                body.run();
            } catch (Exception | AssertionError failure) {
                wrong.add(failure);
            }
        }, "hostile");
        threads.add(thread);
        thread.start();
    }

    private interface Body {

        void run() throws Exception;
    }

    /** With a small window, and without the wait of a closed connection. */
    private Socket ask(String text) throws IOException {
        var socket = new Socket();
        socket.setReceiveBufferSize(4_096);
        socket.setSoLinger(true, 0);
        socket.setSoTimeout(30_000);
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
            return socket;
        } catch (IOException refused) {
            socket.close();
            throw refused;
        }
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8), 1_024);
    }

    /** The status, and the first event of an answer. */
    private String answer(Socket socket) throws IOException {
        BufferedReader lines = reader(socket);
        String first = lines.readLine();
        if (first == null) {
            throw new IOException("no answer");
        }
        String status = first.substring(9, 12);
        count("answers " + status);
        if (!List.of("200", "400", "401", "413", "414", "431", "503").contains(status)) {
            wrong.add(first);
        }
        while (status.equals("200")) {
            String line = lines.readLine();
            if (line == null) {
                throw new IOException("no event");
            } else if (line.startsWith("event:") && !line.equals("event:pulse")) {
                return line;
            }
        }
        return status;
    }

    private static String get(String query, String user, String further) {
        return "GET /pods/stream" + query + BYE + "X-User: " + user + "\r\n" + further + "\r\n";
    }

    private void once(String request, String... expected) throws IOException {
        try (Socket socket = ask(request)) {
            String answer = answer(socket);
            if (!List.of(expected).contains(answer)) {
                wrong.add(answer + " for " + request.substring(0, Math.min(200, request.length())));
            }
        }
    }

    private void attackWithAll() {
        String large = "x".repeat(1_000_000);
        attack(2, random -> once(get("", "shop", ""), "event:reset", "503"));
        attack(1, random -> {
            for (int i = 0; i < 20; i++) { // then waits for an answer, or nobody else would come through
                ask(get("", "bank", "")).close();
                count("requests cancelled at once");
            }
            once(get("", "shop", ""), "event:reset", "503");
        });
        attack(1, random -> {
            String[] forged = {ofJoe, "a.b.c", "-1", "1.2.3.4.5", "00000000.9223372036854775807", ofJoe + "9", "\u00e9",
                    ofJoe.replaceAll("\\.\\d+$", "." + random.nextInt(1_000_000)), "x".repeat(random.nextInt(4_000))};
            String id = forged[random.nextInt(forged.length)];
            once(get("", "shop", "Last-Event-ID: " + id + "\r\n"), "event:reset", "503");
            once(get("?lastEventId=%0A%0Adata:" + random.nextInt(), "shop", ""), "event:reset", "503");
            Thread.sleep(5);
        });
        attack(1, random -> {
            once(get("", "shop", "Last-Event-ID: " + large + "\r\n"), "413", "431");
            once(get("?lastEventId=" + large, "shop", ""), "413", "414", "431");
            Thread.sleep(100);
        });
        attack(1, random -> {
            open.add(ask(get("?labels=app!=x" + random.nextInt(), "shop", "")));
            answer(open.get(open.size() - 1));
            if (open.size() > 2 * HostileConsole.SELECTIONS) {
                closeOpen();
            }
            Thread.sleep(20);
        });
        attack(1, random -> {
            once(get("?labels=a+in+(%0A" + random.nextInt(), "shop", ""), "400");
            once(get("?namespace=a%0Ab", "shop", ""), "400");
            once(get("", "", ""), "401");
            once("GET /pods/stream" + BYE + "\r\n", "401");
            Thread.sleep(20);
        });
        attack(1, random -> {
            try (Socket half = ask("GET /pods/stream HTTP/1.1\r\nHost: a\r\nX-User: sh"); Socket none = ask("")) {
                count("half requests");
                Thread.sleep(200);
                assertThat(none.isConnected()).isTrue();
                half.shutdownOutput();
                Thread.sleep(50);
            }
        });
        attack(30, random -> {
            try (Socket slow = ask(get("", random.nextBoolean() ? "shop" : "bank", ""))) {
                for (int i = 0; i < 60 && attacking; i++) {
                    count("bytes that slow ones read");
                    slow.getInputStream().read();
                    Thread.sleep(1_000);
                }
            }
        });
    }

    private void closeOpen() throws IOException {
        for (Socket one : open) {
            one.close();
        }
        open.clear();
    }

    /** As a page: its table, by the text of the key. */
    private Map<String, String> serve(String user) {
        Map<String, String> table = new ConcurrentHashMap<>();
        thread(() -> {
            try (Socket socket = ask(get("", user, ""))) {
                BufferedReader lines = reader(socket);
                String event = "";
                for (String line = lines.readLine(); line != null && serving; line = lines.readLine()) {
                    if (line.startsWith("event:")) {
                        event = line.substring(6);
                    } else if (line.startsWith("id:") && user.equals("bank")) {
                        ofJoe = line.substring(3);
                    } else if (line.startsWith("data:") && event.equals("reset")) {
                        table.clear();
                    } else if (line.startsWith("data:") && event.equals("row")) {
                        table.put(line.substring(5, line.indexOf(",\"row\":")), line.substring(line.indexOf("\"row\":")));
                    } else if (line.startsWith("data:") && event.equals("gone")) {
                        table.remove(line.substring(5, line.length() - 1));
                    }
                }
                assertThat(serving).as("a healthy one is served until the end").isFalse();
            }
        });
        return table;
    }

    private Map<String, String> expected(String namespace) {
        Map<String, String> rows = new TreeMap<>();
        pods.snapshot().forEach((key, pod) -> {
            if (namespace.equals(key.namespace()) && !key.name().startsWith("bad")) {
                rows.put("{\"key\":\"" + key.toString().replace("\n", "\\n").replace("\r", "\\r") + "\"",
                        "\"row\":{\"phase\":\"" + pod.object().getStatus().getPhase() + "\"}}");
            }
        });
        return rows;
    }

    private static void until(String what, Duration limit, BooleanSupplier holds) throws InterruptedException {
        long begun = System.nanoTime();
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime() - begun).as(what).isLessThan(limit.toNanos());
            Thread.sleep(10);
        }
    }

    private static long heap() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(100);
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1_000_000;
    }

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void healthyBrowsersAreServedWhateverOthersDo() throws Exception {
        Map<String, String> jane = serve("shop");
        Map<String, String> joe = serve("bank");
        until("both are served", Duration.ofSeconds(20), () -> jane.equals(expected("shop")) && joe.equals(expected("bank")));
        int followers = pods.subscribers().size();
        attackWithAll();
        var random = new Random(1);
        long begun = System.nanoTime();
        long end = begun + (long) (MINUTES * 60e9);
        List<Long> heaps = new ArrayList<>();
        long slowest = 0;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 400; i++) {
                if (i % 40 == 0) {
                    pods.remove(ObjectKey.of("shop", "p" + (2 + 10 * random.nextInt(PODS / 10))));
                }
                change(random.nextInt(PODS), "phase " + random.nextInt());
                Thread.sleep(5);
            }
            long changed = System.nanoTime();
            until("the right table of each, in the midst of all", Duration.ofSeconds(10),
                    () -> jane.equals(expected("shop")) && joe.equals(expected("bank")));
            slowest = Math.max(slowest, System.nanoTime() - changed);
            heaps.add(heap());
            assertThat(wrong).isEmpty();
        }
        int most = ManagementFactory.getThreadMXBean().getThreadCount();
        attacking = false;
        for (Thread thread : threads.subList(2, threads.size())) {
            thread.join(40_000);
        }
        closeOpen();
        until("all others are gone", Duration.ofSeconds(60), () -> stream.subscribers() == 2);
        until("their memories are gone", HostileConsole.RETENTION.multipliedBy(4), () -> pods.subscribers().size() == followers);
        counts.put("followers of the view", new AtomicLong(followers));
        System.out.println("hostile: " + MINUTES + " minutes; " + counts + "; slowest table " + slowest / 1_000_000
                + " ms; heap in MB, each "
                + "round: " + heaps.get(0) + " to " + heaps.get(heaps.size() - 1) + ", most " + heaps.stream().max(Long::compare).get()
                + ", at the end " + heap() + "; threads " + most + " to " + ManagementFactory.getThreadMXBean().getThreadCount());
        assertThat(heap()).as("heap in MB").isLessThan(heaps.get(0) + 30);
        assertThat(heaps.get(heaps.size() - 1)).as("heap in MB, while all attack").isLessThan(heaps.get(0) + 60);
        assertThat(ManagementFactory.getThreadMXBean().getThreadCount()).isLessThan(most - 30);
        assertThat(jane).isEqualTo(expected("shop"));
        once(get("?labels=app%3Dweb", "shop", ""), "event:reset");
        assertThat(wrong).isEmpty();
        assertThat(counts).containsKeys("answers 200", "answers 400", "answers 401", "answers 503", "half requests");
    }
}
