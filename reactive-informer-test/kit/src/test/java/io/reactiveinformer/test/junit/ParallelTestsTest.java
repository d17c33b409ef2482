package io.reactiveinformer.test.junit;

import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.TestClock;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The extension and the clock under JUnit's parallel mode, run by a launcher of our own with four threads. */
@Timeout(180)
class ParallelTestsTest {

    private static final ResourceType<JsonNode> PODS = ResourceType.dynamic("", "v1", "pods");

    private static TestExecutionSummary runInParallel(Class<?>... classes) {
        var summary = new SummaryGeneratingListener();
        var request = LauncherDiscoveryRequestBuilder.request()
                .enableImplicitConfigurationParameters(false) // with random order, JUnit runs the methods of a class in one thread
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.mode.classes.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "4");
        for (Class<?> type : classes) {
            request.selectors(DiscoverySelectors.selectClass(type));
        }
        LauncherFactory.create().execute(request.build(), summary);
        return summary.getSummary();
    }

    private static int list(FakeApiServer server) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) URI.create(server.url() + "/api/v1/pods").toURL().openConnection();
        return connection.getResponseCode();
    }

    /** Has the server for itself: finds its first objects only, and what it does alone. */
    private static void useAlone(FakeApiServer server, int first) throws IOException {
        assertThat(server.objects().list(PODS)).hasSize(first);
        server.faults().onList("pods").times(2).internalError();
        for (int i = 0; i < 5; i++) {
            server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: own-" + i + "},"
                    + " spec: {containers: [{name: c, image: i}]}}");
            assertThat(list(server)).isEqualTo(i < 2 ? 500 : 200);
        }
        assertThat(server.objects().list(PODS)).hasSize(first + 5);
        assertThat(server.requests().all()).hasSize(5);
    }

    static class OneServerForTheClass {
        @FakeCluster("shop.yaml")
        private static FakeApiServer shared;

        @FakeCluster
        private static FakeApiServer another;

        @FakeCluster
        private FakeApiServer own;

        @RepeatedTest(10)
        void usesIt() throws IOException {
            useAlone(shared, 1);
            useAlone(another, 0);
            useAlone(own, 0);
        }

        @Nested
        class Inside {
            @RepeatedTest(2)
            void usesItToo() throws IOException {
                useAlone(shared, 1);
            }
        }
    }

    @Test
    void testsThatShareAServerWaitForEachOther() {
        TestExecutionSummary summary = runInParallel(OneServerForTheClass.class);
        assertThat(summary.getFailures()).isEmpty();
        assertThat(summary.getTestsSucceededCount()).isEqualTo(12);
    }

    @Execution(ExecutionMode.CONCURRENT)
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class OneInstance {
        @FakeCluster("shop.yaml")
        private FakeApiServer server;

        @RepeatedTest(8)
        void usesIt() throws IOException {
            useAlone(server, 1);
        }
    }

    @Test
    void testsOfOneInstanceWaitForEachOther() {
        TestExecutionSummary summary = runInParallel(OneInstance.class);
        assertThat(summary.getFailures()).isEmpty();
        assertThat(summary.getTestsSucceededCount()).isEqualTo(8);
    }

    abstract static class Base {
        @FakeCluster("shop.yaml")
        static FakeApiServer inherited;

        @RepeatedTest(4)
        void usesIt() throws IOException {
            useAlone(inherited, 1);
        }
    }

    static class One extends Base {}

    static class Two extends Base {}

    static class Three extends Base {
        @Nested
        class Inside extends Base {}
    }

    @Test
    void classesThatInheritAServerShareItWhileTheyRun() {
        TestExecutionSummary summary = runInParallel(One.class, Two.class, Three.class);
        assertThat(summary.getFailures()).isEmpty();
        assertThat(summary.getTestsSucceededCount()).isEqualTo(16);
        assertThat(Base.inherited).as("after the last of them").isNull();
    }

    static class WithClocks {
        private static final AtomicInteger CLOCKS = new AtomicInteger();

        @RepeatedTest(8)
        void advancesItsOwn() {
            try (TestClock clock = TestClock.start()) {
                assertThat(CLOCKS.incrementAndGet()).isEqualTo(1);
                var days = new AtomicInteger();
                Mono.delay(Duration.ofDays(1)).repeat().subscribe(day -> days.incrementAndGet());
                for (int day = 1; day <= 20; day++) {
                    clock.advance(Duration.ofDays(1));
                    assertThat(days).hasValue(day);
                }
                CLOCKS.decrementAndGet();
            }
        }
    }

    @Test
    void clocksWaitForEachOther() {
        TestExecutionSummary summary = runInParallel(WithClocks.class);
        assertThat(summary.getFailures()).isEmpty();
        assertThat(summary.getTestsSucceededCount()).isEqualTo(8);
    }

    @Test
    void aClockThatAnEndedThreadLeftOpenIsAFailureAtOnce() throws InterruptedException {
        TestClock[] left = new TestClock[1];
        var thread = new Thread(() -> left[0] = TestClock.start());
        thread.start();
        thread.join();
        try {
            assertThatThrownBy(TestClock::start).isInstanceOf(IllegalStateException.class).hasMessageContaining("close it first");
        } finally {
            left[0].close();
        }
        TestClock.start().close();
    }
}
