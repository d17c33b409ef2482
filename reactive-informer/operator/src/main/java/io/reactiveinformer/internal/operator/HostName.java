package io.reactiveinformer.internal.operator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The name of this host, as far as it can be found without DNS, which may block. */
public final class HostName {

    /** The kernel's own, in memory: reading it does not wait for a disk. */
    private static final Path OF_KERNEL = Path.of("/proc/sys/kernel/hostname");

    private HostName() {}

    /**
     * The first that is set: {@code $HOSTNAME}, the pod's name in a container; the name that the kernel has, on Linux;
     * {@code %COMPUTERNAME%}, on Windows; {@code otherwise}.
     */
    public static String orElse(String otherwise) {
        return orElse(otherwise, System.getenv()::get, OF_KERNEL);
    }

    static String orElse(String otherwise, UnaryOperator<@Nullable String> environment, Path ofKernel) {
        String name = environment.apply("HOSTNAME");
        name = isName(name) ? name : read(ofKernel);
        name = isName(name) ? name : environment.apply("COMPUTERNAME");
        return name != null && isName(name) ? name : otherwise;
    }

    private static boolean isName(@Nullable String name) {
        return name != null && !name.isBlank();
    }

    private static @Nullable String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException unreadable) {
            return null;
        }
    }
}
