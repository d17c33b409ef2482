package io.reactiveinformer.warmstart;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Snapshots in files. */
class SnapshotDirectoryTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    private Path home;

    private static Flux<ByteBuffer> text(String... pieces) {
        return Flux.fromArray(pieces).map(piece -> ByteBuffer.wrap(piece.getBytes(StandardCharsets.UTF_8)));
    }

    private Path directory() {
        return home.resolve("not").resolve("there");
    }

    private WarmStartStorage store() {
        return WarmStartStorage.inDirectory(directory());
    }

    private String loaded(String name) {
        return store().load(name).map(piece -> StandardCharsets.UTF_8.decode(piece).toString())
                .collect(Collectors.joining()).block(PATIENCE);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(directory())) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void keepsWhatWasSavedLast() throws IOException {
        assertThat(loaded("pods")).isEmpty();
        store().save("pods", text("o", "ne")).block(PATIENCE);
        assertThat(loaded("pods")).isEqualTo("one");

        store().save("pods", text("two")).block(PATIENCE);
        store().save("nodes", text("three")).block(PATIENCE);
        assertThat(loaded("pods")).isEqualTo("two");
        assertThat(files()).containsExactly("nodes", "pods");
    }

    @Test
    void keepsTheFormerWhereTheNewOneCannotBeHad() {
        store().save("pods", text("one")).block(PATIENCE);
        assertThatThrownBy(() -> store().save("pods", text("tw").concatWith(Flux.error(new IllegalStateException("no more"))))
                .block(PATIENCE))
                .hasMessageContaining("no more");
        store().save("pods", text("tw").concatWith(Flux.never())).timeout(Duration.ofMillis(200)).onErrorComplete().block(PATIENCE);

        assertThat(loaded("pods")).isEqualTo("one");
        Mono.fromCallable(this::files)
                .filter(List.of("pods")::equals)
                .repeatWhenEmpty(again -> again.delayElements(Duration.ofMillis(10)))
                .block(PATIENCE); // nothing half-done is left
    }

    @Test
    void onlyItsOwnerMayReadIt() throws IOException {
        store().save("secrets", text("hush")).block(PATIENCE);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory().resolve("secrets")))).isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory()))).isEqualTo("rwx------");
    }

    @Test
    void setsAsideWhatIsOfNoUse() throws IOException {
        store().save("pods", text("garbled")).block(PATIENCE);
        String place = store().setAside("pods").block(PATIENCE);

        assertThat(loaded("pods")).isEmpty();
        assertThat(Files.readString(Path.of(place))).isEqualTo("garbled");
        assertThat(files()).containsExactly("pods.unusable");
    }

    @Test
    void aDirectoryMayBeLinkedTo() throws IOException {
        Path link = Files.createSymbolicLink(home.resolve("link"), Files.createDirectory(home.resolve("real")));
        WarmStartStorage.inDirectory(link).save("pods", text("one")).block(PATIENCE);
        assertThat(home.resolve("real").resolve("pods")).hasContent("one");
    }

    /** As SIGKILL leaves it. */
    @Test
    void removesWhatAProcessThatIsGoneHadBegun() throws IOException {
        store().save("pods", text("one")).block(PATIENCE);
        Path abandoned = Files.writeString(directory().resolve("pods.123.tmp"), "half");
        Path underWay = Files.writeString(directory().resolve("pods.124.tmp"), "of another process");
        Files.setLastModifiedTime(abandoned, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        store().save("pods", text("two")).block(PATIENCE);

        assertThat(abandoned).doesNotExist();
        assertThat(underWay).exists();
    }

    /** EINVAL, say: the file is there, and nothing more can be had there. */
    @Test
    void aFileSystemThatForcesNoDirectoriesWillDo() throws IOException {
        var files = new SnapshotDirectory(directory(), entries -> {
            throw new IOException("Invalid argument");
        });
        files.save("pods", text("one")).block(PATIENCE);
        assertThat(loaded("pods")).isEqualTo("one");
        assertThat(files()).containsExactly("pods");
    }

    @Test
    void isEqualWhereTheDirectoryIsTheSame() {
        assertThat(WarmStartStorage.inDirectory(home)).isEqualTo(WarmStartStorage.inDirectory(home))
                .hasSameHashCodeAs(WarmStartStorage.inDirectory(home))
                .isNotEqualTo(store());
    }

    @Test
    void saysWhyItCannotSave() throws IOException {
        Files.writeString(home.resolve("not"), "a file, where a directory is to be made");
        assertThatThrownBy(() -> store().save("pods", text("one")).block(PATIENCE)).hasMessageContaining(home.resolve("not").toString());
    }
}
