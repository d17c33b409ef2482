package io.reactiveinformer.config;

import io.reactiveinformer.internal.Remedy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Files that may be replaced while the process runs: read on first use, and again when what was read is a minute old. */
final class WatchedFile {

    /** The kubelet renews tokens and certificates long before they expire; a minute later is early enough. */
    static final Duration AGE = Duration.ofMinutes(1);

    /** How often a file that cannot be read is looked at while somebody pauses since then. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** A bundle of all public authorities takes a quarter of a mebibyte. A larger file is some other file, or has no end. */
    private static final int LARGEST = 4 << 20;

    private WatchedFile() {}

    /**
     * The content of the files, or of values that are none. The last result is used for as long as they cannot be read.
     *
     * @param read gets the files' contents in order; fails with {@link ConfigException} if they are not as expected
     */
    static <T> Renewable<T> of(List<ConfigValue> files, Function<List<byte[]>, T> read, Scheduler clock) {
        Mono<T> content = Mono.fromCallable(() -> read.apply(files.stream().map(ConfigValue::content).toList()))
                .subscribeOn(Schedulers.boundedElastic());
        Mono<Void> readable = Mono.delay(LOOK, clock).then(content.onErrorComplete()).repeatWhenEmpty(looks -> looks).then();
        Mono<Renewable.Lease<T>> load = content
                .doOnError(failure -> Remedy.attach(failure, readable))
                .map(value -> Renewable.Lease.unsure(value, clock.now(TimeUnit.MILLISECONDS) + AGE.toMillis()));
        return new Renewable<>(load, clock);
    }

    static byte[] bytes(ConfigValue file) {
        Path path = file.path();
        try (InputStream stream = Files.newInputStream(path)) {
            byte[] bytes = stream.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new ConfigException(file.origin() + ": the file " + file.value() + " is too large; expected "
                        + (LARGEST >> 20) + " MiB at most");
            }
            return bytes;
        } catch (NoSuchFileException missing) {
            throw missing(file);
        } catch (IOException unreadable) { // a name that is too long is not missing to Java, and its message quotes the name
            if (file.doubtful() && !Files.exists(path)) {
                throw missing(file);
            }
            throw new ConfigException(file.origin() + ": the file " + file.value() + " cannot be read", unreadable);
        }
    }

    private static ConfigException missing(ConfigValue file) {
        return new ConfigException(file.origin() + (file.doubtful()
                ? ": expected the path of a file; there is no file of the configured name"
                : ": there is no file " + file.value()));
    }
}
