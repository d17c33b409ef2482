package io.reactiveinformer.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A program with the class path of this test, its output read line by line. */
public final class JavaProcess implements AutoCloseable {

    private final Process process;
    private final Path err;
    private final BufferedReader out;
    private final List<String> read = new ArrayList<>();

    private JavaProcess(Process process, Path err) {
        this.process = process;
        this.err = err;
        this.out = process.inputReader(StandardCharsets.UTF_8);
    }

    public static JavaProcess start(Path directory, List<String> options, String classPath, String mainClass, String... args)
            throws IOException {
        return start(directory, Map.of(), options, classPath, mainClass, args);
    }

    /** With more in its environment. */
    static JavaProcess start(Path directory, Map<String, String> environment, List<String> options,
            String classPath, String mainClass, String... args)
            throws IOException {
        Path err = Files.createTempFile(directory, "stderr", ".txt");
        var command = new ArrayList<String>();
        if (ignoresInterrupts()) {
            command.addAll(List.of("env", "--default-signal=INT")); // as ./informer does
        }
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1"));
        if (Runtime.version().feature() >= 24) { // as ./informer does: newer JDKs warn of what Netty does
            command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        }
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, mainClass));
        command.addAll(List.of(args));
        var builder = new ProcessBuilder(command).redirectError(err.toFile());
        builder.environment().putAll(environment);
        return new JavaProcess(builder.start(), err);
    }

    /** As what a script starts in the background does, and all that this starts. */
    private static boolean ignoresInterrupts() throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(status) && Files.readAllLines(status).stream()
                .anyMatch(line -> line.startsWith("SigIgn:") && (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 1 << 1) != 0);
    }

    /** Surefire hides the real one in a jar of its own. */
    public static String ownClassPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** Reads on to such a line, and gives it. The test's time limit ends a wait in vain. */
    String await(Predicate<String> wanted) throws IOException {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            read.add(line);
            if (wanted.test(line)) {
                return line;
            }
        }
        throw new AssertionError("it ended after " + read + " and " + err());
    }

    /** All lines, when it has ended by itself. */
    List<String> toTheEnd() throws IOException {
        out.lines().forEach(read::add);
        return List.copyOf(read);
    }

    public void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    }

    void closeOut() throws IOException {
        out.close();
    }

    int exitCode() throws InterruptedException {
        return process.waitFor();
    }

    boolean goesOn() throws InterruptedException {
        return !process.waitFor(200, TimeUnit.MILLISECONDS);
    }

    public String err() throws IOException {
        return Files.readString(err);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
