package io.reactiveinformer.internal.operator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class HostNameTest {

    @TempDir
    Path directory;

    private String found(Map<String, String> environment) {
        return HostName.orElse("unknown", environment::get, directory.resolve("hostname"));
    }

    @Test
    void theFirstNameThatIsSetCounts() throws IOException {
        assertThat(found(Map.of())).isEqualTo("unknown");
        assertThat(found(Map.of("COMPUTERNAME", "DESK"))).isEqualTo("DESK");
        Files.writeString(directory.resolve("hostname"), "web-7\n");
        assertThat(found(Map.of("COMPUTERNAME", "DESK"))).isEqualTo("web-7");
        assertThat(found(Map.of("HOSTNAME", "pod-1"))).isEqualTo("pod-1");
        assertThat(found(Map.of("HOSTNAME", ""))).as("an empty name is none").isEqualTo("web-7");
    }

    @Test
    void anEmptyFileNamesNoHost() throws IOException {
        Files.writeString(directory.resolve("hostname"), "\n");
        assertThat(found(Map.of())).isEqualTo("unknown");
    }
}
