package io.reactiveinformer.internal.readers;

import io.reactiveinformer.races.OnlyOk;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The table of shared trees: look-ups without a lock beside entries that move, and a table that grows. */
public class TreesRaces {

    private static final SharedShape<Object> SHAPE = new SharedShape<>() {
        @Override
        Object bind(Object in, @Nullable Object before) {
            throw new UnsupportedOperationException("nothing is read");
        }
    };

    /** Few bytes, so that entries come and go: a hand goes round the table. */
    private static final SharedTrees TREES = new SharedTrees(1 << 16);

    private static final AtomicInteger NEXT = new AtomicInteger();

    private TreesRaces() {}

    /** Four trees of one bucket, which push each other about, and a fifth for which there is no place. */
    abstract static class Trees {

        private final int group = NEXT.getAndIncrement() & 0xFF;

        byte[] bytes(int tree) {
            return new byte[] {(byte) group, (byte) tree};
        }

        String put(int tree) {
            TREES.put(SHAPE, bytes(tree), group, group << 8 | tree);
            return find(tree);
        }

        String find(int tree) {
            Object found = TREES.find(SHAPE, bytes(tree), 0, 2, group);
            boolean right = found == null || found.equals(group << 8 | tree);
            return OnlyOk.unless(!right, "another tree was found: " + found);
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class PutAgainstFind extends Trees {

        @Actor
        public void puts() {
            for (int tree = 0; tree < 5; tree++) {
                put(tree);
            }
        }

        @Actor
        public void finds(L_Result result) {
            String wrong = OnlyOk.OK;
            for (int tree = 4; tree >= 0 && wrong.equals(OnlyOk.OK); tree--) {
                wrong = find(tree);
            }
            result.r1 = wrong;
        }
    }

    /** With a table of its own: neither is lost, and each is there once. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class PutAgainstPut {

        /** One for each thread that makes states; what earlier rounds have put is in other places. */
        private static final SharedTrees ROOMY = new SharedTrees(1L << 40);

        private final int hash = NEXT.getAndIncrement();
        private final byte[] one = {0, (byte) hash, (byte) (hash >> 8), (byte) (hash >> 16), (byte) (hash >> 24)};
        private final byte[] other = {1, (byte) hash, (byte) (hash >> 8), (byte) (hash >> 16), (byte) (hash >> 24)};

        @Actor
        public void one() {
            ROOMY.put(SHAPE, one, hash, "one");
        }

        @Actor
        public void other() {
            ROOMY.put(SHAPE, other, hash, "other");
        }

        @Arbiter
        public void arbiter(L_Result result) {
            Object first = ROOMY.find(SHAPE, one, 0, one.length, hash);
            Object second = ROOMY.find(SHAPE, other, 0, other.length, hash);
            boolean lost = !"one".equals(first) || !"other".equals(second);
            result.r1 = OnlyOk.unless(lost, "lost: " + first + ", " + second);
        }
    }
}
