package io.reactiveinformer.spring;

import io.reactiveinformer.ModuleSize;
import org.junit.jupiter.api.Test;

/** What of the module of the page has to be read stays within its budget. It has no tests of its own. */
class DashboardSizeTest {

    @Test
    void isWithinItsBudget() {
        new ModuleSize(15, 600, 1).isBudgetOf("../dashboard");
    }
}
