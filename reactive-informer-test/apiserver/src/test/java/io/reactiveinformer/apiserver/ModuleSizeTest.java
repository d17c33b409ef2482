package io.reactiveinformer.apiserver;

import io.reactiveinformer.ModuleSize;
import org.junit.jupiter.api.Test;

/** What of this module has to be read stays within its budget. */
class ModuleSizeTest {

    @Test
    void isWithinItsBudget() {
        new ModuleSize(160, 12_386, 6).isBudgetOf(".");
    }
}
