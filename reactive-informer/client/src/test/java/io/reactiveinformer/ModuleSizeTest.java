package io.reactiveinformer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The count that budgets of modules are in. */
class ModuleSizeTest {

    @TempDir
    private Path module;

    @Test
    void linesThatSayNothingToTheCompilerDoNotCount() {
        assertThat(ModuleSize.linesOfCode("""
                package a;

                import java.util.List;

                /** A
                 * comment. */
                // another
                class A { /* and
                    one */
                    String text = \"\"\"
                            of
                            three lines \"\"\";
                }
                """)).as("the class, its field, its end").isEqualTo(3);
    }

    @Test
    void aModuleThatOutgrowsItsBudgetIsRefused() throws IOException {
        Path folder = Files.createDirectories(module.resolve("src/main/java/a/internal"));
        Files.writeString(folder.resolve("B.java"), "package a.internal;\npublic class B {}\n");
        Files.writeString(folder.getParent().resolve("A.java"), "package a;\npublic class A {\n}\n");
        Files.writeString(folder.resolve("package-info.java"), "package a.internal;\n");
        assertThat(ModuleSize.of(module.toString())).isEqualTo(new ModuleSize(2, 3, 1));
        new ModuleSize(2, 3, 1).isBudgetOf(module.toString());
        assertThatThrownBy(() -> new ModuleSize(1, 3, 1).isBudgetOf(module.toString())).isInstanceOf(AssertionError.class)
                .hasMessageContaining("files of");
        assertThatThrownBy(() -> new ModuleSize(2, 2, 1).isBudgetOf(module.toString())).hasMessageContaining("lines of code of");
        assertThatThrownBy(() -> new ModuleSize(2, 3, 0).isBudgetOf(module.toString())).hasMessageContaining("public types of");
    }
}
