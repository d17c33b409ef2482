package io.reactiveinformer;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import java.util.Random;

/** What a fuzzer chose, and where it chose no more, numbers that follow from that: the inputs with which it begins have a few bytes. */
public final class Chance {

    private final FuzzedDataProvider chosen;
    private final Random further = new Random(1);

    public Chance(FuzzedDataProvider chosen) {
        this.chosen = chosen;
    }

    /** From {@code least} to {@code most}. */
    public int number(int least, int most) {
        if (chosen.remainingBytes() == 0) {
            return least + further.nextInt(most - least + 1);
        }
        int number = chosen.consumeInt(least, most);
        further.setSeed(further.nextLong() ^ number);
        return number;
    }

    /** Once in so many times. */
    public boolean onceIn(int times) {
        return number(1, times) == times;
    }

    public <E> E of(E[] values) {
        return values[number(0, values.length - 1)];
    }

    /** Of any characters, or empty where the fuzzer chose no more. */
    public String text(int longest) {
        return chosen.consumeString(longest);
    }
}
