package io.reactiveinformer;

import org.junit.jupiter.api.Test;

/** What of this module has to be read stays within its budget. */
class ClientSizeTest {

    @Test
    void isWithinItsBudget() {
        new ModuleSize(184, 11_400, 46).isBudgetOf(".");
    }
}
