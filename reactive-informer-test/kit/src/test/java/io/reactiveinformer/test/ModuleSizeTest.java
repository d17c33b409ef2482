package io.reactiveinformer.test;

import io.reactiveinformer.ModuleSize;
import org.junit.jupiter.api.Test;

/** What of this module has to be read stays within its budget. */
class ModuleSizeTest {

    @Test
    void isWithinItsBudget() {
        new ModuleSize(51, 4_615, 24).isBudgetOf(".");
    }
}
