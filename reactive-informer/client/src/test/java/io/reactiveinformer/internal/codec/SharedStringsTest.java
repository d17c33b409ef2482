package io.reactiveinformer.internal.codec;

import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SharedStringsTest {

    private final SharedStrings strings = new SharedStrings();

    @Test
    void equalTextsAreOneInstance() {
        String first = strings.share("node-7");
        assertThat(strings.share(new String("node-7"))).isSameAs(first);
        assertThat(strings.share(new String("é€😀"))).isSameAs(strings.share("é€😀"));
    }

    @Test
    @SuppressWarnings("ReferenceEquality") // instances are what is counted
    void whatIsMetOftenStaysHoweverMuchPassesBy() {
        String[] often = IntStream.range(0, 500).mapToObj(i -> strings.share("often-" + i)).toArray(String[]::new);
        int copies = 0;
        for (int round = 0; round < 200; round++) {
            for (int i = 0; i < 2_000; i++) {
                strings.share("once-" + round + "-" + i);
            }
            for (int i = 0; i < often.length; i++) {
                String again = strings.share(new String(often[i]));
                copies += again == often[i] ? 0 : 1;
                often[i] = again;
            }
        }
        assertThat(copies).isLessThan(500); // of 100,000
    }

    @Test
    void threadsDisturbNobody() throws Exception {
        var threads = Executors.newFixedThreadPool(4);
        try {
            var results = new ArrayList<Future<Boolean>>();
            for (int thread = 0; thread < 4; thread++) {
                var random = new Random(thread);
                Callable<Boolean> work = () -> {
                    for (int i = 0; i < 200_000; i++) {
                        String text = "text-" + random.nextInt(20_000);
                        if (!strings.share(new String(text)).equals(text)) {
                            return false;
                        }
                    }
                    return true;
                };
                results.add(threads.submit(work));
            }
            for (Future<Boolean> result : results) {
                assertThat(result.get()).isTrue();
            }
        } finally {
            threads.shutdown();
        }
    }
}
