package io.reactiveinformer.test.junit;

import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Classes that use the extension, run by a launcher of our own, since some of their tests are to fail. */
class FakeClusterReportTest {

    private static final ResourceType<JsonNode> PODS = ResourceType.dynamic("", "v1", "pods");
    private static final String POD = "{apiVersion: v1, kind: Pod, metadata: {name: first}, spec: {containers: [{name: c, image: i}]}}";

    static TestExecutionSummary run(Class<?>... classes) {
        var summary = new SummaryGeneratingListener();
        var request = LauncherDiscoveryRequestBuilder.request();
        for (Class<?> type : classes) {
            request.selectors(DiscoverySelectors.selectClass(type));
        }
        LauncherFactory.create().execute(request.build(), summary);
        return summary.getSummary();
    }

    private static void get(FakeApiServer server, String path) throws IOException {
        try (InputStream body = URI.create(server.url() + path).toURL().openStream()) {
            body.readAllBytes();
        }
    }

    static class Failing {
        @FakeCluster
        private static FakeApiServer shared;

        @FakeCluster
        private FakeApiServer own;

        @Test
        void fails() throws IOException {
            own.faults().onList("pods").internalError();
            get(shared, "/api/v1/namespaces/default/configmaps");
            get(own, "/api/v1/pods");
        }
    }

    @Test
    void attachesTheServersLogToAFailure() {
        var failures = run(Failing.class).getFailures();
        assertThat(failures).hasSize(1);
        Throwable failure = failures.get(0).getException();
        assertThat(failure).isInstanceOf(IOException.class);
        assertThat(failure.getSuppressed()).hasSize(2);
        assertThat(failure.getSuppressed()[0])
                .hasMessageStartingWith("log of http://127.0.0.1:")
                .hasMessageFindingMatch("\\d\\.\\d{3} s  list pods: 500")
                .hasMessageContaining("s  fault: list pods 500");
        assertThat(failure.getSuppressed()[1]).hasMessageContaining("list configmaps in default: 200");
    }

    static class Given {
        static final List<FakeApiServer> SERVERS = new ArrayList<>();

        @FakeCluster
        private final FakeApiServer server = FakeApiServer.builder().tls().with(POD).build();

        @Test
        void has_what_it_was_made_with() {
            SERVERS.add(server);
            assertThat(server.url()).startsWith("https://");
            assertThat(server.objects().list(PODS)).hasSize(1);
        }
    }

    @Test
    void startsAndStopsAServerThatTheTestMade() {
        assertThat(run(Given.class).getTotalFailureCount()).isZero();
        assertThat(Given.SERVERS).singleElement()
                .satisfies(server -> assertThat(org.assertj.core.api.Assertions.catchThrowable(server::start))
                .hasMessage("this server was closed; make another one"));
    }

    static class Constructed {
        static final List<FakeApiServer> SERVERS = new ArrayList<>();

        Constructed(@FakeCluster FakeApiServer server) {
            SERVERS.add(server);
        }

        @Test
        void one() {
            onlyTheLastIsOpen();
        }

        @Test
        void another() {
            onlyTheLastIsOpen();
        }

        private static void onlyTheLastIsOpen() {
            assertThat(SERVERS.subList(0, SERVERS.size() - 1)).allSatisfy(server ->
                    assertThat(org.assertj.core.api.Assertions.catchThrowable(server::start))
                            .hasMessage("this server was closed; make another one"));
            assertThat(SERVERS.get(SERVERS.size() - 1).url()).isNotEmpty();
        }
    }

    @Test
    void aServerThatAnInstanceIsMadeWithEndsWithIt() {
        assertThat(run(Constructed.class).getFailures()).isEmpty();
        assertThat(Constructed.SERVERS).hasSize(2);
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class OneInstance {
        @FakeCluster("shop.yaml")
        private FakeApiServer server;

        private String url;

        @BeforeEach
        void same() {
            url = url == null ? server.url() : url;
            assertThat(server.url()).isEqualTo(url);
            assertThat(server.objects().list(PODS)).hasSize(1);
            server.objects().create(POD);
        }

        @Test
        void one() {}

        @Test
        void another() {}

        @Nested
        class Inside {
            @Test
            void third() {
                assertThat(server.url()).isEqualTo(url);
            }
        }
    }

    @Test
    void emptiesTheServerOfAnInstanceThatIsForAllTests() {
        TestExecutionSummary summary = run(OneInstance.class);
        assertThat(summary.getFailures()).isEmpty();
        assertThat(summary.getTestsSucceededCount()).isEqualTo(3);
    }

    abstract static class Base {
        @FakeCluster
        static FakeApiServer inherited;

        @Test
        void listens() throws IOException {
            get(inherited, "/api/v1/pods");
        }
    }

    static class OneOfTwo extends Base {}

    static class TheOther extends Base {}

    @Test
    void givesEachClassItsOwnServerInAnInheritedField() {
        assertThat(run(OneOfTwo.class, TheOther.class).getFailures()).isEmpty();
    }
}
