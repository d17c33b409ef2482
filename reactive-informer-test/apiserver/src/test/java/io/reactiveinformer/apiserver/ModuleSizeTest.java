package io.reactiveinformer.apiserver;

import io.reactiveinformer.ModuleSize;
import org.junit.jupiter.api.Test;

/** What of this module has to be read stays within its budget. */
class ModuleSizeTest {

    @Test
    void isWithinItsBudget() {
        new ModuleSize(140, 10_500, 6).isBudgetOf(".");
    }
}
