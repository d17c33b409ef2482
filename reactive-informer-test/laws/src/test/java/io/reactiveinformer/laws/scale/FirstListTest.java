package io.reactiveinformer.laws.scale;

import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.scale.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What a process loads until it has listed its first pods and watches them: most of the time of a cold start is that of classes. */
@Timeout(120)
class FirstListTest {

    /** Of our own, in JSON and in protocol buffers: 258 and 283, when they were counted. */
    private static final int FUNCTIONS = 290;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void loadsOnlyWhatItNeeds(boolean protobuf, @TempDir Path directory) throws Exception {
        try (FakeApiServer server = FakeApiServer.create().start()) {
            server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop},"
                    + " spec: {containers: [{name: main, image: i, resources: {limits: {cpu: 500m}}}]}}");
            Path log = directory.resolve("loaded.txt"); // apart from what is printed, which may come in the middle of a line
            ChildJvm.Result result = ChildJvm.run(FirstList.class,
                    List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xlog:class+load:file=" + log),
                    Duration.ofMinutes(1), server.url(), Boolean.toString(protobuf));
            assertThat(result.exitCode()).as(result.output()).isZero();
            assertThat(result.value("objects")).isEqualTo("1");
            List<String> loaded = Files.readAllLines(log).stream().filter(line -> line.contains("[class,load] "))
                    .map(line -> line.replaceFirst(".*\\[class,load] (\\S+).*", "$1")).toList();
            assertThat(loaded).as("Jackson's own readers of classes").hasSizeGreaterThan(1000)
                    .doesNotContain("tools.jackson.databind.deser.bean.BeanDeserializerBase", "tools.jackson.core.json.JsonFactory");
            assertThat(loaded).as("what asks name servers, for a server named by its address")
                    .doesNotContain("io.netty.resolver.dns.DnsNameResolver");
            assertThat(loaded.contains("io.reactiveinformer.internal.protobuf.Messages")).as("the table of messages").isEqualTo(protobuf);
            assertThat(loaded.stream().filter(name -> name.startsWith("io.reactiveinformer.") && name.contains("$$Lambda")).count())
                    .as("functions of ours").isLessThanOrEqualTo(FUNCTIONS);
        }
    }
}
