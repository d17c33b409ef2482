package io.reactiveinformer.test.scale;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a main class in a JVM of its own, on this class path. */
public final class ChildJvm {

    /** @param exitCode -1 if it did not end in time */
    public record Result(int exitCode, String output) {

        /** The rest of the line that begins with {@code name}. */
        public String value(String name) {
            return output.lines().filter(line -> line.startsWith(name + " ")).map(line -> line.substring(name.length() + 1)).findFirst()
                    .orElseThrow(() -> new AssertionError("no line \"" + name + " …\" in the output:\n" + output));
        }
    }

    private ChildJvm() {}

    public static Result run(Class<?> main, List<String> flags, Duration limit, String... arguments) {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                main.getName()));
        command.addAll(List.of(arguments));
        try {
            Path output = Files.createTempFile("child-jvm", ".log");
            try {
                Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
                boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
                if (!ended) {
                    process.destroyForcibly().waitFor();
                }
                return new Result(ended ? process.exitValue() : -1, Files.readString(output));
            } finally {
                Files.delete(output);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + main.getSimpleName() + " ran", stopped);
        }
    }
}
