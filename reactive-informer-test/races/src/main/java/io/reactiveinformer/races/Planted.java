package io.reactiveinformer.races;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/**
 * Plants a race in a copy of a class of the library, and plays the tests that have to find it: for each of {@code
 * planted.txt}. The sources stay as they are; the changed class precedes the library on the class path of a JVM of
 * its own.
 */
public final class Planted {

    private static final Path PLANTED = Path.of("src/main/planted.txt");

    /** @param test a regular expression of the names of the tests that have to find it */
    private record Plant(String name, String file, String test, String text, String instead) {

        static Plant of(String section) {
            String[] parts = section.split("\n----\n", -1);
            String[] head = parts[0].split("\n", -1);
            if (parts.length != 3 || head.length != 3) {
                throw new IllegalStateException(
                        "three lines, the text and what replaces it are a plant, not this: " + section);
            }
            return new Plant(head[0], head[1], head[2], parts[1], parts[2].stripTrailing());
        }
    }

    private Planted() {}

    /**
     * @param args the folder of the build, a regular expression of the names of plants, and for how many seconds to
     * look for each
     */
    public static void main(String[] args) throws Exception {
        Path target = Path.of(args[0]);
        Path module = target.resolveSibling("").toAbsolutePath();
        Pattern wanted = Pattern.compile(args[1]);
        int missed = 0;
        int all = 0;
        String text = Files.readString(module.resolve(PLANTED));
        for (String section : text.substring(text.indexOf("====\n") + 5).split("\n====\n")) {
            Plant plant = Plant.of(section);
            if (wanted.matcher(plant.name).find()) {
                all++;
                missed += find(plant, module, target, args[2]) ? 0 : 1;
            }
        }
        System.out.printf("%d planted races, %d not found%n", all, missed);
        System.exit(missed == 0 && all > 0 ? 0 : 1);
    }

    private static boolean find(Plant plant, Path module, Path target, String seconds)
            throws IOException, InterruptedException {
        Path changed = target.resolve("planted").resolve(plant.name.replaceAll("\\W+", "-"));
        compile(plant, module, changed);
        Path output = changed.resolve("output.txt");
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process tests = new ProcessBuilder(java.toString(), "-Xmx1g", "-cp",
                changed + File.pathSeparator + System.getProperty("java.class.path"),
                Races.class.getName(), target.toString(), plant.test, seconds)
                .redirectErrorStream(true).redirectOutput(output.toFile()).start();
        boolean ended = tests.waitFor(Long.parseLong(seconds) + 120, TimeUnit.SECONDS);
        if (!ended) {
            tests.destroyForcibly();
        }
        String said = Files.readString(output);
        List<String> race = said.lines().dropWhile(line -> !line.startsWith("A race")).limit(2).map(String::strip)
                .toList();
        boolean found = ended && tests.exitValue() == 1 && !race.isEmpty();
        String how = found ? ": " + String.join(" ", race) : "; see " + output;
        System.out.println((found ? "found   " : "MISSED  ") + plant.name + how);
        return found;
    }

    private static void compile(Plant plant, Path module, Path changed) throws IOException {
        Path original = module.resolve("../../reactive-informer").resolve(plant.file).normalize();
        String source = Files.readString(original);
        int at = source.indexOf(plant.text);
        if (at < 0 || source.indexOf(plant.text, at + 1) >= 0) {
            throw new IllegalStateException(
                    plant.name + ": this is to be once in " + original + ", and is not:\n" + plant.text);
        }
        Path copy = changed.resolve(original.getFileName());
        Files.createDirectories(changed);
        Files.writeString(copy, source.substring(0, at) + plant.instead + source.substring(at + plant.text.length()),
                StandardCharsets.UTF_8);
        int status = ToolProvider.getSystemJavaCompiler().run(null, null, null,
                "-nowarn", "-proc:none", "-XDstringConcat=inline",
                "-cp", System.getProperty("java.class.path"), "-d", changed.toString(), copy.toString());
        if (status != 0) {
            throw new IllegalStateException(plant.name + ": what is planted does not compile: " + copy);
        }
    }
}
