package io.reactiveinformer.benchmarks.micro;

import io.reactiveinformer.internal.codec.ObjectCodec;
import java.util.List;
import org.openjdk.jol.info.GraphLayout;

/** Prints what pods retain in each form, as the JVM lays them out: keys and rows included, the store and the codec's tables not. */
public final class RetainedSizes {

    private static final int COUNT = 2_000;

    private RetainedSizes() {}

    public static void main(String... arguments) {
        for (Pods pods : Pods.values()) {
            byte[] list = pods.list(COUNT);
            System.out.printf("corpus %s, %d pods of %d bytes%n", pods, COUNT, list.length / COUNT);
            for (Form form : Form.values()) {
                Object[] rows = List.copyOf(form.decode(ObjectCodec.create(), list).entrySet()).toArray();
                System.out.printf("  %-10s %6d bytes a pod%n", form, GraphLayout.parseInstance(rows).totalSize() / COUNT);
            }
        }
    }
}
