package io.reactiveinformer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What Maven prints of tests that passed: a line for each module, and at the end of the whole build the classes that took most. */
public final class TestTimes {

    private static final Pattern ATTRIBUTE = Pattern.compile("([a-z]+)=\"([^\"]*)\"");
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("yyMMddHHmmss");

    /** Of a module's target folder below the root. */
    private static final int DEEPEST = 4;

    private TestTimes() {}

    /** {@code root module start}, or {@code root all start seed}; start as Maven writes it, in UTC. Earlier reports do not count. */
    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]);
        if (arguments[1].equals("all")) {
            System.out.print(all(root, started(arguments[2]), arguments[3]));
        } else {
            System.out.print(module(root, Path.of(arguments[1]), started(arguments[2])));
        }
        System.out.flush();
    }

    /** Of what ran since the last call: unit tests in one phase, integration tests in a later one. */
    static String module(Path root, Path module, FileTime start) throws IOException {
        Path target = module.resolve("target");
        Path marker = target.resolve("tests-reported");
        FileTime since = Files.exists(marker) && Files.getLastModifiedTime(marker).compareTo(start) > 0
                ? Files.getLastModifiedTime(marker) : start;
        List<Tests> tests = reports(target).filter(report -> modified(report).compareTo(since) > 0)
                .map(report -> read(root, report)).toList();
        if (tests.isEmpty()) {
            return "";
        }
        Files.write(marker, new byte[0]);
        Tests slowest = tests.stream().max(Comparator.comparingDouble(Tests::seconds)).orElseThrow();
        return String.format(Locale.ROOT, "%-36s %s; slowest: %s%n", root.relativize(module), summary(tests), slowest);
    }

    static String all(Path root, FileTime start, String seed) throws IOException {
        List<Tests> tests;
        try (Stream<Path> folders = Files.find(root, DEEPEST, (path, about) -> about.isDirectory() && path.endsWith("target"))) {
            tests = folders.flatMap(TestTimes::reports).filter(report -> modified(report).compareTo(start) > 0)
                    .map(report -> read(root, report)).toList();
        }
        if (tests.isEmpty()) {
            return "";
        }
        String slowest = tests.stream().sorted(Comparator.comparingDouble(Tests::seconds).reversed()).limit(10)
                .map(each -> String.format(Locale.ROOT, "%8.0f s  %s in %s%n", each.seconds, each.name, each.module))
                .collect(Collectors.joining());
        return "%nAll modules: %s, seed %s. The slowest classes:%n%s".formatted(summary(tests), seed, slowest);
    }

    static FileTime started(String time) {
        return FileTime.from(LocalDateTime.parse(time.substring(0, 12), SECONDS).toInstant(ZoneOffset.UTC));
    }

    private static String summary(List<Tests> tests) {
        int count = tests.stream().mapToInt(Tests::count).sum();
        int skipped = tests.stream().mapToInt(Tests::skipped).sum();
        double seconds = tests.stream().mapToDouble(Tests::seconds).sum();
        return String.format(Locale.ROOT, "%,d tests%s, %.0f s", count, skipped == 0 ? "" : ", " + skipped + " skipped", seconds);
    }

    /** Of Surefire and Failsafe, whose folders have names that end so. */
    private static Stream<Path> reports(Path target) {
        return files(target, "*-reports").stream().flatMap(folder -> files(folder, "TEST-*.xml").stream());
    }

    private static List<Path> files(Path folder, String names) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (var files = Files.newDirectoryStream(folder, names)) {
            return StreamSupport.stream(files.spliterator(), false).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FileTime modified(Path report) {
        try {
            return Files.getLastModifiedTime(report);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Tests read(Path root, Path report) {
        try (var lines = Files.lines(report)) {
            String suite = lines.filter(line -> line.contains("<testsuite ")).findFirst().orElse("");
            Map<String, String> has = new HashMap<>();
            ATTRIBUTE.matcher(suite).results().forEach(found -> has.put(found.group(1), found.group(2)));
            String name = has.getOrDefault("name", "");
            Path module = root.relativize(report.getParent().getParent().getParent());
            return new Tests(module.toString(), name.substring(name.lastIndexOf('.') + 1), number(has, "tests"), number(has, "skipped"),
                    new BigDecimal(has.getOrDefault("time", "0").replace(",", "")).doubleValue());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int number(Map<String, String> has, String name) {
        return Integer.parseInt(has.getOrDefault(name, "0"));
    }

    private record Tests(String module, String name, int count, int skipped, double seconds) {

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%s %.0f s", name, seconds);
        }
    }
}
