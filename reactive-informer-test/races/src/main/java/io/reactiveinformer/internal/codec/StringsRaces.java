package io.reactiveinformer.internal.codec;

import io.reactiveinformer.races.OnlyOk;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The table of shared strings, without a lock: a race may keep a string twice, and must never return another one. */
public class StringsRaces {

    private StringsRaces() {}

    private static final int COUNT = 8;

    /** Of one bucket of the table, so that they push each other about; each has another hash. */
    private static final String[] TEXTS = IntStream.range(10_000, 100_000).mapToObj(String::valueOf)
            .filter(text -> bucket(text) == bucket("10000")).limit(COUNT).toArray(String[]::new);

    private static final SharedStrings STRINGS = new SharedStrings();
    private static final AtomicInteger NEXT = new AtomicInteger();

    /** As the table computes it. */
    private static int bucket(String text) {
        return text.hashCode() * 0x9E3779B9 >>> 20;
    }

    private static String share(String text) {
        String shared = STRINGS.share(text.getBytes(StandardCharsets.US_ASCII), 0, text.length(), text.hashCode());
        return OnlyOk.unless(!shared.equals(text), shared + " for " + text);
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class ShareAgainstShare {

        private final int at = NEXT.getAndIncrement() & Integer.MAX_VALUE;
        private volatile String one = OnlyOk.OK;
        private volatile String other = OnlyOk.OK;

        @Actor
        public void one() {
            one = share(TEXTS[at % COUNT]);
        }

        @Actor
        public void other() {
            other = share(TEXTS[(at + 1) % COUNT]);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = one.equals(OnlyOk.OK) ? other : one;
        }
    }
}
