package io.reactiveinformer.spring;

import io.reactiveinformer.ModuleSize;
import org.junit.jupiter.api.Test;

/** What of the module of Spring Cloud has to be read stays within its budget. Its tests go without the classes that this needs. */
class SpringCloudSizeTest {

    @Test
    void isWithinItsBudget() {
        new ModuleSize(30, 1_400, 0).isBudgetOf("../spring-cloud");
    }
}
