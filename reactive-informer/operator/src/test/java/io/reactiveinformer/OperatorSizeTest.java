package io.reactiveinformer;

import org.junit.jupiter.api.Test;

/** What of this module has to be read stays within its budget. */
class OperatorSizeTest {

    @Test
    void isWithinItsBudget() {
        new ModuleSize(61, 4_860, 25).isBudgetOf(".");
    }
}
