package io.reactiveinformer.guide;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** The programs of the guide need only what is there for users. */
@AnalyzeClasses(packages = "io.reactiveinformer.guide")
class GuideArchitectureTest {

    @ArchTest
    static final ArchRule whatUsersReadNamesNothingInternal =
            noClasses().should().dependOnClassesThat().resideInAPackage("io.reactiveinformer..internal..");
}
