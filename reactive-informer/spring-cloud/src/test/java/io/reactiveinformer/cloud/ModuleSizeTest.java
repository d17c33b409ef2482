package io.reactiveinformer.cloud;

import io.reactiveinformer.ModuleSize;
import org.junit.jupiter.api.Test;

/** What of this module has to be read stays within its budget. */
class ModuleSizeTest {

    @Test
    void isWithinItsBudget() {
        new ModuleSize(30, 1_400, 0).isBudgetOf(".");
    }
}
