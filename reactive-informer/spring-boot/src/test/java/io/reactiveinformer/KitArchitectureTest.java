package io.reactiveinformer;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import java.util.stream.Stream;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.members;

/** What the test kit and its API server show to users. */
@AnalyzeClasses(
        packages = {"io.reactiveinformer.test", "io.reactiveinformer.apiserver"}, importOptions = ImportOption.DoNotIncludeTests.class)
class KitArchitectureTest {

    /** Called by our own modules only, and useless without an object of an internal type, which no user has. */
    private static final Set<String> OURS = Set.of(
            "io.reactiveinformer.test.faults.Faults.around", "io.reactiveinformer.apiserver.ClusterObjects.of");

    @ArchTest
    static final ArchRule usersNeedNotNameWhatIsInternal = members()
            .that(DescribedPredicate.describe("users can see", KitArchitectureTest::isForUsers))
            .should(new ArchCondition<>("name no type of an internal package") {
                @Override
                public void check(JavaMember member, ConditionEvents events) {
                    named(member).flatMap(type -> type.getAllInvolvedRawTypes().stream()).filter(KitArchitectureTest::isInternal).forEach(type ->
                            events.add(SimpleConditionEvent.violated(member, member.getFullName() + " names " + type.getName())));
                }
            });

    private static boolean isForUsers(JavaMember member) {
        return isVisible(member.getModifiers())
                && !member.getModifiers().contains(JavaModifier.SYNTHETIC)
                && !isInternal(member.getOwner())
                && Stream.iterate(member.getOwner(), type -> type.getEnclosingClass().orElse(null))
                        .takeWhile(type -> type != null)
                        .allMatch(type -> isVisible(type.getModifiers()))
                && !OURS.contains(member.getOwner().getName() + "." + member.getName());
    }

    private static boolean isVisible(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    }

    private static boolean isInternal(JavaClass type) {
        return (type.getPackageName() + ".").contains(".internal.");
    }

    private static Stream<JavaType> named(JavaMember member) {
        if (member instanceof JavaCodeUnit called) {
            return Stream.of(Stream.of(called.getReturnType()), called.getParameterTypes().stream(), called.getExceptionTypes().stream())
                    .flatMap(types -> types);
        }
        return Stream.of(((JavaField) member).getType());
    }
}
