package io.reactiveinformer;

import org.junit.jupiter.api.Test;

/** What of this module has to be read stays within its budget. */
class ClientSizeTest {

    @Test
    void isWithinItsBudget() {
        new ModuleSize(171, 11_060, 46).isBudgetOf(".");
    }
}
