package io.reactiveinformer.demo;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** The demo needs only what is there for users. */
@AnalyzeClasses(packages = "io.reactiveinformer.demo")
class DemoArchitectureTest {

    @ArchTest
    static final ArchRule whatUsersReadNamesNothingInternal =
            noClasses().should().dependOnClassesThat().resideInAPackage("io.reactiveinformer..internal..");
}
