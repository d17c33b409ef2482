package io.reactiveinformer.cloud;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** Applications use Spring Cloud's types only, and this module only what any user of the library could. */
@AnalyzeClasses(packages = "io.reactiveinformer.cloud", importOptions = ImportOption.DoNotIncludeTests.class)
class CloudArchitectureTest {

    @ArchTest
    static final ArchRule noTypeIsPublic = noClasses().that().areTopLevelClasses().should().bePublic();

    @ArchTest
    static final ArchRule nothingInternalIsUsed = noClasses().should().dependOnClassesThat()
            .resideInAnyPackage("io.reactiveinformer.internal..", "io.reactiveinformer.spring..");

    /** Otherwise an application without the load balancer fails to load a class. */
    @ArchTest
    static final ArchRule discoveryNeedsNoLoadBalancer = noClasses()
            .that().haveNameNotMatching(
                    ".*\\.(LoadBalanc(ingAuto|er)Configuration|EndpointSliceInstanceListSupplier|CurrentCaches)(\\$.*)?")
            .should().dependOnClassesThat().resideInAPackage("org.springframework.cloud.loadbalancer..");
}
