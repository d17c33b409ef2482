package io.reactiveinformer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What has to be read of a module: its source files, its lines of code, and its public types. Lines of code are not blank, and
 * neither comment nor import nor package declaration; a text block counts as its first and last line. A module that needs more than its
 * budget takes something away first: see CONTRIBUTING.md.
 */
public record ModuleSize(int files, int code, int publicTypes) {

    private static final Pattern TEXT_BLOCK = Pattern.compile("(?s)\"\"\".*?\"\"\"");
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/");
    private static final Pattern PUBLIC = Pattern.compile("(?m)^public ");

    /** Counts the main code of the module in {@code folder}; {@code .} is the module whose tests run. */
    public static ModuleSize of(String folder) {
        Path sources = Path.of(folder, "src/main/java");
        try (Stream<Path> files = Files.walk(sources)) {
            List<Path> counted = files.filter(ModuleSize::isCounted).toList();
            int code = 0;
            int publicTypes = 0;
            for (Path file : counted) {
                String text = Files.readString(file);
                code += linesOfCode(text);
                publicTypes += PUBLIC.matcher(text).find() && !sources.relativize(file).toString().contains("internal") ? 1 : 0;
            }
            return new ModuleSize(counted.size(), code, publicTypes);
        } catch (IOException failure) {
            throw new AssertionError("the sources of " + sources.toAbsolutePath(), failure);
        }
    }

    private static boolean isCounted(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".java") && !name.equals("package-info.java") && !name.equals("module-info.java");
    }

    static int linesOfCode(String text) {
        String code = COMMENT.matcher(TEXT_BLOCK.matcher(text).replaceAll("\"\""))
                .replaceAll(comment -> "\n".repeat((int) comment.group().lines().count() - 1));
        return (int) code.lines().map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("//") && !line.startsWith("import ") && !line.startsWith("package "))
                .count();
    }

    /** Fails if the module is larger than this budget. */
    public void isBudgetOf(String folder) {
        ModuleSize size = of(folder);
        assertThat(size.files).as("files of %s", folder).isLessThanOrEqualTo(files);
        assertThat(size.code).as("lines of code of %s", folder).isLessThanOrEqualTo(code);
        assertThat(size.publicTypes).as("public types of %s", folder).isLessThanOrEqualTo(publicTypes);
    }
}
