package io.reactiveinformer;

import org.junit.jupiter.api.Test;

/** What of this module has to be read stays within its budget. */
class ClientSizeTest {

    @Test
    void isWithinItsBudget() {
        new ModuleSize(170, 10_980, 46).isBudgetOf(".");
    }
}
