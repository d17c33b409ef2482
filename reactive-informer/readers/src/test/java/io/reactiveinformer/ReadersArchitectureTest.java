package io.reactiveinformer;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;

/** The rules of {@link ArchitectureTest}, for this module and those below. Each build checks all modules together. */
@ArchTag("thorough")
@AnalyzeClasses(packages = ArchitectureTest.BASE, importOptions = ArchitectureTest.TheLibrary.class)
class ReadersArchitectureTest {

    @ArchTest
    static final ArchTests RULES = ArchTests.in(ArchitectureTest.class);
}
