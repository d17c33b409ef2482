package io.reactiveinformer.benchmarks.readers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A process of the comparison: answers each line on its standard input with a line that begins with {@code @}. */
final class Child implements AutoCloseable {

    private final Process process;
    private final PrintStream questions;
    private final BufferedReader answers;
    private final String hello;

    /** Waits until it is ready. */
    Child(String heap, Class<?> main, Object... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"), heap, "-cp", System.getProperty("java.class.path"), main.getName()));
        Arrays.stream(arguments).map(String::valueOf).forEach(command::add);
        process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        questions = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        answers = process.inputReader(StandardCharsets.UTF_8);
        hello = answer();
    }

    /** What it said when it was ready. */
    String hello() {
        return hello;
    }

    String ask(String question) throws IOException {
        questions.println(question);
        return answer();
    }

    private String answer() throws IOException {
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith("@")) {
                return line.substring(1);
            }
        }
        throw new IOException("a process of the comparison ended: " + process.info());
    }

    /** Processor time so far. */
    Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Bytes that it has written so far, to files and connections. */
    long written() {
        try {
            return Files.readAllLines(Path.of("/proc/" + process.pid() + "/io")).stream()
                    .filter(line -> line.startsWith("wchar:"))
                    .mapToLong(line -> Long.parseLong(line.substring("wchar:".length()).strip()))
                    .sum();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
