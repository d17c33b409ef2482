package io.reactiveinformer.test.scale;

import io.reactiveinformer.Rounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** What a fake server must be able to hold and to serve, with its clients in the same process. */
@Timeout(300)
@Tag("long")
class ServerFiguresTest {

    @BeforeAll
    static void onlyWhereThereIsTime() {
        Rounds.assumeThorough();
    }

    @Test
    void servesFiftyThousandObjectsToAThousandWatches() throws IOException {
        ChildJvm.Result result = ChildJvm.run(ServerFigures.class, List.of("-Xmx512m"), Duration.ofMinutes(4), "50000", "1000");

        Files.writeString(Files.createDirectories(Path.of("target")).resolve("server-figures.txt"), result.output());
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(Integer.parseInt(result.value("start-millis")))
                .as("milliseconds to start, once the classes are loaded; the median of nine").isLessThan(300);
        assertThat(result.value("listed")).isEqualTo("50000");
        assertThat(result.value("open")).isEqualTo("true");
        assertThat(result.value("received")).as(result.output()).isEqualTo("true");
    }
}
