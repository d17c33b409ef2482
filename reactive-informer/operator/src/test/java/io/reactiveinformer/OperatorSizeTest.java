package io.reactiveinformer;

import org.junit.jupiter.api.Test;

/** What of this module has to be read stays within its budget. */
class OperatorSizeTest {

    @Test
    void isWithinItsBudget() {
        new ModuleSize(60, 4_815, 25).isBudgetOf(".");
    }
}
