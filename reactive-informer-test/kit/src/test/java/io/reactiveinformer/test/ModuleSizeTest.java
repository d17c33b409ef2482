package io.reactiveinformer.test;

import io.reactiveinformer.ModuleSize;
import org.junit.jupiter.api.Test;

/** What of this module has to be read stays within its budget. */
class ModuleSizeTest {

    @Test
    void isWithinItsBudget() {
        new ModuleSize(52, 4_667, 24).isBudgetOf(".");
    }
}
