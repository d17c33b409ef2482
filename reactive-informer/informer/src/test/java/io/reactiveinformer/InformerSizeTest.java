package io.reactiveinformer;

import org.junit.jupiter.api.Test;

/** What of this module has to be read stays within its budget. */
class InformerSizeTest {

    @Test
    void isWithinItsBudget() {
        new ModuleSize(173, 13_370, 45).isBudgetOf(".");
    }
}
