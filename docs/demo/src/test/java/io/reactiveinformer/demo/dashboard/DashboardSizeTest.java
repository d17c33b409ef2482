package io.reactiveinformer.demo.dashboard;

import io.reactiveinformer.ModuleSize;
import org.junit.jupiter.api.Test;

/** What of the module of the page has to be read stays within its budget. Its tests are here. */
class DashboardSizeTest {

    @Test
    void isWithinItsBudget() {
        new ModuleSize(15, 600, 1).isBudgetOf("../../reactive-informer/dashboard");
    }
}
