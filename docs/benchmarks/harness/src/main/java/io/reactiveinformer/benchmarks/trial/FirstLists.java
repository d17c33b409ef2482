package io.reactiveinformer.benchmarks.trial;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A process of its own: for each line of its input, makes a contender, waits until it is synced, writes what that took, and closes it. */
public final class FirstLists {

    private FirstLists() {}

    /** @param args a class of {@link Contender}, and a kubeconfig */
    public static void main(String[] args) throws Exception {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (input.readLine() != null) {
            long cpu = cpuMillis();
            long began = System.nanoTime();
            try (var contender = Class.forName(args[0]).asSubclass(Contender.class).getDeclaredConstructor().newInstance()) {
                contender.start(args[1], List.of(), mark -> { });
                contender.awaitSynced();
                long millis = (System.nanoTime() - began) / 1_000_000;
                System.out.println("turn " + millis + " " + (cpuMillis() - cpu) + " " + contender.size() + " ");
            }
        }
        System.exit(0); // threads of its own may be left
    }

    private static long cpuMillis() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1_000_000;
    }
}
