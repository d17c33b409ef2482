package io.reactiveinformer.apiserver;

import io.reactiveinformer.ModuleSize;
import org.junit.jupiter.api.Test;

/** What of this module has to be read stays within its budget. */
class ModuleSizeTest {

    @Test
    void isWithinItsBudget() {
        new ModuleSize(158, 12_304, 6).isBudgetOf(".");
    }
}
