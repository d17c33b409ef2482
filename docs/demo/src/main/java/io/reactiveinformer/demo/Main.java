package io.reactiveinformer.demo;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/** {@code ./informer}: runs one command, and ends the process with its exit code. */
public final class Main {

    /** Whether stdout is a terminal that shows colours; set by the script, since not every version of Java knows it. */
    private static final String COLOURS = "informer.colours";

    /** How many columns the terminal has; set by the script. */
    private static final String WIDTH = "informer.width";

    private Main() {}

    /** @param args see {@code ./informer --help} */
    public static void main(String[] args) {
        EndOfProcess end = EndOfProcess.install();
        // Unbuffered: each line is one write, and System.out would hide that the reader has closed the output.
        var out = new Lines(new FileOutputStream(FileDescriptor.out));
        end.exit(Commands.run(args, new Surroundings(out, System.err, Boolean.getBoolean(COLOURS), Integer.getInteger(WIDTH, 0),
                System.getenv("KUBECONFIG"), end.requested(), Main::spent)));
    }

    private static Duration spent() {
        return Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime());
    }
}
