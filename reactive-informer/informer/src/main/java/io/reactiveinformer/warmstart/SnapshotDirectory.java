package io.reactiveinformer.warmstart;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Saves snapshots as files. A file is written under another name until it is on the disk, and then moved over the former one. */
final class SnapshotDirectory implements WarmStartStorage {

    private static final int PIECE = 1 << 16;

    /** The age after which an unfinished file counts as abandoned by a process that has ended. */
    private static final Duration ABANDONED = Duration.ofHours(1);

    private final Path directory;
    private final Force force;

    /** Forces the entries of a directory to the disk. */
    @FunctionalInterface
    interface Force {

        void on(FileChannel directory) throws IOException;
    }

    SnapshotDirectory(Path directory) {
        this(directory, channel -> channel.force(true));
    }

    SnapshotDirectory(Path directory, Force force) {
        this.directory = directory.toAbsolutePath().normalize();
        this.force = force;
    }

    @Override
    public Flux<ByteBuffer> load(String name) {
        return Flux.<ByteBuffer, FileChannel>generate(
                        () -> FileChannel.open(file(name), StandardOpenOption.READ),
                        (file, sink) -> {
                            ByteBuffer piece = ByteBuffer.allocate(PIECE);
                            try {
                                if (file.read(piece) < 0) {
                                    sink.complete();
                                } else {
                                    sink.next(piece.flip());
                                }
                            } catch (IOException failure) {
                                sink.error(failure);
                            }
                            return file;
                        },
                        SnapshotDirectory::close)
                .switchIfEmpty(Mono.fromSupplier(() -> ByteBuffer.allocate(0))) // an empty file is not the same as none
                .onErrorResume(NoSuchFileException.class, absent -> Flux.empty())
                .subscribeOn(Schedulers.boundedElastic());
    }

    @Override
    public Mono<Void> save(String name, Flux<ByteBuffer> content) {
        return Mono.using(
                        () -> Unfinished.create(directory, name),
                        file -> content.doOnNext(file::write).then(Mono.<Void>fromRunnable(() -> {
                            file.moveTo(file(name));
                            forceEntries();
                        })),
                        Unfinished::discard)
                .cancelOn(Schedulers.boundedElastic()) // discarding may block too
                .subscribeOn(Schedulers.boundedElastic());
    }

    /**
     * Forces the move to the disk. If the file system does not support that, it writes the move later; the file is complete in any case.
     */
    private void forceEntries() {
        io(() -> {
            try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
                force(entries);
            } catch (FileSystemException notAFile) {
                return directory; // Windows opens no directories
            }
            return directory;
        });
    }

    @SuppressWarnings("EmptyCatch") // see above
    private void force(FileChannel entries) {
        try {
            force.on(entries);
        } catch (IOException unsupported) {
            // some file systems do not support fsync of a directory, and fail with EINVAL: the move is then as durable as possible
        }
    }

    @Override
    public Mono<String> setAside(String name) {
        return Mono.fromCallable(() -> {
                    Path aside = directory.resolve(name + ".unusable");
                    Files.move(file(name), aside, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                    return aside.toString();
                })
                .subscribeOn(Schedulers.boundedElastic());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SnapshotDirectory another && directory.equals(another.directory);
    }

    @Override
    public int hashCode() {
        return directory.hashCode();
    }

    private Path file(String name) {
        return directory.resolve(name);
    }

    private static void close(FileChannel file) {
        io(() -> {
            file.close();
            return file;
        });
    }

    /** A file that is being written. {@link #discard} has no effect after it was moved. */
    private record Unfinished(Path path, FileChannel channel) {

        static Unfinished create(Path directory, String name) throws IOException {
            if (!Files.isDirectory(directory)) { // a link to a directory is fine
                Files.createDirectories(directory, ownersOnly(directory, "rwx------"));
            }
            removeAbandoned(directory, name);
            Path path = Files.createTempFile(directory, name + ".", ".tmp", ownersOnly(directory, "rw-------"));
            return new Unfinished(path, FileChannel.open(path, StandardOpenOption.WRITE));
        }

        private static FileAttribute<?>[] ownersOnly(Path directory, String permissions) {
            return directory.getFileSystem().supportedFileAttributeViews().contains("posix")
                    ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))}
                    : new FileAttribute<?>[0];
        }

        /** Deletes unfinished files of killed processes. */
        private static void removeAbandoned(Path directory, String name) throws IOException {
            Instant limit = Instant.now().minus(ABANDONED);
            try (DirectoryStream<Path> begun = Files.newDirectoryStream(directory, name + ".*.tmp")) {
                for (Path path : begun) {
                    if (Files.getLastModifiedTime(path).toInstant().isBefore(limit)) {
                        Files.deleteIfExists(path);
                    }
                }
            }
        }

        void write(ByteBuffer piece) {
            io(() -> {
                while (piece.hasRemaining()) {
                    channel.write(piece);
                }
                return piece;
            });
        }

        void moveTo(Path target) {
            io(() -> {
                channel.force(true);
                channel.close();
                return Files.move(path, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            });
        }

        void discard() {
            io(() -> {
                channel.close();
                return Files.deleteIfExists(path);
            });
        }
    }

    private static void io(Callable<?> work) {
        try {
            work.call();
        } catch (Exception failure) {
            throw Exceptions.propagate(failure);
        }
    }
}
