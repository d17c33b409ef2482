package io.reactiveinformer;

import org.junit.jupiter.api.Test;

/** What of this module has to be read stays within its budget. */
class ReadersSizeTest {

    @Test
    void isWithinItsBudget() {
        new ModuleSize(27, 2_080, 0).isBudgetOf(".");
    }
}
