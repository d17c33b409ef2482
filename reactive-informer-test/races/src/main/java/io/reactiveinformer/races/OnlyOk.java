package io.reactiveinformer.races;

import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.Outcome;

/** A test says {@code ok}; any other outcome says in words what was wrong, and fails the run. */
@Outcome(id = OnlyOk.OK, expect = Expect.ACCEPTABLE)
@Outcome(expect = Expect.FORBIDDEN, desc = "a race")
public final class OnlyOk {

    public static final String OK = "ok";

    private OnlyOk() {}

    /** {@code ok}, or {@code otherwise}. */
    public static String unless(boolean wrong, String otherwise) {
        return wrong ? otherwise : OK;
    }
}
