package io.reactiveinformer;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;

/** The rules of the core module, for all modules of the library together. */
@AnalyzeClasses(packages = ArchitectureTest.BASE, importOptions = {ImportOption.DoNotIncludeTests.class, AllModulesArchitectureTest.WithoutTheKit.class})
class AllModulesArchitectureTest {

    @ArchTest
    static final ArchTests RULES = ArchTests.in(ArchitectureTest.class);

    static final class WithoutTheKit implements ImportOption {
        @Override
        public boolean includes(com.tngtech.archunit.core.importer.Location location) {
            return !location.contains("/io/reactiveinformer/test/") && !location.contains("/io/reactiveinformer/apiserver/")
                    && !location.contains("-tests.jar"); // of core, once it is packaged
        }
    }
}
